"""A watcher whose host lies: forged, reordered, doubled, foreign, withheld, endless entries."""

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
import trio

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import Check, CheckError, LinkError, UnknownGameError
from matcha_p2p.session.connection.line import LOST_AFTER
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.watching import watch_client
from matcha_p2p.watching.watch_client import Away, WatchClient, WatchedGame, WatchNews
from matcha_p2p.wire.roster import parse_roster, sign_roster
from matcha_p2p.wire.watching import (
    Dismissal,
    Visibility,
    decode_come,
    encode_dismissal,
    encode_sight,
)
from tests.cheats.scene import played
from tests.harness import links
from tests.watching.games import tichu_chains

TOKEN = bytes(16)
BYE = Frame(Kind.BYE, encode_dismissal(Dismissal.DONE))


def shown(game: str = "short", end: int | None = None) -> list[Frame]:
    """Return the roster and the entries of a whole game, as an honest host shows them."""
    scene = played(game)
    entries = [Frame(Kind.MSG, entry.encoded) for entry in scene.log[:end]]
    return [Frame(Kind.ROSTER, scene.states[0].roster.encoded), *entries]


@dataclass
class Outcome:
    """What became of a watch_client.

    came: the items that the watcher said to have, each time. dialled: when it dialled.
    """

    ending: object
    game: WatchedGame
    news: list[WatchNews]
    came: list[tuple[int, int]]
    dialled: list[float]


async def visited(*shows: list[Frame], end: bool = True) -> Outcome:
    """Watch hosts that show the frames of ``shows``, one link after the other.

    end: whether each host then hangs up, or falls silent.
    """
    game = WatchedGame()
    news: list[WatchNews] = []
    came: list[tuple[int, int]] = []
    dialled: list[float] = []
    ending: Dismissal | Exception
    hosts = iter(shows)

    async def host(link, frames) -> None:
        come = decode_come((await link.receive()).payload)
        came.append((come.entries, come.records))
        for frame in frames:
            await link.send(frame)
        if end:
            await link.aclose()

    async def dial():
        dialled.append(trio.current_time())
        try:
            frames = next(hosts)
        except StopIteration:
            raise LinkError("gone") from None
        near, far = await links()
        nursery.start_soon(host, near, frames)
        return far

    async with trio.open_nursery() as nursery:
        try:
            ending = await WatchClient(dial, TOKEN, "Ann", game, news.append).run()
        except (LinkError, CheckError, UnknownGameError) as error:
            ending = error
        nursery.cancel_scope.cancel()
    return Outcome(ending, game, news, came, dialled)


async def test_an_honest_game_is_taken_whole():
    outcome = await visited([*shown(), BYE])
    assert outcome.ending is Dismissal.DONE
    assert outcome.game.over
    assert outcome.game.report.verdict is Verdict.COMPLETE


def forged(frame: Frame) -> Frame:
    """Return the entry with a bit of its signature turned over."""
    return Frame(frame.kind, frame.payload[:-1] + bytes([frame.payload[-1] ^ 1]))


def of_tichu() -> tuple[Frame, list[Frame]]:
    """Return the roster and the entries of a table of four, as an honest host shows them."""
    chain = tichu_chains()[-1]
    assert chain.state.roster is not None
    entries = [Frame(Kind.MSG, entry.encoded) for entry in chain.entries]
    return Frame(Kind.ROSTER, chain.state.roster.encoded), entries


def signed_anew(roster: Frame, name: str = "tichu", variant: str = "300 plays") -> Frame:
    """Return the roster of another game, signed by the host itself."""
    before = parse_roster(roster.payload)
    game = replace(before.game, name=name, variant=variant)
    seed = tichu_chains()[-1].secrets.session
    return Frame(Kind.ROSTER, sign_roster(before.nonce, game, before.seats, seed).encoded)


async def test_roster_comes_first_and_again_on_each_link(autojump_clock):
    roster, entries = of_tichu()
    outcome = await visited([roster, *entries[:7]], [roster, *entries[7:40], BYE])
    assert outcome.ending is Dismissal.DONE
    assert outcome.game.items == (40, 0)
    assert outcome.game.roster is not None
    assert [seat.name for seat in outcome.game.roster.seats] == [f"seat {n}" for n in range(4)]
    file = verify_transcript(outcome.game.transcript)
    assert (file.verdict, len(file.accepted)) == (Verdict.UNFINISHED, 40)


FALSE_ROSTERS = {
    "none": lambda _, e: (e[:9], 0, Check.ENCODING),
    "forged": lambda r, e: ([forged(r), *e], 0, Check.SIG),
    "garbage": lambda _, e: ([Frame(Kind.ROSTER, b"\xff"), *e], 0, Check.ENCODING),
    "late": lambda r, _: ([*shown()[:5], r, *shown()[5:]], 4, Check.ROSTER),
    "another than before": lambda r, e: (
        [r, *e[:5], signed_anew(r), *e[5:9]],
        5,
        Check.ROSTER,
    ),
    "another than the game's": lambda r, e: (
        [signed_anew(r), *e[:9]],
        0,
        Check.ROSTER,
    ),
    "of two as three": lambda r, e: ([signed_anew(r, name="matcha"), *e[:9]], 0, Check.GAME),
}


@pytest.mark.parametrize("lie", FALSE_ROSTERS.values(), ids=FALSE_ROSTERS)
async def test_false_roster_ends_the_watching(lie):
    frames, sound, check = lie(*of_tichu())
    outcome = await visited([*frames, BYE])
    assert isinstance(outcome.ending, CheckError)
    assert outcome.ending.check is check
    assert outcome.game.items == (sound, 0)


async def test_game_that_is_not_installed_ends_the_watching():
    roster, entries = of_tichu()
    outcome = await visited([signed_anew(roster, name="whist"), *entries[:9], BYE])
    assert str(outcome.ending) == "The game whist is not installed."
    assert outcome.game.items == (0, 0)


LIES = {
    "a forged signature": lambda f: ([*f[:6], forged(f[6])], 5, {Check.SIG}),
    "two in the wrong order": lambda f: ([*f[:6], f[7], f[6]], 5, {Check.CHAIN}),
    "one left out": lambda f: ([*f[:6], f[7]], 5, {Check.CHAIN}),
    "one twice": lambda f: ([*f[:6], f[5]], 5, {Check.CHAIN, Check.TURN, Check.FORK}),
    "one of another game": lambda f: ([*f[:6], shown("long")[6]], 5, {Check.CHAIN, Check.SIG}),
    "garbage": lambda f: ([*f[:6], Frame(Kind.MSG, b"\x91\x00")], 5, {Check.ENCODING}),
    "a record that is none": lambda f: ([*f[:6], Frame(Kind.REC, b"\xc0")], 5, set(Check)),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
async def test_first_invalid_entry_ends_the_watching(lie):
    frames, sound, checks = lie(shown())
    outcome = await visited([*frames, *shown()])
    assert isinstance(outcome.ending, CheckError)
    assert outcome.ending.check in checks
    assert outcome.game.items == (sound, 0)


async def test_withheld_rest_is_no_end_of_the_game(autojump_clock):
    """It is left in the end, and the watcher has no result."""
    outcome = await visited([], end=False)
    assert isinstance(outcome.ending, LinkError)
    (away,) = [news for news in outcome.news if isinstance(news, Away)]
    assert str(round(LOST_AFTER)) in away.why
    assert trio.current_time() >= LOST_AFTER + watch_client.AWAY_LIMIT


async def test_host_that_hangs_up_is_dialled_ever_more_slowly_and_then_given_up(autojump_clock):
    outcome = await visited(*[[Frame(Kind.SIGHT, encode_sight(Visibility.LATER))]] * 700)
    assert isinstance(outcome.ending, LinkError)
    pauses = [b - a for a, b in pairwise(outcome.dialled)]
    assert pauses[0] == pytest.approx(watch_client.FIRST_PAUSE)
    assert pauses == sorted(pauses)
    assert (
        watch_client.AWAY_LIMIT - watch_client.LONGEST_PAUSE
        < sum(pauses)
        <= watch_client.AWAY_LIMIT
    )


async def test_done_without_an_end_is_not_believed():
    outcome = await visited([*shown(end=9), BYE])
    assert outcome.ending is Dismissal.DONE
    assert not outcome.game.over
    assert outcome.game.report.verdict is Verdict.UNFINISHED


async def test_an_endless_game_has_an_end(monkeypatch):
    monkeypatch.setattr(watch_client, "ITEM_LIMIT", 5)
    outcome = await visited(shown())
    assert isinstance(outcome.ending, CheckError)
    assert outcome.ending.check is Check.LIMIT
    assert outcome.game.items == (5, 0)


async def test_earlier_items_are_not_asked_for_again(autojump_clock):
    frames = shown()
    outcome = await visited(frames[:7], [frames[0], *frames[7:], BYE])
    assert outcome.ending is Dismissal.DONE
    assert outcome.came == [(0, 0), (6, 0)]


async def test_a_game_that_is_over_needs_no_goodbye():
    outcome = await visited(shown())
    assert outcome.ending is Dismissal.DONE


@pytest.mark.parametrize(
    "frame", [Frame(Kind.SIGHT, b"\xff"), Frame(Kind.SYNC, b"?"), Frame(Kind.PING)]
)
async def test_frame_without_meaning_to_a_watcher_is_passed_over(frame):
    outcome = await visited([frame, *shown(), BYE])
    assert outcome.ending is Dismissal.DONE
