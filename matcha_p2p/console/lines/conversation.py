"""What line mode asks of a game: its dialogue with one player, without input or output."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from matcha_p2p.narration.news import News, Wish
from matcha_p2p.seats import Seat

Task: TypeAlias = Any
"""Something that takes a while and only shows lines, a value of the game's own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The lines to show, and what the player has chosen or wants done, if anything."""

    lines: tuple[str, ...]
    choice: Wish | None = None
    task: Task | None = None


class Conversation(Protocol):
    """One player's dialogue: news and typed lines go in, lines to show and choices come out."""

    @property
    def waiting(self) -> bool:
        """Whether an answer is awaited."""
        ...

    @property
    def pondered(self) -> object | None:
        """What the other player, who is here, has to decide about now; else None."""
        ...

    def hear(self, news: News) -> tuple[str, ...]:
        """Take a piece of news; return the lines to show."""
        ...

    def read(self, line: str) -> Answer:
        """Take a typed line."""
        ...

    def tell_thinking(self, seconds: int) -> str:
        """Say for how long the other player has been thinking."""
        ...


class LineGame(Protocol):
    """A game as line mode plays it, the part ``lines`` of its folder."""

    def converse(self, seat: Seat) -> Conversation:
        """Return the dialogue of ``seat`` before any news."""
        ...

    async def perform(self, task: Task, show: Callable[[Sequence[str]], None]) -> None:
        """Do what an answer names, and ``show`` lines as they come."""
        ...
