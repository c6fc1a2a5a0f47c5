"""A peer that says too much, or hears nothing: it slows down itself, and the game goes on."""

from contextlib import suppress
from pathlib import Path

import pytest
import trio
from trio.testing import lockstep_stream_pair, memory_stream_pair

from matcha_p2p.errors import LinkError
from matcha_p2p.rules.edition import EDITION_2015
from matcha_p2p.session.chain import MOST_RECORDS
from matcha_p2p.session.line import LOST_AFTER, RATES, Line, Pace
from matcha_p2p.session.news import (
    Choice,
    Ending,
    Front,
    Interrupted,
    News,
    TalkHeard,
    Terms,
    gathered,
)
from matcha_p2p.session.session import Session
from matcha_p2p.transcript.record import sign_record
from matcha_p2p.transcript.sync import sign_sync
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link, initiate, respond
from matcha_p2p.wire.records import Claim
from matcha_p2p.wire.talk import Farewell, Reach, Say, encode_farewell, encode_talk
from tests.cheats import chain as cheats
from tests.cheats.scene import Scene
from tests.hostile.malice import PSK, Malice, Script, Victim

FLOOD = 1000


@pytest.fixture(autouse=True)
def no_threads(monkeypatch):
    """Compute at once: the clock of these tests would jump ahead while a thread is busy."""

    async def at_once(work, *arguments):
        await trio.lowlevel.checkpoint()
        return work(*arguments)

    monkeypatch.setattr(trio.to_thread, "run_sync", at_once)


async def links(ends: tuple[trio.abc.Stream, trio.abc.Stream]) -> tuple[Link, Link]:
    made: list[Link] = []

    async def answer() -> None:
        made.append(await respond(ends[0], PSK))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        made.append(await initiate(ends[1], PSK))
    return made[0], made[1]


class Seat:
    """The honest seat of a scene at which the peer is to move, on links in memory."""

    def __init__(self, folder: Path) -> None:
        self.scene: Scene = cheats.PLAY()
        self.victim = Victim(self.scene, folder)
        self.chain = self.victim.chain()
        self.heard: list[tuple[float, News]] = []
        self.ending: Ending | None = None

    async def play(self, link: Link) -> None:
        """Play the honest seat on ``link``, with nobody who could bring another one."""
        links, found = trio.open_memory_channel[Link](1)
        await links.send(link)
        await links.aclose()
        told, news = trio.open_memory_channel[News](0)
        forward, seen = trio.open_memory_channel[News](0)
        chosen, choices = trio.open_memory_channel[Choice](8)

        async def look_on() -> None:
            async for piece in news:
                self.heard.append((trio.current_time(), piece))
                await forward.send(piece)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(look_on)
            script = Script(self.scene)
            nursery.start_soon(script.play, self.victim.seat, seen, chosen)
            terms = Terms("Mina", EDITION_2015, open_book=False)
            line = Line(found)
            async with gathered(line, choices) as inbox:
                front = Front(told, inbox)
                self.ending = await Session(line, self.chain, terms, front).run()
            nursery.cancel_scope.cancel()
        self.chain.close()


async def flooded(seat: Seat, flood) -> Malice:
    """Let the peer follow the log, send ``flood(malice)``, make its move, and leave."""
    ends = await links(memory_stream_pair())
    malice = Malice(seat.scene, ends[seat.scene.seat])

    async def misbehave() -> None:
        await malice.follow()
        for number in range(FLOOD):
            await malice.link.send(flood(malice, number))
        await malice.link.send(Frame(Kind.MSG, seat.scene.honest.encoded))
        await malice.link.send(Frame(Kind.BYE, encode_farewell(Farewell.LATER)))
        with suppress(LinkError):
            while True:
                await malice.link.receive()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(misbehave)
        await seat.play(ends[seat.victim.seat])
        nursery.cancel_scope.cancel()
    return malice


def ping(malice: Malice, number: int) -> Frame:
    return Frame(Kind.PING, bytes(1000))


def chat(malice: Malice, number: int) -> Frame:
    return Frame(Kind.CHAT, encode_talk(Say(f"{number}\x1b[2J" * 500)))


def nonsense(malice: Malice, number: int) -> Frame:
    return Frame(Kind.CHAT, b"\xc1" * 1000)


def reach(malice: Malice, number: int) -> Frame:
    return Frame(Kind.CHAT, encode_talk(Reach((bytes(4),), 1 + number)))


def sync(malice: Malice, number: int) -> Frame:
    """Ask for the whole game."""
    scene = malice.scene
    seed = scene.player.secrets.session
    binding = malice.link.binding
    return Frame(Kind.SYNC, sign_sync(scene.table.gid, 2, scene.log[1].id, binding, seed))


def claim(malice: Malice, number: int) -> Frame:
    scene = malice.scene
    seed = scene.player.secrets.session
    record = sign_record(scene.table.gid, scene.seat, scene.log[-1].id, Claim(number, 0), seed)
    return Frame(Kind.REC, record.encoded)


@pytest.mark.parametrize("flood", [ping, chat, nonsense, reach, sync, claim])
async def test_a_flood_holds_up_who_sends_it_and_the_game_goes_on(
    flood, tmp_path, autojump_clock
):
    seat = Seat(tmp_path)
    begun = trio.current_time()
    malice = await flooded(seat, flood)
    rate, burst = RATES[flood(malice, 0).kind]
    assert trio.current_time() - begun >= (FLOOD - burst) / rate - 1
    assert seat.ending == Interrupted("The other player has left the game.")
    assert len(seat.chain.entries) > len(seat.scene.log)  # the move was heard all the same
    assert len(seat.chain.records) <= MOST_RECORDS
    assert len(seat.chain._unwritten) <= MOST_RECORDS + 3


async def test_talk_is_shown_no_faster_than_it_is_heard(tmp_path, autojump_clock):
    seat = Seat(tmp_path)
    await flooded(seat, chat)
    times = [when for when, piece in seat.heard if isinstance(piece, TalkHeard)]
    rate, burst = RATES[Kind.CHAT]
    assert len(times) == FLOOD
    assert all(
        late - early >= 1 / rate - 0.001
        for early, late in zip(times, times[burst:], strict=False)
    )


async def test_the_pace_allows_a_burst_and_then_a_rate(autojump_clock):
    pace = Pace(2, 3)
    begun = trio.current_time()
    times = []
    for _ in range(5):
        await pace.wait()
        times.append(trio.current_time() - begun)
    assert times == [0, 0, 0, 0.5, 1.0]
    await trio.sleep(60)
    for _ in range(3):
        await pace.wait()
    assert trio.current_time() - begun == 61


async def test_a_peer_that_takes_nothing_is_given_up(tmp_path, autojump_clock):
    """The honest side cannot say its greeting; nobody on this machine waits for ever."""
    seat = Seat(tmp_path)
    seat.scene = seat.victim.scene = cheats.SECOND()
    seat.chain.close()
    seat.victim.folder = tmp_path / "again"
    seat.chain = seat.victim.chain()
    ends = await links(lockstep_stream_pair())
    begun = trio.current_time()

    async def ping_on() -> None:
        with suppress(LinkError):
            while True:
                await ends[1].send(Frame(Kind.PING))
                await trio.sleep(1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ping_on)
        await seat.play(ends[0])
        nursery.cancel_scope.cancel()
    assert trio.current_time() - begun <= LOST_AFTER + 1
    assert isinstance(seat.ending, Interrupted)
