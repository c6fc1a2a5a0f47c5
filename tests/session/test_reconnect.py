"""The search for the peer: where a seat waits, and what it remembers of who has knocked."""

from ipaddress import ip_address
from types import SimpleNamespace

import pytest
import trio
import trio.testing

from matcha_p2p.errors import LinkError
from matcha_p2p.session import reconnect as reunion
from matcha_p2p.session.chain import THEIR_REACH
from matcha_p2p.session.line import Line
from matcha_p2p.session.reconnect import Place, Reunion
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.talk import Reach

PLACE = Place((ip_address("192.0.2.1"),), 4717)


class Street:
    """Every listening socket that a seat has had. taken: the ports that it cannot have."""

    def __init__(self) -> None:
        self.taken: set[int] = set()
        self.ports: list[int] = []
        self.hosts: list[object] = []
        self.keys: list[bytes] = []
        self.memories: list[set[bytes] | None] = []
        self.guests, self.doors = trio.open_memory_channel[str](0)

    async def listen(self, port=None, hosts=None, heard=None):
        await trio.lowlevel.checkpoint()
        if port in self.taken:
            raise LinkError("The port is in use.")
        self.ports.append(port or 5000)
        self.hosts.append(hosts)
        self.memories.append(heard)
        return SimpleNamespace(port=self.ports[-1], accept=self.accept, close=lambda: None)

    async def accept(self, psk: bytes) -> str:
        self.keys.append(psk)
        return await self.doors.receive()


class Game:
    """As much of a session and of its chain as a reunion asks for."""

    seat = 1
    resume_psk = bytes(32)

    def __init__(self) -> None:
        self.reaches = {}
        self.told: list[int] = []
        self.tries: list[tuple[float, int]] = []

    async def met(self) -> None:
        await trio.lowlevel.checkpoint()

    async def dialled(self, tries) -> None:
        self.tries.append((trio.current_time(), tries))

    async def announce(self, reach) -> None:
        await trio.lowlevel.checkpoint()
        self.told.append(reach.port)


@pytest.fixture
def street(monkeypatch):
    street = Street()
    monkeypatch.setattr(reunion, "listen", street.listen)
    return street


async def test_the_door_is_opened_again_and_remembers_who_has_knocked(street):
    game = Game()
    async with trio.open_nursery() as nursery:
        await begin(nursery, game)
        for number in range(3):
            await street.guests.send(f"guest {number}")
            await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert street.ports == [4717] * 4
    assert game.told == [4717]
    assert set(street.keys) == {game.resume_psk}
    assert set(street.hosts) == {PLACE.hosts}
    assert isinstance(street.memories[0], set)
    assert all(memory is street.memories[0] for memory in street.memories)


async def test_a_port_that_somebody_takes_meanwhile_ends_no_game(street):
    """The peer is told where to come now, and that is where the door stays."""
    game = Game()
    async with trio.open_nursery() as nursery:
        await begin(nursery, game)
        street.taken = {4717}
        for number in range(2):
            await street.guests.send(f"guest {number}")
            await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert street.ports == [4717, 5000, 5000]
    assert game.told == [4717, 5000]


async def begin(nursery: trio.Nursery, game: Game) -> None:
    """Let a seat whose line is sound wait at its door."""
    links, _ = trio.open_memory_channel[Link](10)
    _, found = trio.open_memory_channel[Link](0)
    line = Line(found)
    line._calm()
    nursery.start_soon(Reunion(game, game, line, PLACE).run, links)
    await trio.testing.wait_all_tasks_blocked()


@pytest.mark.parametrize("seat", [0, 1])
async def test_a_try_that_hears_nothing_holds_up_no_other(
    street, monkeypatch, autojump_clock, seat
):
    """Four are lost; the fifth is answered, and whatever is still under way is given up."""
    begun, given_up = [], []

    async def dial(*_: object, timeout: float) -> str:  # noqa: ASYNC109 -- as the real one
        begun.append(trio.current_time() - start)
        if len(begun) == 5:
            return "link"
        try:
            await trio.sleep(timeout)
        except trio.Cancelled:
            given_up.append(trio.current_time() - start)
            raise
        raise LinkError("No answer.")

    monkeypatch.setattr(reunion, "dial", dial)
    game = Game()
    game.seat = seat
    game.reaches = {THEIR_REACH: Reach((bytes(4),), 4717)}
    start = trio.current_time()
    links, found = trio.open_memory_channel[Link](1)
    line = Line(found)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Reunion(game, game, line, PLACE).run, links)
        assert await found.receive() == "link"
        line._calm()
        await trio.sleep(60)
        nursery.cancel_scope.cancel()
    first, every = reunion.HOST_YIELDS * (1 - seat), reunion.DIAL_EVERY[seat]
    assert begun == pytest.approx([first + number * every for number in range(5)])
    assert len(given_up) == sum(moment > begun[4] - reunion.DIAL_LIMIT for moment in begun[:4])
    assert given_up == pytest.approx([begun[4]] * len(given_up))
    told = [(when - start, tries) for when, tries in game.tries]
    assert told[0] == (pytest.approx(begun[0]), 1)
    assert told[1:] == [(pytest.approx(begun[4]), 5)] * (1 - seat)  # 6.4 s later, or 1.6 s
