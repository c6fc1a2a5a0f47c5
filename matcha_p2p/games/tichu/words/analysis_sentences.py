"""The mistakes of a game or a round in sentences."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.tichu.bots.keen import KEEN
from matcha_p2p.games.tichu.review.analysis import MISTAKE, Analysis, JudgedDecision
from matcha_p2p.games.tichu.rules.actions import Lay, TichuMove
from matcha_p2p.games.tichu.rules.cards import FACES
from matcha_p2p.games.tichu.rules.round import seat_after
from matcha_p2p.games.tichu.words.card_words import play_words
from matcha_p2p.games.tichu.words.hints import HOLDING, PASSING, tens, why
from matcha_p2p.games.tichu.words.seat_words import Around
from matcha_p2p.language import Sentence
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.seats import Seat

PLACE: Final = Sentence("Round {number}, trick {trick}")
COST: Final = Sentence("{loss} points ({most:+d} to {value:+d})")
ESTIMATES: Final = Sentence(
    "The figures are points, rounded to tens, by which the own team wins the round on average, "
    "if all play on as club does. A loss that may be chance does not count."
)
LATE: Final = Sentence(
    "Judged are decisions late in a round, when all hands have {cards} cards or less together."
)
UNKNOWN: Final = Sentence("No round of this game is over, so no decision can be judged.")


def mistake(it: JudgedDecision, names: Sequence[str], seat: Seat | None) -> Mistake | None:
    """Return a mistake with both moves; None if the decision is no mistake."""
    if it.loss < MISTAKE:
        return None
    seen, value, loss = it.decision.seen, tens(it.value), tens(it.loss)
    board = it.better
    cards = [seen.held[place] for place in sorted(board.places)]
    return Mistake(
        PLACE(number=seen.number, trick=seen.trick),
        "" if seen.seat == seat else names[seen.seat],
        _words(it, it.decision.made),
        _words(it, it.judgement.moves[0].move),
        it.loss,
        COST(loss=loss, most=value + loss, value=value),
        board,
        _why(it, names) if seen.seat == seat else (),
        marks={"cards": cards} if cards else {},
    )


def _why(it: JudgedDecision, names: Sequence[str]) -> tuple[str, ...]:
    """Return the reasons for the better move, as a hint has them; they address the player."""
    seen = it.decision.seen
    around = Around(*(names[seat_after(seen.seat, steps)] for steps in (1, 2, 3)))
    told = why(seen, it.judgement.moves[0].move, around)
    return (told,) if told else ()


def notes(analysis: Analysis, seat: Seat | None) -> list[str]:
    """Return the meaning of the figures."""
    del analysis, seat
    late = [LATE(cards=KEEN.cards)] if KEEN.cards < len(FACES) else []
    return [ESTIMATES(), *late]


def _words(it: JudgedDecision, move: TichuMove) -> str:
    hand = it.decision.seen.held
    match move:
        case Lay(places, wild):
            return play_words([hand[place] for place in places], wild)
        case _:
            return PASSING() if it.decision.is_turn else HOLDING()
