"""The decisions of a finished game of any kind, those judged by now, and the mistakes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Self, TypeVar, cast

from matcha_p2p.games.game import Game
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

if TYPE_CHECKING:
    from matcha_p2p.chain.verify import Report
    from matcha_p2p.review.told import Count, PageMistake

D = TypeVar("D")
J = TypeVar("J")

PLACE_OF: Final = Sentence("{place}, {name}")
SAID: Final = Sentence("{where}: {made}. Better: {better}. Lost: {cost}.")


class Mistake(NamedTuple):
    """A decision that lost something, for a reader, in the language spoken now.

    place: the round, and the trick or the set. name: of the player, "" for the reader. made,
    better: the move, and the better move. loss: compares mistakes of one game. cost: the loss
    with its unit. board: both moves, as the game draws them. why: more sentences. marks: the
    better move as the page of the game marks it, numbers by kind; {} for a pass.
    """

    place: str
    name: str
    made: str
    better: str
    loss: float
    cost: str
    board: Any = None
    why: tuple[str, ...] = ()
    marks: Mapping[str, Sequence[int]] = {}

    @property
    def where(self) -> str:
        """The place, and the player if the reader is another."""
        return PLACE_OF(place=self.place, name=self.name) if self.name else self.place

    def said(self) -> list[str]:
        """Return the mistake in sentences, and why the better move is better."""
        said = SAID(where=self.where, made=self.made, better=self.better, cost=self.cost)
        return [said, *self.why]


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

    def facts(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        """Yield further facts for programs, once all is judged: the event, and the fields."""
        yield from ()


def page_mistakes(
    game: Game,
    report: "Report",
    own: tuple[Seat, int] | None = None,
    *,
    seat: Seat | None = None,
    count: "Count | None" = None,
) -> "Iterator[PageMistake] | None":
    """Return the mistakes of the seats with known cards, in order; None without a decision.

    Judging takes a moment for each decision. own: our seat and our game key. seat: of the
    reader; None if anyone may read. count: told how many decisions are judged.
    """
    analysis = game.needed(Game.analysis).analysis_of(report, own)
    decided = bool(analysis.decisions)
    return _mistakes(game, report, analysis, seat, count) if decided else None


def _mistakes(
    game: Game,
    report: "Report",
    analysis: GameAnalysis[Any, Any],
    seat: Seat | None,
    count: "Count | None",
) -> "Iterator[PageMistake]":
    from matcha_p2p.review.told import PageMistake, counted  # with all that verifies files

    part, replay = game.needed(Game.analysis), game.needed(Game.replay)(report)
    for decision in counted(analysis.decisions, count):
        found = part.judge(decision)
        told = partial(part.mistake, found, analysis.names, seat)
        if told() is not None:
            step = replay.step_of(decision.entries)
            yield PageMistake(step, cast("Callable[[], Mistake]", told))
