"""A game in memory, watched by friends, strangers and worse."""

from itertools import pairwise

import pytest
import trio
from trio.testing import lockstep_stream_pair

from matcha_p2p.errors import LinkError
from matcha_p2p.session.connection.line import LOST_AFTER
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.watching import watch_host as galleries
from matcha_p2p.watching.publish import publish
from matcha_p2p.watching.watch_client import FIRST_PAUSE, Away, Grown, HostReached, SightTold
from matcha_p2p.wire.watching import Dismissal, Visibility, decode_dismissal
from tests.harness import links
from tests.watching.games import TOKEN, Watcher, chains, come, tichu_chains, watched, whole


async def arrive(watch_host, nursery, first=None):
    """Return the far end of a link of which the watch_host has heard ``first``."""
    near, far = await links()
    nursery.start_soon(watch_host.welcome, near)
    if first is not None:
        await far.send(first)
    return far


async def frames_until(link, kind):
    """Return the frames up to the first of ``kind``."""
    frames = []
    while not frames or frames[-1].kind is not kind:
        frames.append(await link.receive())
    return frames


@pytest.mark.slow
async def test_early_and_late_watchers_end_with_the_same_file():
    steps = chains()
    async with watched(steps[0]) as (watch_host, nursery):
        early = Watcher(watch_host, nursery, b"e" * 16, "Ann")
        late = Watcher(watch_host, nursery, b"l" * 16, "Bo")
        nursery.start_soon(early.run)
        for chain in steps[1:]:
            watch_host.show(publish(chain, Visibility.LATER))
        await early.until(lambda each: each.game.items > (0, 0))
        nursery.start_soon(late.run)
        for watcher in (early, late):
            await watcher.until(lambda each: each.game.over)
        assert watch_host.names == ("Ann", "Bo")
        watch_host.close(Dismissal.DONE)
        with trio.fail_after(5):
            await watch_host.closed()
        for watcher in (early, late):
            await watcher.until(lambda each: each.outcome is not None)
            assert watcher.outcome is Dismissal.DONE
            assert watcher.game.transcript == steps[-1].transcript


@pytest.mark.slow
async def test_watcher_with_a_broken_line_comes_back_and_goes_on(mock_clock):
    mock_clock.rate = 1
    steps = chains()
    async with watched(steps[9]) as (watch_host, nursery):
        watcher = Watcher(watch_host, nursery)
        nursery.start_soon(watcher.run)
        await watcher.until(lambda each: each.game.items == (len(steps[9].entries), 0))
        await watcher.links[0].aclose()
        await watcher.until(lambda each: any(isinstance(news, Away) for news in each.news))
        mock_clock.jump(FIRST_PAUSE)
        watch_host.show(publish(steps[-1], Visibility.AT_ONCE))
        watch_host.close(Dismissal.DONE)
        await watcher.until(lambda each: each.outcome is not None)
        assert watcher.game.transcript == steps[-1].transcript
        kinds = [type(each) for each in watcher.news if not isinstance(each, SightTold)]
        assert kinds.count(HostReached) == 2
        assert kinds.count(Away) == 1
        rosters = 2  # one on each line; no entry comes twice
        assert kinds.count(Grown) == rosters + len(steps[-1].entries) + 1


async def test_number_of_watchers_is_limited():
    async with watched(whole(), most=1) as (watch_host, nursery):
        await arrive(watch_host, nursery, come())
        while not watch_host.names:
            await trio.lowlevel.checkpoint()
        second = await arrive(watch_host, nursery, come(b"u" * 16, "Bo"))
        (frame,) = await frames_until(second, Kind.BYE)
        assert decode_dismissal(frame.payload) is Dismissal.FULL
        assert watch_host.names == ("Ann",)


async def test_returning_watcher_takes_the_seat_of_the_old_link():
    async with watched(whole(), most=1) as (watch_host, nursery):
        first = await arrive(watch_host, nursery, come())
        await frames_until(first, Kind.MSG)
        second = await arrive(watch_host, nursery, come(name="Ann"))
        await frames_until(second, Kind.MSG)
        assert watch_host.names == ("Ann",)


def garbage() -> dict[str, Frame]:
    return {
        "an entry": Frame(Kind.MSG, b"forged"),
        "a record": Frame(Kind.REC, b"forged"),
        "talk": Frame(Kind.WAYS, b"\x92\x00\x90"),
        "a second coming": come(),
        "a goodbye": Frame(Kind.BYE, b"\x91\xa4DONE"),
        "a sync": Frame(Kind.SYNC, b""),
    }


@pytest.mark.parametrize("frame", garbage().values(), ids=garbage())
async def test_watcher_is_dropped_for_any_message_but_ping(frame):
    async with watched(whole()) as (watch_host, nursery):
        link = await arrive(watch_host, nursery, come())
        await frames_until(link, Kind.MSG)
        await link.send(frame)
        while watch_host.names:
            await trio.lowlevel.checkpoint()


async def test_watcher_with_too_many_pings_is_dropped():
    async with watched(whole()) as (watch_host, nursery):
        link = await arrive(watch_host, nursery, come())
        for _ in range(galleries.PINGS[1] + 2):
            await link.send(Frame(Kind.PING))
        while watch_host.names:
            await trio.lowlevel.checkpoint()


@pytest.mark.parametrize(
    "frame",
    [
        Frame(Kind.PING),
        Frame(Kind.COME, b"\x90"),
        come(name="\x1b[31mEve"),
        come(name="E" * 25),
        come(token=b"short"),
        None,
    ],
)
async def test_watcher_without_a_greeting_has_no_seat(autojump_clock, frame):
    """A greeting with terminal commands in the name counts as none."""
    async with watched(whole()) as (watch_host, nursery):
        link = await arrive(watch_host, nursery, frame)
        with pytest.raises(LinkError):
            await link.receive()
        assert watch_host.names == ()


@pytest.mark.slow
async def test_a_watcher_that_takes_nothing_is_dropped_and_holds_nobody_up(mock_clock):
    """The others have all of the game long before."""
    mock_clock.rate = 1
    chain = whole()
    async with watched(chain) as (watch_host, nursery):
        near, far = await links(lockstep_stream_pair())
        nursery.start_soon(watch_host.welcome, near)
        await far.send(come(b"s" * 16, "Slow"))
        watcher = Watcher(watch_host, nursery)
        nursery.start_soon(watcher.run)
        await watcher.until(lambda each: each.game.over)
        assert watch_host.names == ("Slow", "Ann")
        mock_clock.jump(galleries.SEND_LIMIT)
        while watch_host.names != ("Ann",):
            await trio.lowlevel.checkpoint()


async def test_silent_watcher_is_dropped(autojump_clock):
    async with watched(whole()) as (watch_host, nursery):
        link = await arrive(watch_host, nursery, come())
        began = trio.current_time()
        with pytest.raises(LinkError):
            await frames_until(link, Kind.BYE)
        assert trio.current_time() - began >= LOST_AFTER
        while watch_host.names:  # a PING that is under way just then ends the link first
            await trio.lowlevel.checkpoint()


async def test_players_hear_of_coming_and_going_watchers_once_in_five_seconds(autojump_clock):
    """Otherwise a watcher that comes and goes would use up the player's frames of talk."""
    told = []
    async with watched(whole()) as (watch_host, nursery):
        nursery.start_soon(watch_host.report, lambda _: told.append(trio.current_time()))
        for _ in range(40):
            link = await arrive(watch_host, nursery, come())
            await frames_until(link, Kind.MSG)
            await link.aclose()
            await trio.sleep(0.5)
        assert 2 <= len(told) <= 6
        assert all(b - a >= galleries.NOTICE_EVERY for a, b in pairwise(told))


async def test_watching_needs_the_agreement_of_both(autojump_clock):
    async with watched(whole(), sight=Visibility.NOTHING) as (watch_host, nursery):
        watcher = Watcher(watch_host, nursery)
        nursery.start_soon(watcher.run)
        await trio.sleep(30)
        assert watcher.game.items == (0, 0)
        assert SightTold(Visibility.NOTHING) in watcher.news


async def test_closed_door_lets_nobody_in_and_shows_nothing_more():
    steps = chains()
    async with watched(steps[5]) as (watch_host, nursery):
        watch_host.close(Dismissal.CLOSED)
        watch_host.show(publish(steps[-1], Visibility.AT_ONCE))
        watcher = Watcher(watch_host, nursery, TOKEN)
        nursery.start_soon(watcher.run)
        await watcher.until(lambda each: each.outcome is not None)
        assert watcher.outcome is Dismissal.CLOSED
        assert watcher.game.items == (0, 0)


async def frame_times(laid: list[float]) -> list[tuple[Kind, float]]:
    """Return the frames of a round, and when each comes. laid: when the players lay its cards.

    The round ends at second 12.
    """
    steps = chains()
    *hidden, after = (publish(chain, Visibility.LATER) for chain in steps[3:9])
    assert hidden[0].count == hidden[-1].count < after.count
    frames: list[tuple[Kind, float]] = []
    async with watched(steps[3], sight=Visibility.LATER) as (watch_host, nursery):
        link = await arrive(watch_host, nursery, come())
        began = trio.current_time()

        async def note() -> None:
            while True:
                kind = (await link.receive()).kind
                frames.append((kind, round(trio.current_time() - began, 6)))

        nursery.start_soon(note)
        for second, shown in zip([*laid, 12], [*hidden, after], strict=True):
            await trio.sleep_until(began + second)
            watch_host.show(shown)
        await trio.sleep_until(began + 31)
    return frames


async def test_times_of_frames_are_the_same_whenever_cards_are_laid(autojump_clock):
    slowly = await frame_times([2, 4, 6, 8, 11])
    assert slowly == await frame_times([0.5, 0.6, 0.7, 0.8, 0.9])
    assert [kind for kind, _ in slowly].count(Kind.PING) == 31 // galleries.PING_EVERY


async def test_sight_narrowed_in_a_round_of_tichu_shows_no_later_move_of_the_round(
    autojump_clock,
):
    """A seat withdraws a part of its permission: what was shown stays, and no more comes."""
    during = next(chain for chain in tichu_chains() if chain.running == 20)
    place = tichu_chains().index(during)
    counted = next(chain for chain in tichu_chains()[place:] if not chain.running)
    async with watched(during) as (watch_host, nursery):
        link = await arrive(watch_host, nursery, come())
        shown = await frames_within(link, 10)
        assert shown == [entry.encoded for entry in during.entries]
        for later in tichu_chains()[place : place + 15]:
            watch_host.show(publish(later, Visibility.LATER))
        assert await frames_within(link, 10) == []
        watch_host.show(publish(counted, Visibility.LATER))
        rest = await frames_within(link, 10)
        assert shown + rest == [entry.encoded for entry in counted.entries]


async def test_watcher_that_comes_after_the_narrowing_sees_nothing_of_the_round(
    autojump_clock,
):
    during = next(chain for chain in tichu_chains() if chain.running == 20)
    async with watched(during, sight=Visibility.LATER) as (watch_host, nursery):
        link = await arrive(watch_host, nursery, come())
        shown = await frames_within(link, 10)
    before = next(chain for chain in tichu_chains() if chain.running)
    assert shown == [entry.encoded for entry in before.entries[:-1]]


async def frames_within(link, seconds):
    """Return the payloads of the entries that come within so many seconds."""
    heard = []
    with trio.move_on_after(seconds):
        while True:
            frame = await link.receive()
            if frame.kind is Kind.MSG:
                heard.append(frame.payload)
    return heard
