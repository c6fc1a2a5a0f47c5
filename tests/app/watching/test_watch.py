"""The command that watches, against a host over loopback: kept files and messages."""

from dataclasses import replace

import pytest
import trio

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.watching.watch import LineTeller, Spectator, WatchWish, watch
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.store.home import Home
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.watching import watch_client
from matcha_p2p.watching.publish import publish
from matcha_p2p.watching.watch_client import SightTold
from matcha_p2p.watching.watch_host import WatchHost
from matcha_p2p.wire.watching import Dismissal, Visibility
from tests.watch_times import watch_invite
from tests.watching.games import chains
from tests.watching.test_sockets import door

pytestmark = pytest.mark.slow


async def watched(ann, home, shown, end, after="You see each move at once"):
    """Let Ann watch ``shown``; return the exit code.

    end: the host's action on its watch_host, after Ann has read ``after``.
    """
    watch_host, codes = WatchHost(1), []

    async def look_on(invite):
        codes.append(await watch(ann.screen, home, "Ann", ann.ask, None, WatchWish(invite)))

    with trio.fail_after(30):
        async with door(watch_host) as invite, trio.open_nursery() as nursery:
            watch_host.show(shown)
            nursery.start_soon(look_on, invite)
            await ann.screen.until(after)
            end(watch_host)
    (code,) = codes
    return code


def dismissing(why):
    return lambda watch_host: watch_host.close(why)


def hang_up(watch_host):
    for seat in watch_host._seats.values():
        seat.scope.cancel()


def kept(home):
    """Return the content of the only stored game."""
    (file,) = home.games.glob("*.matcha")
    return file.read_bytes()


async def test_a_game_that_was_seen_to_its_end_is_kept(ann, tmp_path):
    home, whole = Home.find(tmp_path / "home"), chains()[-1]
    shown = publish(whole, Visibility.AT_ONCE)
    assert await watched(ann, home, shown, dismissing(Dismissal.DONE)) == Exit.DONE
    assert kept(home) == whole.transcript
    assert "is not kept" not in ann.screen.text


async def test_entry_after_the_end_is_reported_and_the_game_is_kept(ann, tmp_path):
    home, whole = Home.find(tmp_path / "home"), chains()[-1]
    shown = publish(whole, Visibility.AT_ONCE)
    surplus = replace(shown, entries=(*shown.entries, shown.entries[5]), count=shown.count + 1)
    assert await watched(ann, home, surplus, dismissing(Dismissal.DONE)) == Exit.DONE
    assert kept(home) == encode_archive(
        [each.encoded for each in shown.entries], [], shown.roster
    )
    assert "After the end of the game the host sent a message" in ann.screen.text
    assert "is not kept" not in ann.screen.text


async def test_decided_game_is_kept_though_the_host_is_gone(ann, tmp_path, monkeypatch):
    monkeypatch.setattr(watch_client, "AWAY_LIMIT", 0.0)
    home, shown = Home.find(tmp_path / "home"), publish(chains()[-2], Visibility.AT_ONCE)
    assert await watched(ann, home, shown, hang_up, after=" wins: ") == Exit.DONE
    report = verify_transcript(kept(home))
    assert (report.verdict, len(report.accepted)) == (Verdict.DECIDED, shown.count)


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (Dismissal.LATER, "watch-left"),
        (Dismissal.DONE, "watch-unshown"),
        (Dismissal.CLOSED, "watch-closed"),
    ],
)
async def test_watching_a_part_of_a_game_keeps_nothing_and_is_told(ann, tmp_path, why, code):
    home, half = Home.find(tmp_path / "home"), chains()[len(chains()) // 2]
    with pytest.RaisesGroup(
        pytest.RaisesExc(CommandError, check=lambda error: error.code == code),
        allow_unwrapped=True,
        flatten_subgroups=True,
    ):
        await watched(ann, home, publish(half, Visibility.AT_ONCE), dismissing(why))
    assert "You watched only a part of the game, so nothing is saved." in ann.screen.text
    assert not list(home.games.glob("*"))


def test_flood_of_sights_is_said_once(ann):
    chain = chains()[-1]
    spectator, teller = Spectator(watch_invite(4718), "Ann"), LineTeller(ann.screen)
    for sight in [Visibility.AT_ONCE, Visibility.LATER] * 500:
        spectator._hear(SightTold(sight))
        teller.tell_state(spectator)
    assert ann.screen.text.splitlines() == ["You see each move at once."]
    spectator.game.take(Frame(Kind.ROSTER, chain.roster.encoded))
    spectator.game.take(Frame(Kind.MSG, chain.entries[0].encoded))
    teller.tell_state(spectator)
    assert ann.screen.text.splitlines()[1] == "You see each round when it is over."
