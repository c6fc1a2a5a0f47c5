"""A peer that floods or does not read slows itself down, and the game goes on."""

from contextlib import suppress
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path

import pytest
import trio
from trio.testing import lockstep_stream_pair

from matcha_p2p.errors import LinkError
from matcha_p2p.session.chain import MOST_RECORDS
from matcha_p2p.session.connection.line import LOST_AFTER, RATES, Pace
from matcha_p2p.session.news import Interrupted, TalkHeard, Terms
from matcha_p2p.session.session import GREETING_LIMIT
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Claim, Sync
from matcha_p2p.wire.talk import Farewell, PeerAddresses, Say, encode_farewell, encode_talk
from tests.cheats import chain as cheats
from tests.cheats.scene import Scene
from tests.harness import Copy, Player, introduce, links
from tests.hostile.malice import NAMES, Malice, Script, Victim

FLOOD = 1000


pytestmark = pytest.mark.usefixtures("no_threads")


class Seat:
    """The honest seat of a scene at which the peer is to move, on links in memory."""

    def __init__(self, folder: Path, scene: Scene | None = None) -> None:
        self.scene = scene or cheats.PLAY()
        self.victim = Victim(self.scene, folder)
        self.player: Player

    async def play(self, link: Link) -> None:
        """Play the honest seat on ``link``, without a way to another link."""
        choose = partial(Script(self.scene).choose, self.victim.seat)
        terms = Terms(NAMES[self.victim.seat], "matcha", "2015", open_book=False)
        self.player = await introduce(self.victim.ledger(), terms, link, bot=choose)
        await self.player.run(link)


async def flooded(seat: Seat, flood) -> Malice:
    """Let the peer follow the log, send ``flood(malice)``, make its move, and leave."""
    ends = await links()
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


def way(malice: Malice, number: int) -> Frame:
    return Frame(
        Kind.CHAT, encode_talk(PeerAddresses((Endpoint(IPv4Address("192.0.2.1"), 1 + number),)))
    )


def sync(malice: Malice, number: int) -> Frame:
    """Ask for the whole game."""
    scene = malice.scene
    sync, seed = Sync(2, malice.link.binding), scene.player.secrets.session
    record = sign_record(scene.table.gid, scene.seat, scene.log[1].id, sync, seed)
    return Frame(Kind.SYNC, record.encoded)


def claim(malice: Malice, number: int) -> Frame:
    scene = malice.scene
    seed = scene.player.secrets.session
    record = sign_record(scene.table.gid, scene.seat, scene.log[-1].id, Claim(number, 0), seed)
    return Frame(Kind.REC, record.encoded)


def goodbye(malice: Malice, number: int) -> Frame:
    """Send the goodbye DONE while the game is under way: the frame has no effect."""
    return Frame(Kind.BYE, encode_farewell(Farewell.DONE))


@pytest.mark.slow
@pytest.mark.parametrize("flood", [ping, chat, nonsense, way, sync, claim, goodbye])
async def test_flood_holds_up_its_sender_and_the_game_goes_on(flood, tmp_path, autojump_clock):
    seat = Seat(tmp_path)
    begun = trio.current_time()
    malice = await flooded(seat, flood)
    rate, burst = RATES[flood(malice, 0).kind]
    assert trio.current_time() - begun >= (FLOOD - burst) / rate - 1
    assert seat.player.ending == Interrupted("The other player has left the game.")
    chain = seat.player.chain
    assert len(chain.entries) > len(seat.scene.log)  # the move was heard all the same
    assert len(chain.records) <= MOST_RECORDS
    assert seat.player.ledger.path.stat().st_size < 100_000


@pytest.mark.slow
async def test_talk_is_shown_no_faster_than_it_is_heard(tmp_path, autojump_clock):
    seat = Seat(tmp_path)
    await flooded(seat, chat)
    heard = zip(seat.player.times, seat.player.news, strict=True)
    times = [when for when, piece in heard if isinstance(piece, TalkHeard)]
    rate, burst = RATES[Kind.CHAT]
    assert len(times) == FLOOD
    assert all(
        late - early >= 1 / rate - 0.001
        for early, late in zip(times, times[burst:], strict=False)
    )


async def test_talk_before_the_greeting_is_not_heard(tmp_path, autojump_clock):
    """The held back frames would have no pace, and wait for the person."""
    seat = Seat(tmp_path)
    ends = await links()
    malice = Malice(seat.scene, ends[seat.scene.seat])

    async def misbehave() -> None:
        for number in range(FLOOD):
            await malice.link.send(chat(malice, number))
            await malice.link.send(ping(malice, number))
        await malice.follow()
        await malice.link.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(misbehave)
        await seat.play(ends[seat.victim.seat])
    assert len(seat.player.chain.entries) == len(seat.scene.log)
    assert seat.player.told(TalkHeard) == []


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
    """After the greetings the peer reads no more, and pings."""
    seat = Seat(tmp_path, cheats.SECOND())
    ends = await links(lockstep_stream_pair())
    malice = Malice(seat.scene, ends[1])

    async def ping_on() -> None:
        await malice.follow()
        await malice.link.send(Frame(Kind.MSG, seat.scene.honest.encoded))
        with suppress(LinkError):
            while True:
                await ends[1].send(Frame(Kind.PING))
                await trio.sleep(1)

    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ping_on)
        await seat.play(ends[0])
        nursery.cancel_scope.cancel()
    assert trio.current_time() - begun <= LOST_AFTER + 11
    assert isinstance(seat.player.ending, Interrupted)


@pytest.mark.parametrize("number", [0, 1])
async def test_guest_without_a_greeting_is_given_up(tmp_path, autojump_clock, number):
    ends = await links()
    ledger = Copy.begin(tmp_path, number, "silence", ends[number].binding).ledger
    begun = trio.current_time()
    terms = Terms("Mina", "matcha", "2015", open_book=False)
    player = await introduce(ledger, terms, ends[number])
    await player.run()
    assert trio.current_time() - begun == GREETING_LIMIT
    assert isinstance(player.ending, Interrupted)
    assert not ledger.path.exists()
