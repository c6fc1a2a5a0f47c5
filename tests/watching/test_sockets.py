"""Watchers over real sockets: a watcher that never reads, and a watcher that sends garbage."""

import random
import socket
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio

from matcha_p2p.app.watching.host_side import Broadcast
from matcha_p2p.session.news import Terms, WatchersCame
from matcha_p2p.transport.dial import dial
from matcha_p2p.transport.listen import Listener, open_sockets
from matcha_p2p.watching import watch_host as galleries
from matcha_p2p.watching.watch_client import WatchClient, WatchedGame
from matcha_p2p.watching.watch_host import WatchHost
from matcha_p2p.wire.watching import Visibility
from tests.harness import initiate, introduced, play, tcp_links
from tests.watch_times import watch_invite
from tests.watching.games import come

pytestmark = pytest.mark.slow

HOST = Terms("Mina", "matcha", "2020", open_book=False, sight=Visibility.AT_ONCE, watchers=2)
GUEST = replace(HOST, name="Taro", watchers=0)
BUFFER = 2048  # of a socket: so that who reads nothing is soon owed something
SLOW, FAST = b"s" * 16, b"f" * 16


@asynccontextmanager
async def door(watch_host):
    """Let watchers in over loopback; yields the invite."""
    sockets = await open_sockets(range(1), ["127.0.0.1"])
    for each in sockets:
        each.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
    with Listener(sockets) as listener:
        invite = watch_invite(listener.port)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listener.serve, invite.psk, watch_host.welcome)
            yield invite
            nursery.cancel_scope.cancel()


async def arrive(watch_host, invite):
    """Come in by ``invite`` as a watcher that reads nothing; return the link."""
    end = trio.socket.socket()
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
    (place,) = invite.endpoints
    await end.connect((str(place.address), place.port))
    link = await initiate(trio.SocketStream(end), invite.psk)
    await link.send(come(SLOW, "Slow"))
    while "Slow" not in watch_host.names:
        await trio.lowlevel.checkpoint()
    return link


@asynccontextmanager
async def shown(folder, watch_host):
    """Yield two players after their greetings, their links, and the host's shown chain."""
    players, ends = await introduced(folder, (HOST, GUEST), ends=await tcp_links())
    host = players[0]
    shown = Broadcast(watch_host, lambda: host.chain)
    host.listen = shown.following(lambda _: None)
    host._inbox.put(WatchersCame(("Slow",)))
    yield players, ends


async def test_one_that_never_reads_holds_up_neither_players_nor_other_watchers(
    tmp_path, monkeypatch
):
    """The slow watcher is not even dropped: the game is shown to the end meanwhile."""
    monkeypatch.setattr(galleries, "SEND_LIMIT", 1000.0)
    watch_host, game = WatchHost(2), WatchedGame()
    with trio.fail_after(60):
        async with door(watch_host) as invite, shown(tmp_path, watch_host) as (players, ends):

            async def reach():
                return await dial(invite.endpoints, invite.psk, timeout=5)

            slow = await arrive(watch_host, invite)
            fast = WatchClient(reach, FAST, "Fast", game, lambda _: None)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(fast.run)
                await play(players, ends)
                while game.transcript != players[0].chain.transcript:
                    await trio.lowlevel.checkpoint()
                assert watch_host.names == ("Slow", "Fast")
                nursery.cancel_scope.cancel()
            await slow.aclose()
    assert game.over


async def test_one_that_never_reads_is_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(galleries, "SEND_LIMIT", 0.2)
    watch_host = WatchHost(2)
    with trio.fail_after(60):
        async with door(watch_host) as invite, shown(tmp_path, watch_host) as (players, ends):
            slow = await arrive(watch_host, invite)
            await play(players, ends)
            while watch_host.names:
                await trio.lowlevel.checkpoint()
            await slow.aclose()


async def test_garbage_in_place_of_frames_ends_the_connection(tmp_path):
    watch_host = WatchHost(2)
    with trio.fail_after(30):
        async with door(watch_host) as invite:
            link = await arrive(watch_host, invite)
            await link._stream.send_all(random.Random(14).randbytes(5000))
            while watch_host.names:
                await trio.lowlevel.checkpoint()
            await link.aclose()
