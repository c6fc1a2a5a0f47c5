"""The time of a move from one player to the other, with and without watchers.

``python -m tests.watch_times PORT COUNT`` is the crowd: it reads all that it is shown, and
verifies nothing, as real watchers compute on machines of their own.
"""

import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path

import trio

from matcha_p2p.app.watching.host_side import Broadcast
from matcha_p2p.errors import LinkError
from matcha_p2p.games.matcha.table.events import Passed, Placed
from matcha_p2p.narration.news import News
from matcha_p2p.session.news import GameEvent, MoveDue, Terms, WatchersCame
from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.dial import dial
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import listen
from matcha_p2p.watching.watch_host import PING_EVERY, WatchHost
from matcha_p2p.wire.watching import Come, Visibility, encode_come
from tests.harness import Player, introduced, play, tcp_links

SECRET = bytes(range(16))
HOST = Terms("Mina", "matcha", "2020", open_book=False, sight=Visibility.AT_ONCE)
GUEST = replace(HOST, name="Taro")


def watch_invite(port: int) -> Invite:
    here = (Endpoint(IPv4Address("127.0.0.1"), port),)
    return Invite(here, SECRET, kind=InviteKind.WATCH)


async def move_times(seed: str, watchers: int) -> list[float]:
    """Play a game over loopback; return for each move the seconds until the other has seen it.

    All watchers see each move at once: the greatest cost of watching.
    """
    with tempfile.TemporaryDirectory() as folder:
        terms = replace(HOST, watchers=watchers), GUEST
        players, ends = await introduced(Path(folder), terms, seed, await tcp_links())
        if not watchers:
            await play(players, ends)
            return _delays(players)
        await _play_before(watchers, players, ends)
        return _delays(players)


async def _play_before(watchers: int, players: tuple[Player, Player], ends) -> None:
    watch_host = WatchHost(watchers)
    listener = await listen(0, ["127.0.0.1"])
    host = players[0]
    host.listen = Broadcast(watch_host, lambda: host.chain).following(_unseen)
    words = [sys.executable, "-m", "tests.watch_times", str(listener.port), str(watchers)]
    start = partial(subprocess.Popen, words, stdout=subprocess.PIPE)
    with await trio.to_thread.run_sync(start) as people:
        async with trio.open_nursery() as nursery:
            psk = watch_invite(listener.port).psk
            nursery.start_soon(listener.serve, psk, watch_host.welcome)
            with trio.fail_after(60):
                await trio.to_thread.run_sync(people.stdout.readline)
            assert len(watch_host.names) == watchers
            host._inbox.put(WatchersCame(watch_host.names))
            await play(players, ends)
            nursery.cancel_scope.cancel()
        people.kill()


def _unseen(_: News) -> None:
    """Show no news: the bots have seen the game."""


def _delays(players: tuple[Player, Player]) -> list[float]:
    """Return the seconds from each decision that falls due to when the other is told of it."""
    delays = []
    for seat in (0, 1):
        due = [
            at
            for at, news in zip(players[seat].times, players[seat].news, strict=True)
            if isinstance(news, MoveDue)
        ]
        seen = [
            at
            for at, news in zip(players[1 - seat].times, players[1 - seat].news, strict=True)
            if isinstance(news, GameEvent)
            and isinstance(news.event, Placed | Passed)
            and news.event.seat == seat
        ]
        for asked in due:
            after = next((at for at in seen if at > asked), None)
            if after is not None:
                delays.append(after - asked)
    return delays


async def crowd(port: int, count: int) -> None:
    """Be ``count`` watchers; print a line after the last arrival."""
    invite = watch_invite(port)

    async def ping(link: Link) -> None:
        while True:
            await trio.sleep(PING_EVERY)
            await link.send(Frame(Kind.PING))

    async def watch(link: Link) -> None:
        with suppress(LinkError):
            while True:
                await link.receive()

    async with trio.open_nursery() as nursery:
        for number in range(count):
            link = await dial(invite.endpoints, invite.psk, timeout=30)
            come = Come(number.to_bytes(16, "big"), f"Ann {number}")
            await link.send(Frame(Kind.COME, encode_come(come)))
            await link.receive()
            nursery.start_soon(ping, link)
            nursery.start_soon(watch, link)
        print("there", flush=True)


if __name__ == "__main__":
    trio.run(crowd, int(sys.argv[1]), int(sys.argv[2]))
