"""Cheats with SYNC, rows 44 and 45, and other lies about a game that is taken up again."""

from pathlib import Path

import pytest
import trio

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.session import chain
from matcha_p2p.session.chain import MOST_RECORDS
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.names import EntryId, GameId
from matcha_p2p.wire.record import parse_record, sign_record
from matcha_p2p.wire.statements import Sync
from matcha_p2p.wire.talk import Farewell, encode_farewell
from matcha_p2p.wire.words import parse_ask, sign_here
from tests.cheats import chain as cheats
from tests.harness import BINDING, Copy, last_choice, pair, tcp_links
from tests.hostile.malice import Malice, Victim, attack

OTHER_HEAD = EntryId(H("no head of this game"))


async def interrupted(folder: Path) -> Victim:
    """Return an honest side whose game was cut off after several moves."""
    scene = cheats.JUST_SAID()
    victim, _ = await attack(scene, cheats.too_large(scene), folder)
    assert victim.error.exit_code == Exit.INTERRUPTED
    return victim


async def resumed(victim: Victim, lie) -> Malice:
    """Let the honest side resume the game, on a link to a peer that does ``lie(malice)``."""
    ends = await tcp_links()
    malice = Malice(victim.scene, ends[victim.scene.seat])
    victim.out.told.clear()

    async def misbehave() -> None:
        await lie(malice)
        await malice.until_shown_out()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(misbehave)
        await victim.resume(ends[victim.seat])
    return malice


async def announce(
    malice: Malice,
    length: int,
    head: EntryId,
    *,
    resigned: bool = False,
    binding: bytes | None = None,
    gid: GameId | None = None,
) -> None:
    """Say in a SYNC how far the own copy goes."""
    scene = malice.scene
    seed = scene.player.secrets.session
    sync = Sync(length, binding or malice.link.binding, resigned)
    record = sign_record(gid or scene.table.gid, scene.seat, head, sync, seed)
    await malice.link.send(Frame(Kind.SYNC, record.encoded))


async def answer(malice: Malice) -> None:
    """Answer the question of the honest side's program with the newest entry of its seat."""
    scene, rid = malice.scene, malice.scene.states[0].roster.id
    keys = [seat.session_key for seat in scene.states[0].roster.seats]
    ask = parse_ask((await malice.hear(Kind.ASK)).payload, rid, keys)
    last = next(entry for entry in reversed(scene.log) if entry.seat == ask.seat)
    here = sign_here(rid, scene.seat, ask, 0, (last, None), scene.player.secrets.session)
    await malice.link.send(Frame(Kind.HERE, here.encoded))


def convicts(victim: Victim, check: Check, seat: int | None) -> None:
    assert victim.error.exit_code == Exit.VIOLATED
    report = verify_transcript(Path(victim.out.one("evidence")["path"]).read_bytes())
    assert (report.failure.check, report.failure.seat) == (check, seat)
    assert report.verdict is (Verdict.FORK if check is Check.FORK else Verdict.INVALID)


def goes_on(victim: Victim, malice: Malice) -> None:
    """Nobody is accused, nothing is stored, and the game can be resumed."""
    assert malice.aborts == []
    assert victim.error.exit_code == Exit.INTERRUPTED
    assert len(victim.journals) == 1
    assert not list(victim.folder.glob("games/*"))


async def test_a_message_that_is_said_to_be_missing_and_made_anew_is_a_fork(tmp_path):
    """Row 44: the peer shows another message in the place of a signed message."""
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        length = len(malice.scene.log)
        await announce(malice, length, malice.scene.log[-1].id)
        await malice.utter(cheats.old_fork(malice.scene))

    malice = await resumed(victim, lie)
    convicts(victim, Check.FORK, malice.scene.seat)
    assert malice.aborts == [Check.FORK]


async def test_sync_against_an_own_entry_convicts_its_author(tmp_path):
    """Row 44: the peer announces another chain of the length of its last entry."""
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        await announce(malice, len(malice.scene.log), OTHER_HEAD)

    scene = victim.scene
    assert scene.log[-1].seat == scene.seat
    malice = await resumed(victim, lie)
    convicts(victim, Check.SYNC, scene.seat)
    assert malice.aborts == [Check.SYNC]


@pytest.mark.parametrize("more", [1, 1000])
async def test_other_message_in_place_of_announced_entries_ends_the_link_and_no_game(
    tmp_path, more
):
    """Row 44: no chain has the announced head, and the entries sent next have other places."""
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        await announce(malice, len(malice.scene.log) + more, OTHER_HEAD)
        await malice.utter(cheats.older_prev(malice.scene))

    malice = await resumed(victim, lie)
    goes_on(victim, malice)
    assert "does not belong to this game" in str(victim.error)


@pytest.mark.parametrize("more", [0, 1])
async def test_a_program_started_again_asks_for_no_move_before_the_announced_length(
    tmp_path, more
):
    """The seat cannot know that the announced entries are foreign; the lie is kept."""
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        head = OTHER_HEAD if more else malice.scene.log[-1].id
        await announce(malice, len(malice.scene.log) + more, head)
        await answer(malice)
        await malice.hear(Kind.SYNC)
        await malice.link.send(Frame(Kind.BYE, encode_farewell(Farewell.LATER)))

    malice = await resumed(victim, lie)
    assert malice.said == 0
    goes_on(victim, malice)
    assert ("due" in [event for event, _ in victim.out.told]) == (more == 0)
    ledger = Ledger.open(victim.journals[0])
    ledger.close()
    report = verify_transcript(ledger.chain.transcript)
    assert report.verdict is Verdict.UNFINISHED
    assert report.waiting == (malice.scene.seat if more else victim.seat)


async def test_waiting_in_vain_for_announced_entries_is_told_and_needs_another_link(
    tmp_path, no_threads, autojump_clock
):
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        await announce(malice, len(malice.scene.log) + 3, OTHER_HEAD)

    malice = await resumed(victim, lie)
    assert victim.out.one("withheld") == {"count": 3}
    goes_on(victim, malice)


async def test_announced_resignation_that_never_comes_names_the_awaited_seat(
    tmp_path, no_threads, autojump_clock
):
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        log = malice.scene.log
        await announce(malice, len(log), log[-1].id, resigned=True)

    malice = await resumed(victim, lie)
    assert victim.out.one("withheld") == {"count": 1}
    goes_on(victim, malice)
    ledger = Ledger.open(victim.journals[0])
    ledger.close()
    assert verify_transcript(ledger.chain.transcript).waiting == malice.scene.seat


async def test_a_peer_that_does_not_say_how_far_it_is_is_given_up(
    tmp_path, no_threads, autojump_clock
):
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        await malice.link.send(Frame(Kind.PING))

    malice = await resumed(victim, lie)
    goes_on(victim, malice)
    assert "how far" in str(victim.error)


@pytest.mark.parametrize(
    "change",
    [{"binding": bytes(32)}, {"gid": bytes(32)}],
    ids=["another link", "another game"],
)
async def test_a_sync_of_another_link_or_game_ends_the_link_and_no_game(
    tmp_path, change, no_threads, autojump_clock
):
    """Row 45. Nobody is convicted, and the game stays unchanged."""
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        scene = malice.scene
        await announce(malice, len(scene.log), scene.log[-1].id, **change)

    malice = await resumed(victim, lie)
    goes_on(victim, malice)


async def test_our_own_sync_led_back_to_us_ends_the_link_and_no_game(tmp_path):
    """A stranger between the two sends our own frames back; this needs no secret."""
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        sync = await malice.hear(Kind.SYNC)
        assert isinstance(parse_record(sync.payload).statement, Sync)
        await malice.link.send(sync)

    malice = await resumed(victim, lie)
    goes_on(victim, malice)


async def test_a_sync_in_the_frame_of_a_record_ends_the_link_and_no_game(
    tmp_path, no_threads, autojump_clock
):
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        scene = malice.scene
        await announce(malice, len(scene.log), scene.log[-1].id)
        sync = Sync(len(scene.log), malice.link.binding)
        seed = scene.player.secrets.session
        record = sign_record(scene.table.gid, scene.seat, scene.log[-1].id, sync, seed)
        await malice.link.send(Frame(Kind.REC, record.encoded))

    malice = await resumed(victim, lie)
    goes_on(victim, malice)


def announced(length: int, head: EntryId, of: Copy) -> bytes:
    """Return a SYNC of ``of`` with arbitrary claims."""
    gid, seed = of.chain.table.gid, of.chain.secrets.session
    return sign_record(gid, of.chain.seat, head, Sync(length, BINDING), seed).encoded


def test_lie_is_kept_after_any_number_of_true_announcements(tmp_path, monkeypatch):
    """Row 44: without the lie, the file would blame the honest seat for the waiting."""
    monkeypatch.setattr(chain, "MOST_RECORDS", 3)
    host, guest = pair(tmp_path)
    shown = 0
    while shown <= 3 or next_due(host.chain.table).seat != host.chain.seat:
        author = (host, guest)[next_due(host.chain.table).seat]
        seen = author.chain.view
        words = author.follow() if seen is None else author.decide(last_choice(author))
        if author is host:
            guest.hear(words)
            continue
        host.hear_sync(guest.chain.sync(BINDING))
        host.hear(words)
        shown += 1
    host = host.reopened()
    length = len(host.chain.entries) + 1
    host.hear_sync(announced(length, OTHER_HEAD, guest))
    report = verify_transcript(host.chain.transcript)
    assert (report.verdict, report.waiting) == (Verdict.UNFINISHED, guest.chain.seat)


def test_one_announcement_is_kept_once_and_few_in_all(tmp_path):
    """On each new link comes another record without news."""
    host, guest = pair(tmp_path)
    length = len(host.chain.entries) + 1
    for number in range(3 * MOST_RECORDS):
        head = H("a lie", bytes([number // 3]))
        host.hear_sync(announced(length, head, guest))
    assert len({record.head for record in host.chain.records}) == MOST_RECORDS
    assert len(host.chain.records) == MOST_RECORDS
