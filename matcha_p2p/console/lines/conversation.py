"""The interface of a game in line mode: a dialogue with one player, without input or output."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from matcha_p2p.narration.news import News, Wish

Task: TypeAlias = Any
"""Slow work that only shows lines, a value of the game's own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The lines to show, and the player's choice or wish for work, or None."""

    lines: tuple[str, ...]
    choice: Wish | None = None
    task: Task | None = None


class AnyDialogue(Protocol):
    """One player's dialogue: news and typed lines go in, lines to show and choices come out."""

    @property
    def waiting(self) -> bool:
        """Whether an answer is awaited."""
        ...

    @property
    def reply(self) -> Wish | None:
        """What the program answers by itself, if anything. Each answer is another object."""
        ...

    @property
    def pondered(self) -> object | None:
        """The decision of the other player now, if the player is connected; else None."""
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

    async def perform(self, task: Task, show: Callable[[Sequence[str]], None]) -> None:
        """Do the task of an answer, and ``show`` each line at once."""
        ...
