"""The line: one link after another, and waiters for trouble hear of trouble."""

from contextlib import asynccontextmanager, suppress

import pytest
import trio
import trio.testing

from matcha_p2p.errors import LinkError
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection import line as line_module
from matcha_p2p.session.connection.changes import (
    Arrived,
    LineDown,
    LineHeard,
    LineItem,
    LineQuiet,
    LineUp,
)
from matcha_p2p.session.connection.line import LOST_AFTER, QUIET_AFTER, TAKEN_IN, Connection
from matcha_p2p.session.series import Connections
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from tests.harness import links

PEER = Seat(1)


@asynccontextmanager
async def line_up(room: int = 0, pair=None):
    """Yield a line on a link, the line's news, and both ends of the link."""
    near, far = await links(pair)
    give, found = trio.open_memory_channel[Link](1)
    await give.send(near)
    line = Connection(found, PEER)
    post, inbox = trio.open_memory_channel[LineItem](room)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(line.run, post.send)
        assert await inbox.receive() == LineUp(near.binding, near.remote, PEER)
        yield line, inbox, near, far
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def pinging(link: Link):
    """Send a ping each second."""

    async def ping_on() -> None:
        with suppress(LinkError):
            while True:
                await link.send(Frame(Kind.PING))
                await trio.sleep(1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ping_on)
        yield nursery
        nursery.cancel_scope.cancel()


async def test_trouble_after_a_replaced_link_is_told_to_the_earlier_waiter(autojump_clock):
    """A dialler begins to wait on the first link, and must hear that the second link broke."""
    first, _ = await links()
    second, far = await links()
    give, found = trio.open_memory_channel[Link](2)
    line = Connection(found, PEER)
    told = trio.Event()

    async def ignore(item: LineItem) -> None:
        await trio.lowlevel.checkpoint()

    async def dialler() -> None:
        await line.trouble()
        told.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(line.run, ignore)
        await give.send(first)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(dialler)
        await trio.testing.wait_all_tasks_blocked()
        await give.send(second)
        await trio.testing.wait_all_tasks_blocked()
        assert not told.is_set()
        await far.aclose()
        with trio.fail_after(5):
            await told.wait()
        nursery.cancel_scope.cancel()


async def test_both_ends_may_have_more_to_send_than_there_is_room_for(autojump_clock):
    """Without room in the link, each frame of one end must be read at once by the other."""
    many = 50
    heard = [0, 0]

    async def sit(end: int, link: Link) -> None:
        give, found = trio.open_memory_channel[Link](1)
        await give.send(link)
        line = Connection(found, PEER)
        post, inbox = trio.open_memory_channel[LineItem](0)
        nursery.start_soon(line.run, post.send)
        async for item in inbox:
            match item:
                case LineUp(binding):
                    for _ in range(many):
                        await line.send(binding, Frame(Kind.REC, b"x"))
                case Arrived(frame=Frame(kind=Kind.REC)):
                    heard[end] += 1
                case _:
                    pass

    with trio.move_on_after(5):
        async with trio.open_nursery() as nursery:
            for end, link in enumerate(await links(trio.testing.lockstep_stream_pair())):
                nursery.start_soon(sit, end, link)
    assert heard == [many, many]


async def taken(count: int, every: float) -> int:
    """Send ``count`` frames to a receiver that takes a frame ``every`` so many seconds.

    The receiver pings on. Return the number of frames taken.
    """
    heard = 0

    async def take() -> None:
        nonlocal heard
        with suppress(LinkError):
            while True:
                heard += (await far.receive()).kind is Kind.MSG
                await trio.sleep(every)

    lockstep = trio.testing.lockstep_stream_pair()
    async with line_up(10, lockstep) as (line, _, near, far), pinging(far) as nursery:
        nursery.start_soon(take)
        for _ in range(count):
            await line.send(near.binding, Frame(Kind.MSG, bytes(1000)))
        await line.finish()
    return heard


async def test_frames_taken_at_the_last_moment_hold_us_up_for_no_hours(
    autojump_clock,
):
    """The peer has asked for the whole game."""
    begun = trio.current_time()
    assert await taken(100, LOST_AFTER / 3) < 10
    assert trio.current_time() - begun < 2 * LOST_AFTER


async def test_neighbour_that_takes_no_frame_holds_up_no_other_neighbour(autojump_clock):
    """The hub of a table gives each entry to both guests."""
    lockstep = trio.testing.lockstep_stream_pair()
    async with (
        line_up(10, lockstep) as (stalled, _, near_stalled, far_stalled),
        line_up(10) as (sound, _, near, far),
        pinging(far_stalled),
    ):
        hub, begun = Connections([stalled, sound]), trio.current_time()
        for number in range(10):
            for link in (near_stalled, near):
                await hub.send(link.binding, Frame(Kind.MSG, bytes([number])))
        for number in range(10):
            while (frame := await far.receive()).kind is Kind.PING:
                pass
            assert frame == Frame(Kind.MSG, bytes([number]))
        assert trio.current_time() - begun < 1


async def test_link_with_too_many_unsent_frames_ends(autojump_clock, monkeypatch):
    """The peer takes each frame in time, and asks for more than it takes."""
    monkeypatch.setattr(line_module, "MOST_UNSENT", 10)
    lockstep = trio.testing.lockstep_stream_pair()
    async with line_up(10, lockstep) as (line, inbox, near, _):
        for _ in range(12):  # the eleventh is on its way
            await line.send(near.binding, Frame(Kind.MSG, b"x"))
        assert isinstance(await inbox.receive(), LineDown)


@pytest.mark.parametrize("closing", ["hung up", "finished"])
async def test_goodbye_goes_out_after_all_else_before_the_link_is_closed(
    autojump_clock, closing
):
    """The peer takes a second for each frame."""
    heard = list[Frame]()

    async def take() -> None:
        with suppress(LinkError):
            while True:
                await trio.sleep(1)
                heard.append(await far.receive())

    said = [*(Frame(Kind.MSG, bytes([number])) for number in range(5)), Frame(Kind.BYE, b"x")]
    lockstep = trio.testing.lockstep_stream_pair()
    async with line_up(10, lockstep) as (line, inbox, near, far), pinging(far) as nursery:
        nursery.start_soon(take)
        for frame in said:
            await line.send(near.binding, frame)
        if closing == "hung up":
            await line.hang_up(near.binding, "It is over.")
            await line.send(near.binding, Frame(Kind.MSG, b"late"))
            assert await inbox.receive() == LineDown("It is over.", PEER)
        else:
            await Connections([line]).finish()
    assert [frame for frame in heard if frame.kind is not Kind.PING] == said


async def test_goodbye_to_a_peer_that_takes_no_frame_is_given_up(autojump_clock):
    lockstep = trio.testing.lockstep_stream_pair()
    async with line_up(10, lockstep) as (line, _, near, far), pinging(far):
        await line.send(near.binding, Frame(Kind.BYE, b"x"))
        begun = trio.current_time()
        await Connections([line]).finish()
        assert trio.current_time() - begun == LOST_AFTER


async def test_a_line_that_is_merely_slow_carries_the_whole_game(autojump_clock):
    begun = trio.current_time()
    assert await taken(300, TAKEN_IN / 2) == 300
    assert trio.current_time() - begun > LOST_AFTER


async def take_late(far: Link, seconds: float) -> None:
    """Take no frame for ``seconds``, and ping on."""
    async with pinging(far):
        await trio.sleep(seconds)
        with suppress(LinkError):
            while True:
                await far.receive()


@pytest.mark.parametrize("taken", [True, False])
async def test_lateness_on_a_link_that_is_replaced_does_not_count_on_the_next(
    autojump_clock, taken
):
    """The peer takes nothing for 40 s of 45, and dials anew: the new link allows 45 s again.

    taken: whether the peer takes the frames on the first link before the other end closes it.
    """
    late = LOST_AFTER - 5
    give, found = trio.open_memory_channel[Link](1)
    line = Connection(found, PEER)
    post, inbox = trio.open_memory_channel[LineItem](10)
    first, far = await links(trio.testing.lockstep_stream_pair())
    second, other = await links(trio.testing.lockstep_stream_pair())

    async def dial_anew() -> None:
        await trio.sleep(late + 1)
        await give.send(second)
        nursery.start_soon(take_late, other, late)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(line.run, post.send)
        await give.send(first)
        assert await inbox.receive() == LineUp(first.binding, first.remote, PEER)
        nursery.start_soon(take_late, far, late if taken else 10 * late)
        nursery.start_soon(dial_anew)
        await line.send(first.binding, Frame(Kind.MSG, b"x"))
        assert await inbox.receive() == LineUp(second.binding, second.remote, PEER)
        await line.send(second.binding, Frame(Kind.MSG, b"y"))
        with trio.move_on_after(late + 4) as calm:
            await inbox.receive()  # a LineDown, if the link was given up
        assert calm.cancelled_caught
        nursery.cancel_scope.cancel()


async def test_a_machine_that_sleeps_while_it_sends_gives_the_link_up(mock_clock, monkeypatch):
    async def sleep_over_it(_: Frame) -> None:
        mock_clock.jump(86400)

    async with line_up(10) as (line, inbox, near, _):
        with monkeypatch.context() as patch:
            patch.setattr(Link, "send", lambda _, frame: sleep_over_it(frame))
            await line.send(near.binding, Frame(Kind.MSG, b"x"))
            await trio.testing.wait_all_tasks_blocked()
        await line.send(near.binding, Frame(Kind.MSG, b"y"))
        assert isinstance(await inbox.receive(), LineDown)


async def test_a_link_that_we_give_up_goes_down_and_another_one_is_wanted():
    async with line_up() as (line, inbox, near, far):
        await line.hang_up(b"another link", "Why?")
        assert not line.troubled
        await line.hang_up(near.binding, "It lies.")
        assert await inbox.receive() == LineDown("It lies.", PEER)
        assert line.troubled
        with suppress(LinkError):
            while True:
                assert (await far.receive()).kind is Kind.PING


async def test_pings_keep_a_line_and_go_no_further():
    async with line_up() as (_, inbox, near, far):
        await far.send(Frame(Kind.PING))
        await far.send(Frame(Kind.REC, b"x"))
        assert await inbox.receive() == Arrived(near.binding, Frame(Kind.REC, b"x"))


async def test_frame_after_silence_is_told_once(autojump_clock):
    """The peer's program stands still for a while, and goes on."""
    async with line_up() as (line, inbox, near, far):
        assert await inbox.receive() == LineQuiet(QUIET_AFTER, PEER)
        assert line.troubled
        for _ in range(2):
            await far.send(Frame(Kind.PING))
        await far.send(Frame(Kind.REC, b"x"))
        assert await inbox.receive() == LineHeard(PEER)
        assert not line.troubled
        assert await inbox.receive() == Arrived(near.binding, Frame(Kind.REC, b"x"))
