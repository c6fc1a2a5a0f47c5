"""The decisions of a finished game of any kind, and those judged by now."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from matcha_p2p.games.game import Game
from matcha_p2p.seats import Seat

if TYPE_CHECKING:
    from matcha_p2p.chain.verify import Report
    from matcha_p2p.review.told import Count, PageMistake

D = TypeVar("D")
J = TypeVar("J")


@dataclass(frozen=True)
class GameAnalysis(Generic[D, J]):
    """The decisions of a game, in order, and the first decisions judged. names: by seat."""

    names: tuple[str, ...]
    decisions: tuple[D, ...] = ()
    judged: tuple[J, ...] = ()

    @property
    def done(self) -> bool:
        """Whether all are judged."""
        return len(self.judged) == len(self.decisions)

    def with_judged(self, judged: J) -> Self:
        """Return the analysis with the next decision judged."""
        return replace(self, judged=(*self.judged, judged))


def page_mistakes(
    game: Game,
    report: "Report",
    own: tuple[Seat, int] | None = None,
    *,
    count: "Count | None" = None,
) -> "Iterator[PageMistake] | None":
    """Return the mistakes of the seats with known cards, in order; None without a decision.

    Judging takes a moment for each decision. own: our seat and our game key. count: told how
    many decisions are judged.
    """
    analysis = game.needed(Game.analysis).analysis_of(report, own)
    return _mistakes(game, report, analysis, count) if analysis.decisions else None


def _mistakes(
    game: Game, report: "Report", analysis: GameAnalysis[Any, Any], count: "Count | None"
) -> "Iterator[PageMistake]":
    from matcha_p2p.review.told import counted  # with all that verifies files

    part, replay = game.needed(Game.analysis), game.needed(Game.replay)(report)
    for decision in counted(analysis.decisions, count):
        step = replay.step_of(decision.entries)
        mistake = part.mistake(part.judge(decision), analysis.names, step)
        if mistake is not None:
            yield mistake
