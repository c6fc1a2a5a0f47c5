"""What the rooms that show games share, and what they ask of a game, part by part.

``games/game.py`` says what a session asks. A session knows no screen, so the interfaces of
screens stand in a file of their own.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from matcha_p2p.games.game import Unopened
from matcha_p2p.seats import Seat
from matcha_p2p.wire.talk import Phrase

if TYPE_CHECKING:  # a screen is up before the protocol is loaded
    from matcha_p2p.chain.verify import Report
    from matcha_p2p.console.terminal.looks import Look
    from matcha_p2p.language import Sentence
    from matcha_p2p.narration.news import Choose, News

Asked: TypeAlias = Any
"""What is asked of an analyst, a value of the game's own."""

Analysis: TypeAlias = Any
"""The decisions of a game, and what is known of their worth, a value of the game's own."""

Decision: TypeAlias = Any
"""A decision that a seat had, and what it decided, a value of the game's own."""

Judgement: TypeAlias = Any
"""What the moves of a decision are worth, a value of the game's own."""

Advise: TypeAlias = Callable[[Any], Judgement]
"""Says what a good player thinks of the moves in a View: the same when asked again."""

Printed: TypeAlias = dict[str, Any]
"""A line of --json."""

GameSoFar: TypeAlias = "tuple[Report, Sentence]"
"""How far a game was shown that is still played, and how it is watched."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A bot says ``phrase`` after so many seconds."""

    phrase: Phrase
    after: float


class FrontEnd(Protocol):
    """What plays a seat: a person at a screen or in line mode, or a bot."""

    async def play(self, seat: Seat, news: "AsyncIterator[News]", choose: "Choose") -> None:
        """Follow ``news`` until they end, and choose meanwhile."""


class Analyst(Protocol):
    """Finds the decisions of a game that is over, and judges them; both take a while."""

    def begin(self, asked: Asked) -> Analysis:
        """Return the decisions of the game, none of them judged."""
        ...

    def judge(self, decision: Decision) -> Judgement:
        """Return what the moves of a decision were worth."""
        ...


class Replay(Protocol):
    """A game to look at, as far as it has come."""

    @property
    def steps(self) -> Sequence[object]:
        """The events, in order; none before a table is laid."""
        ...

    def sentences(self, at: int) -> list[str]:
        """Return what is told of step ``at``, with all that is open, a sentence a line."""
        ...


class Steps(Protocol):
    """The part ``replay.steps``: a game as a list of steps."""

    def replay_of(self, report: "Report") -> Replay:
        """Return the game of a valid transcript, whole or not."""
        ...


class Follow(Protocol):
    """The part ``replay.screen``: a full screen for who watches."""

    async def follow(self, look: "Look", seen: "AsyncIterator[GameSoFar]") -> None:
        """Show a game as it grows until that is closed; what is seen first has steps."""


class Screen(Protocol):
    """The part ``screen.screen``: a person at a terminal with a screen of its own."""

    def full_screen(self, look: "Look", analyst: Analyst, advise: Advise | None) -> FrontEnd:
        """Return the front end. advise: for practice alone."""
        ...


class Export(Protocol):
    """The part ``review.export``: a verified game as plain values."""

    def unopened_cards(self, report: "Report") -> Iterator[Unopened]:
        """Yield the cards that were never turned up, as far as open books show them."""
        ...


class Sides(Protocol):
    """Prints a game from both sides at once, from what two programs print."""

    def take(self, seat: int, fact: Printed) -> None:
        """Take a fact that the program of ``seat`` has printed."""


class BothSides(Protocol):
    """The part ``both_sides``: a game of two in columns, for a demo."""

    @property
    def legend(self) -> "Sequence[Sentence]":
        """What is said before the game of how it is printed."""
        ...

    def sides(self, names: tuple[str, str], say: Callable[[str], None]) -> Sides:
        """Return what prints a game between ``names`` with ``say``."""
        ...
