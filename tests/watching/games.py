"""Watched games in memory: a watch_host, the shown chain, and the watchers."""

import random
from collections.abc import Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import trio

from matcha_p2p.games.tichu.table.steps import Tichu
from matcha_p2p.session.chain import Chain
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.watching.publish import publish
from matcha_p2p.watching.watch_client import Grown, WatchClient, WatchedGame, WatchNews
from matcha_p2p.watching.watch_host import WatchHost
from matcha_p2p.wire.watching import Come, Visibility, encode_come
from tests.harness import links, pair, say_next
from tests.session.room import Room

TOKEN = b"t" * 16


@cache
def chains() -> tuple[Chain, ...]:
    """Return one seat's copy of a whole game of two bots, after each entry."""
    rng = random.Random(5)
    with TemporaryDirectory() as folder:
        host, guest = pair(Path(folder), "watched")
        made = [host.chain]
        while not host.chain.finished:
            _, hearer, said = say_next(host, guest, rng)
            hearer.hear(said)
            made.append(host.chain)
        host.close()
        guest.close()
    return tuple(made)


@cache
def tichu_chains() -> tuple[Chain, ...]:
    """Return a seat's copy of Tichu after each entry, into the second round."""
    room = Room("star of four", "watched", game="tichu", choose=any_move)
    made: list[Chain] = []

    def second_round_is_played() -> bool:
        chain = room.chain(0)
        if not made or len(chain.entries) > len(made[-1].entries):
            made.append(chain)
        return chain.met and cast("Tichu", chain.table.game).number == 2 and chain.running > 3

    room.run(second_round_is_played)
    return tuple(chain for chain in made if chain.met)


def any_move(view: Any, rng: random.Random) -> Any:
    return rng.choice(view.legal_moves())


def whole() -> Chain:
    """Return one seat's copy of a whole game."""
    return chains()[-1]


def come(token: bytes = TOKEN, name: str = "Ann", entries: int = 0) -> Frame:
    return Frame(Kind.COME, encode_come(Come(token, name, entries)))


class Watcher:
    """A watcher of a watch_host, by links in memory."""

    def __init__(
        self,
        watch_host: WatchHost,
        nursery: trio.Nursery,
        token: bytes = TOKEN,
        name: str = "Ann",
    ) -> None:
        self.game = WatchedGame()
        self.news: list[WatchNews] = []
        self.outcome: object = None
        self.links: list[Link] = []
        self._gallery = watch_host
        self._nursery = nursery
        self._stirred = trio.Event()
        self._visit = WatchClient(self._dial, token, name, self.game, self._tell)

    async def _dial(self) -> Link:
        near, far = await links()
        self.links.append(far)
        self._nursery.start_soon(self._gallery.welcome, near)
        return far

    def _tell(self, news: WatchNews) -> None:
        self.news.append(news)
        self._stirred.set()
        self._stirred = trio.Event()

    async def run(self) -> None:
        try:
            self.outcome = await self._visit.run()
        except Exception as error:  # noqa: BLE001 -- it is what the test is about
            self.outcome = error
        self._tell(Grown())

    async def until(self, wanted: Callable[["Watcher"], bool]) -> None:
        while not wanted(self):
            await self._stirred.wait()


@asynccontextmanager
async def watched(chain: Chain, most: int = 3, sight: Visibility = Visibility.AT_ONCE):
    """Yield a watch_host with ``chain``, and a nursery for the watchers."""
    watch_host = WatchHost(most)
    watch_host.show(publish(chain, sight))
    async with trio.open_nursery() as nursery:
        yield watch_host, nursery
        nursery.cancel_scope.cancel()
