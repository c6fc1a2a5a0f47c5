"""The sentences of an analysis: what decisions of a finished game have cost."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.tichu.review.analysis import WORST, Analysis, Judged
from matcha_p2p.games.tichu.rules.actions import Lay, TichuMove
from matcha_p2p.games.tichu.words.card_words import play_words
from matcha_p2p.language import Sentence

LOST: Final = Sentence(
    "Round {number}, {name}: {made}, {value:+.0f}; {best} had {most:+.0f}. Lost: {loss:.0f}."
)
NONE_LOST: Final = Sentence("{name}: nothing lost. Decisions judged: {count}.")
SOME_LOST: Final = Sentence(
    "{name}: {loss:.0f} points lost. Decisions judged: {count}. The dearest are:"
)
ESTIMATES: Final = Sentence(
    "The figures are points by which the own team wins the round on average, if all play on as "
    "club does. Judged are decisions late in a round, when all hands have {cards} cards or "
    "less together."
)
UNKNOWN: Final = Sentence("No round of this game is over, so no decision can be judged.")
NONE_JUDGED: Final = Sentence(
    "You had no decision in this round after all hands had {cards} cards or less together, so "
    "none is judged."
)
PASSING: Final = Sentence("passing")
HOLDING: Final = Sentence("no bomb")


def summary(analysis: Analysis, names: Sequence[str], cards: int) -> list[str]:
    """Return what each judged seat has lost, the dearest decisions first, a sentence a line.

    cards: how many all hands have together in the first decision that is judged.
    """
    if not analysis.judged:
        return [UNKNOWN()]
    told: list[str] = []
    for seat, found in analysis.by_seat().items():
        worst = sorted((it for it in found if it.loss >= 1), key=lambda it: -it.loss)
        loss, count = sum(it.loss for it in worst), len(found)
        if worst:
            told.append(SOME_LOST(name=names[seat], loss=loss, count=count))
        else:
            told.append(NONE_LOST(name=names[seat], count=count))
        told += [_lost(it, names[seat]) for it in worst[:WORST]]
    return [*told, ESTIMATES(cards=cards)]


def _lost(it: Judged, name: str) -> str:
    best = it.judgement.moves[0]
    return LOST(
        number=it.decision.seen.number,
        name=name,
        made=_words(it, it.decision.made),
        value=it.value,
        best=_words(it, best.move),
        most=best.points,
        loss=it.loss,
    )


def _words(it: Judged, move: TichuMove) -> str:
    hand = it.decision.seen.held
    match move:
        case Lay(places, wild):
            return play_words([hand[place] for place in places], wild)
        case _:
            return PASSING() if it.decision.is_turn else HOLDING()
