"""The mistakes of a game in sentences, with the cost of turns."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.kashi.bots.judge import MISTAKE
from matcha_p2p.games.kashi.review.analysis import Analysis, JudgedDecision
from matcha_p2p.games.kashi.words.names import purpose_words
from matcha_p2p.games.kashi.words.seat_words import ONLOOKER, SeatWords
from matcha_p2p.language import Sentence
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.seats import Seat

ENDING: Final = Sentence("ending the turn at once")
PLACE: Final = Sentence("Round {round}")
COST: Final = Sentence("{loss:.0f} points (+-{error:.0f})")
ESTIMATES: Final = Sentence(
    "A turn loses points of the lead at the end, on average, if all play on as the bot club "
    "does. From {least:.0f} points on a loss counts as a mistake, if it is more than twice its "
    "error."
)
UNKNOWN: Final = Sentence("Nobody has had a turn in this game, so no turn can be judged.")


def mistake(it: JudgedDecision, names: Sequence[str], seat: Seat | None) -> Mistake | None:
    """Return a mistake with both turns; None if the turn is no mistake."""
    (_, game, by, made), found = it
    if not found.is_mistake:
        return None
    words, better = SeatWords(ONLOOKER, tuple(names)), found.better
    why = purpose_words(game.board, better.order, better.ap)
    return Mistake(
        PLACE(round=it.decision.round),
        "" if by == seat else names[by],
        words.actions(game, by, made) or ENDING(),
        words.actions(game, by, better.actions) or ENDING(),
        found.loss,
        COST(loss=found.loss, error=found.error),
        it.better,
        (why,) if why else (),
    )


def notes(analysis: Analysis, seat: Seat | None) -> list[str]:
    """Return the meaning of the figures."""
    del analysis, seat
    return [ESTIMATES(least=MISTAKE)]
