"""The interfaces of the parts of a game that show the game, part by part.

``games/game.py`` has the interfaces for a session. A session knows no screen, so the
interfaces of screens stand in a file of their own.
"""

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from matcha_p2p.games.game import Unopened
from matcha_p2p.seats import Seat
from matcha_p2p.wire.talk import Phrase

if TYPE_CHECKING:  # a screen is up before the protocol is loaded
    from trio import MemoryReceiveChannel

    from matcha_p2p.chain.verify import Report
    from matcha_p2p.console.review.replay import ReplayPlace
    from matcha_p2p.console.terminal.looks import Look
    from matcha_p2p.games.plain import Form
    from matcha_p2p.language import Sentence
    from matcha_p2p.narration.news import Choose, Inform, News, Wish
    from matcha_p2p.review.analysis import GameAnalysis, Mistake
    from matcha_p2p.review.page.build import NetworkWeights, Texts
    from matcha_p2p.review.steps import Replay

Task = TypeVar("Task")
T = TypeVar("T")

AnalysisRequest: TypeAlias = Any
"""The question for an analyst, a value of the game's own."""

Analysis: TypeAlias = Any
"""The decisions of a game with their known worth, a value of the game's own."""

Decision: TypeAlias = Any
"""A decision of a seat and the move chosen, a value of the game's own."""

Judgement: TypeAlias = Any
"""The worth of each move of a decision, a value of the game's own."""

Advise: TypeAlias = Callable[[Any], Judgement]
"""Judges the moves in a View as a good player does; the same View gets the same judgement."""

Printed: TypeAlias = dict[str, Any]
"""A line of --json."""

HandNames: TypeAlias = list[list[list[str | None]]]
"""By part of the game and seat: the cards of a hand, None for an unknown card."""

GameSoFar: TypeAlias = "tuple[Report, Sentence]"
"""The report of a game still in play, as far as shown, and the manner of watching."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A bot says ``phrase`` after ``after`` seconds."""

    phrase: Phrase
    after: float


class FrontEnd(Protocol):
    """Plays a seat: a person at a screen or in line mode, or a bot."""

    async def play(self, seat: Seat, news: "AsyncIterator[News]", choose: "Choose") -> None:
        """Follow ``news`` until the news end, and choose meanwhile."""


class Analyst(Protocol):
    """Finds the decisions of a finished game, then judges each decision; both are slow."""

    def begin(self, asked: AnalysisRequest, /) -> Analysis:
        """Return the decisions of the game, all still without a judgement."""
        ...

    def judge(self, decision: Decision, /) -> Judgement:
        """Return the worth of the moves of a decision, with the ``loss`` of the move made."""
        ...

    def mistake(
        self, found: Judgement, names: Sequence[str], seat: Seat | None, /
    ) -> "Mistake | None":
        """Return the mistake in a judged decision, or None. seat: of the reader, or None."""
        ...

    def notes(self, analysis: Analysis, seat: Seat | None, /) -> Sequence[str]:
        """Return sentences for the end: the meaning of the figures, and more."""
        ...


class CommandOutput(NamedTuple):
    """What a command has found out.

    event, fields: the fact; event is "" without a fact. said: the sentence, or "".
    """

    event: str
    fields: Mapping[str, object]
    said: str = ""
    warnings: tuple[str, ...] = ()


class Analyses(Analyst, Protocol):
    """The part ``analysis``. A decision has ``entries``: of the transcript, up to the move."""

    UNKNOWN: "Sentence"
    """Why no decision can be judged, perhaps with a place for the ``file``."""

    def analysis_of(
        self, report: "Report", own: tuple[Seat, int] | None = None, seat: Seat | None = None
    ) -> "GameAnalysis[Any, Any]":
        """Return the decisions with known cards, all still without a judgement.

        own: our seat and our game key. seat: the seat that asks, if one does; a game may leave
        out the decisions of the others.
        """
        ...

    def fields(self, found: Judgement, /) -> Mapping[str, object]:
        """Return the fields of the fact ``decision``."""
        ...


ReplayOf: TypeAlias = "Callable[..., Replay[Any, Any]]"
"""The part ``replay``: takes the report of a valid transcript, whole or not, then our seat and
our game key or None, then how a name stands in a sentence."""

Watch: TypeAlias = "Callable[..., ReplayPlace[Any, Any]]"
"""The part ``watch``: takes a replay with steps, a view of it or None for all open cards, the
number of a step from 0, and our seat. Returns the place on a full screen."""

Screen: TypeAlias = "Callable[[Look, Analyst | None, Advise | None], FrontEnd]"
"""The part ``screen``: a person at a terminal. Takes an analyst if the game has one, and an
adviser for practice alone."""


class Export(NamedTuple):
    """The part ``export``: a verified game as plain values (``review/export.py``).

    parts: returns what the export of a valid transcript has of this game alone. game: the form
    of these parts, a record. end: the form of the end of a game. hands: returns the hands of
    each set or round that has begun. unopened_cards: returns the cards that were never turned
    up, as far as open books show the cards.
    """

    parts: "Callable[[Report], Any]"
    game: "Form[Any]"
    end: "Form[Any]"
    hands: "Callable[[Report], HandNames]" = lambda _: []
    unopened_cards: "Callable[[Report], Iterable[Unopened]]" = lambda _: ()


class Lessons(Protocol):
    """The part ``lessons``: how a lesson names the answer, as the game's own values."""

    ON_SCREEN: Any
    BY_LINE: Any


Teach: TypeAlias = "Callable[[Inform, MemoryReceiveChannel[Wish], str, Any], Awaitable[None]]"
"""The part ``tutorial``: takes a student, by name and at seat 0, through the lessons, to the
end or a leave. The last argument is a member of ``Lessons``."""

PlayLog: TypeAlias = "Callable[..., Iterator[dict[str, object]]]"
"""The part ``log``: takes the lines of a log, and a board if another than the usual, and yields
where each line leads. Raises TranscriptError if a line is malformed."""

OwnBoard: TypeAlias = Any
"""A board of a player, a value of the game's own."""


class Pool(Protocol):
    """Does work in several processes."""

    def __call__(self, work: Callable[[Task], T], tasks: Iterable[Task], /) -> Iterator[T]:
        """Yield the result of ``work`` for each task, in order."""
        ...


class Boards(Protocol):
    """The part ``boards``: reads and tries boards of players."""

    def read(self, data: bytes, /) -> OwnBoard:
        """Return the board in a file.

        Raises:
            FaultyTextError: with each fault found.
        """
        ...

    def variant_of(self, board: OwnBoard, /) -> str:
        """Return the variant with ``board``."""
        ...

    def described(self, variant: str, /) -> str:
        """Return the board of a variant in words."""
        ...

    def trials(
        self, board: OwnBoard, name: str, games: int | None, seed: int, pool: Pool, /
    ) -> Iterator[CommandOutput]:
        """Yield what ``board`` is called, then how fair the board is to the seats.

        name: of a board without a name. games: how many games bots play for each number of
        seats, None for no games. All chance in the games comes from ``seed``.
        """
        ...


class PageWords(Protocol):
    """The part ``page``: a page's ornament and sentences."""

    MARK: str

    def page_texts(self) -> "Texts":
        """Return the sentences in every language."""
        ...


PageNetwork: TypeAlias = "Callable[[str], NetworkWeights]"
"""Returns the network by which the page of a game of the variant shows chances."""


class Sides(Protocol):
    """Prints a game from both sides at once, from the output of two programs."""

    def take(self, seat: int, fact: Printed) -> None:
        """Take a fact that the program of ``seat`` has printed."""


class BothSides(Protocol):
    """The part ``sides``: a game of two in columns, for a demo."""

    @property
    def legend(self) -> "Sequence[Sentence]":
        """The sentences before the game that explain the print."""
        ...

    def sides(self, names: tuple[str, str], say: Callable[[str], None]) -> Sides:
        """Return the printer of a game between ``names``; the printer calls ``say``."""
        ...
