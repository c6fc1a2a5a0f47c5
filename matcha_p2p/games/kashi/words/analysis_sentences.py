"""The sentences of an analysis: what turns of a finished game have cost."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.kashi.bots.judge import MISTAKE
from matcha_p2p.games.kashi.review.analysis import JudgedDecision
from matcha_p2p.games.kashi.rules.moves import TurnAction
from matcha_p2p.games.kashi.words.names import purpose_words
from matcha_p2p.games.kashi.words.seat_words import ONLOOKER, SeatWords
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

ENDING: Final = Sentence("ending the turn at once")
LOST: Final = Sentence(
    "{name} loses {loss:.0f} points by this turn (+-{error:.0f}). Better: {better}."
)
MISTAKE_OF: Final = Sentence(
    "Round {round}, {name}: {made}. Lost: {loss:.0f} points (+-{error:.0f}). Better: {better}."
)
MISTAKE_YOURS: Final = Sentence(
    "Round {round}: {made}. Lost: {loss:.0f} points (+-{error:.0f}). Better: {better}."
)
SUMMARY: Final = Sentence(
    "{name}: mistakes: {mistakes}, points lost by them: {loss:.0f}. Turns judged: {count}."
)
SUMMARY_YOURS: Final = Sentence(
    "Your mistakes: {mistakes}, points lost by them: {loss:.0f}. Turns judged: {count}."
)
ESTIMATES: Final = Sentence(
    "A turn loses points of the lead at the end, on average, if all play on as the bot club "
    "does. From {least:.0f} points on a loss counts as a mistake, if it is more than twice its "
    "error."
)
UNKNOWN: Final = Sentence("Nobody has had a turn in this game, so no turn can be judged.")


def lost(judged: JudgedDecision, names: Sequence[str]) -> str:
    """Return the sentence about a mistake beside its turn. names: by seat."""
    return _with_why(judged, LOST(name=names[judged.decision.seat], **_fields(judged, names)))


def mistake(judged: JudgedDecision, names: Sequence[str], own: Seat | None = None) -> str:
    """Return the sentence about a mistake in a list. own: the seat of the reader."""
    decision = judged.decision
    yours = decision.seat == own
    told = (MISTAKE_YOURS if yours else MISTAKE_OF)(
        round=decision.round,
        name=names[decision.seat],
        made=_made(judged, decision.made, names),
        **_fields(judged, names),
    )
    return _with_why(judged, told)


def summary(
    turns: Sequence[JudgedDecision], names: Sequence[str], own: Seat | None = None
) -> list[str]:
    """Return how many mistakes each judged seat has made, a sentence a line.

    names: by seat. own: the seat of the reader.
    """
    if not turns:
        return [UNKNOWN()]
    told: list[str] = []
    for seat in sorted({it.decision.seat for it in turns}):
        of_seat = [it.found for it in turns if it.decision.seat == seat]
        losses = [found.loss for found in of_seat if found.is_mistake]
        sentence = SUMMARY_YOURS if seat == own else SUMMARY
        count = len(of_seat)
        told.append(
            sentence(name=names[seat], mistakes=len(losses), loss=sum(losses), count=count)
        )
    return [*told, ESTIMATES(least=MISTAKE)]


def _with_why(judged: JudgedDecision, told: str) -> str:
    """Return a sentence, and what the better turn is for."""
    better = judged.found.better
    return (
        f"{told} {purpose_words(judged.decision.game.board, better.order, better.ap)}".rstrip()
    )


def _fields(judged: JudgedDecision, names: Sequence[str]) -> dict[str, object]:
    better = _made(judged, judged.found.better.actions, names)
    return {"loss": judged.found.loss, "error": judged.found.error, "better": better}


def _made(judged: JudgedDecision, actions: tuple[TurnAction, ...], names: Sequence[str]) -> str:
    words = SeatWords(ONLOOKER, tuple(names))
    decision = judged.decision
    return words.actions(decision.game, decision.seat, actions) or ENDING()
