"""Game after game of the same two players, on one line."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_bytes
from typing import Final, TypeAlias

import trio

from matcha_p2p.player.secret import SECRET_SIZE, Secrets
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.line import Line
from matcha_p2p.session.news import (
    Choice,
    Ending,
    Finished,
    Front,
    News,
    NextGame,
    Terms,
    gathered,
)
from matcha_p2p.session.reconnect import Place, Reunion
from matcha_p2p.session.rematch import next_chain
from matcha_p2p.session.session import Session
from matcha_p2p.transport.link import Link

Keep: TypeAlias = Callable[[Chain, Finished], Awaitable[Path]]
"""Keeps a game that is over, and returns where the journal of the next one goes."""


@dataclass(frozen=True, slots=True)
class Seating:
    """How a player sits at the table. patience: seconds to wait for a peer that is lost."""

    terms: Terms
    place: Place
    patience: float = math.inf


class Series:
    """One player's side of the games. chain: the last one; earlier: how many are over."""

    def __init__(self, chain: Chain, seating: Seating, keep: Keep) -> None:
        self.chain = chain
        self.earlier = 0
        self._seating: Final = seating
        self._keep: Final = keep
        self._terms = seating.terms
        self._score = (0, 0)  # games won, by us and by the peer

    async def play(
        self,
        link: Link | None,
        news: trio.MemorySendChannel[News],
        choices: trio.MemoryReceiveChannel[Choice],
    ) -> Ending:
        """Play on ``link`` and whatever links come after it; return how the last game ends."""
        links, found = trio.open_memory_channel[Link](1)
        if link is not None:
            await links.send(link)
        line = Line(found)
        async with gathered(line, choices) as inbox:
            front = Front(news, inbox)
            ending = await self._play_one(line, links, front)
            while isinstance(ending, Finished) and ending.again:
                await self._turn_over(ending)
                await news.send(NextGame(self.chain.seat, self._score))
                ending = await self._play_one(line, links, front, ending.again)
        return ending

    async def _play_one(
        self,
        line: Line,
        links: trio.MemorySendChannel[Link],
        front: Front,
        binding: bytes = b"",
    ) -> Ending:
        """Play one game, and look for the peer whenever the line needs another link."""
        session = Session(line, self.chain, self._terms, front, binding)
        place, patience = self._seating.place, self._seating.patience
        reunion = Reunion(session, self.chain, line, place, patience)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(reunion.run, links)
            ending = await session.run()
            nursery.cancel_scope.cancel()
        return ending

    async def _turn_over(self, ending: Finished) -> None:
        """Keep the game that is over, and begin the next one."""
        before = self.chain
        edition = before.table.game.edition
        self._terms = replace(self._terms, edition=edition, drawn=False)
        winner = ending.ended.ended.winner
        ours, theirs = self._score
        self._score = (ours + (winner == before.seat), theirs + (winner == 1 - before.seat))
        path = await self._keep(before, ending)
        secrets = Secrets(token_bytes(SECRET_SIZE), token_bytes(SECRET_SIZE))
        self.chain = await trio.to_thread.run_sync(
            next_chain, before, ending.again, secrets, path
        )
        self.earlier += 1
