"""Plays the first seat of a practice in this process."""

import math
from collections.abc import Callable
from typing import TypeVar

import trio

from matcha_p2p.app.practice.table_of_bots import Practice
from matcha_p2p.narration.news import News, TakeBack, Wish
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.news import Ending, Leave, MakeMove, MoveDue, Settled, TakenUp

Piece = TypeVar("Piece", bound=News)


class Person:
    """A person, and the chain of the game. best: the decision for an undisturbed game."""

    def __init__(self, practice: Practice, best: Callable[[MoveDue], MakeMove]) -> None:
        self.practice = practice
        self.best = best
        self._told, self._news = trio.open_memory_channel[News](math.inf)
        self._over = False
        self.ending: Ending | None = None

    async def play(self) -> None:
        async with self._told:
            self.ending = await self.practice.play(self._told.send_nowait)

    @property
    def chain(self) -> Chain:
        assert self.practice.chain is not None
        return self.practice.chain

    @property
    def entries(self) -> list[bytes]:
        return [entry.encoded for entry in self.chain.entries]

    async def choose(self, wish: Wish) -> None:
        await trio.lowlevel.checkpoint()
        self.practice.choose(wish)

    @property
    def waiting(self) -> int:
        """How many pieces of news were told and not taken."""
        return self._news.statistics().current_buffer_used

    async def next(self) -> News:
        return await self._news.receive()

    async def due(self) -> MoveDue | None:
        """Return the next decision due; None at the end of a game."""
        async for piece in self._news:
            if isinstance(piece, MoveDue | Settled):
                self._over = isinstance(piece, Settled)
                return None if isinstance(piece, Settled) else piece
        return None

    async def settle(self) -> None:
        """Play until the game is over."""
        while not self._over and (due := await self.due()) is not None:
            await self.choose(self.best(due))
        self._over = False

    async def told(self, *kinds: type[Piece]) -> Piece:
        """Return the next piece of news of the given kinds."""
        async for piece in self._news:
            if isinstance(piece, kinds):
                return piece
        raise AssertionError("the game is over")

    async def take_back(self) -> tuple[TakenUp, MoveDue]:
        """Take back; return the news of the taken-up game, and the decision due again."""
        await self.choose(TakeBack())
        return await self.told(TakenUp), await self.due()

    async def finish(self) -> None:
        """Play until the game is over, and leave."""
        await self.settle()
        await self.choose(Leave())
