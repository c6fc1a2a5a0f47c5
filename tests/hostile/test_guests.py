"""A peer that floods or does not read slows itself down, and the game goes on."""

from contextlib import suppress
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path

import pytest
import trio
from trio.testing import lockstep_stream_pair

from matcha_p2p.errors import LinkError
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.session.chain import MOST_RECORDS
from matcha_p2p.session.connection.line import LOST_AFTER, RATES
from matcha_p2p.session.news import Interrupted, TalkHeard, Terms, Ungreeted
from matcha_p2p.session.step.links import as_frame
from matcha_p2p.session.step.waits import GREETING_LIMIT, PARTING_LIMIT
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.said import sign_said
from matcha_p2p.wire.statements import Claim, Sync
from matcha_p2p.wire.talk import Farewell, PeerAddresses, Say, encode_farewell, encode_way
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
        self.player = introduce(self.victim.ledger(), terms, link, bot=choose)
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


def talk(malice: Malice, number: int) -> Frame:
    scene, said = malice.scene, Say(f"{number}\x1b[2J" * 500)
    rid, seed = scene.states[0].roster.id, scene.player.secrets.session
    return as_frame(sign_said(rid, scene.seat, (0, number), said, seed))


def ways(malice: Malice, number: int) -> Frame:
    there = Endpoint(IPv4Address("192.0.2.1"), 1024 + number)
    return Frame(Kind.WAYS, encode_way(PeerAddresses((there,))))


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
@pytest.mark.parametrize("flood", [ping, talk, ways, sync, claim, goodbye])
async def test_flood_holds_up_its_sender_and_the_game_goes_on(flood, tmp_path, autojump_clock):
    seat = Seat(tmp_path)
    begun = trio.current_time()
    malice = await flooded(seat, flood)
    rate, burst = RATES[flood(malice, 0).kind]
    assert trio.current_time() - begun >= (FLOOD - burst) / rate - 1
    assert seat.player.ending == Interrupted(f"{NAMES[0]} has left the game.")
    chain = seat.player.chain
    assert len(chain.entries) > len(seat.scene.log)  # the move was heard all the same
    assert len(chain.records) <= MOST_RECORDS
    assert seat.player.ledger.path.stat().st_size < 100_000


@pytest.mark.slow
async def test_talk_is_shown_no_faster_than_it_is_heard(tmp_path, autojump_clock):
    seat = Seat(tmp_path)
    await flooded(seat, talk)
    heard = zip(seat.player.times, seat.player.news, strict=True)
    times = [when for when, piece in heard if isinstance(piece, TalkHeard)]
    rate, burst = RATES[Kind.TALK]
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
            await malice.link.send(talk(malice, number))
            await malice.link.send(ping(malice, number))
        await malice.follow()
        await malice.link.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(misbehave)
        await seat.play(ends[seat.victim.seat])
    assert len(seat.player.chain.entries) == len(seat.scene.log)
    assert seat.player.told(TalkHeard) == []


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


@pytest.mark.parametrize("seat", SEATS)
async def test_missing_greeting_is_told_and_awaited_with_patience(
    tmp_path, autojump_clock, seat
):
    ends = await links()
    terms = Terms(NAMES[seat], "matcha", "2015", open_book=False, patience=60)
    player = introduce(Copy.begin(tmp_path, seat, "silence").ledger, terms, ends[seat])
    begun = trio.current_time()
    await player.run()
    assert player.told(Ungreeted) == [Ungreeted((NAMES[1 - seat],), GREETING_LIMIT)]
    assert trio.current_time() - begun == 60 + PARTING_LIMIT
    assert isinstance(player.ending, Interrupted)
