"""Cheats with SYNC, rows 44 and 45, and other lies about a game that is taken up again."""

from pathlib import Path

import pytest
import trio

from matcha_p2p.cli.outcomes import Exit
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.review.verify import Verdict, verify_transcript
from matcha_p2p.session.chain import Chain
from matcha_p2p.transcript.sync import parse_sync, sign_sync
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.talk import Farewell, encode_farewell
from tests.cheats import chain as cheats
from tests.hostile.malice import PSK, Malice, Victim, attack
from tests.loopback import meet

OTHER_HEAD = H("no head of this game")


async def interrupted(folder: Path) -> Victim:
    """Return an honest side whose game was cut off after some moves."""
    scene = cheats.JUST_SAID()
    victim, _ = await attack(scene, cheats.too_large(scene), folder)
    assert victim.error.code == Exit.INTERRUPTED
    return victim


async def resumed(victim: Victim, lie) -> Malice:
    """Let the honest side take up its game, on a link to a peer that does ``lie(malice)``."""
    scene = victim.scene
    ends = await meet(PSK)
    malice = Malice(scene, ends[scene.seat])

    async def misbehave() -> None:
        await lie(malice)
        await malice.until_shown_out()

    chain = await trio.to_thread.run_sync(Chain.open, victim.journals[0])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(misbehave)
        await victim.play(chain, ends[victim.seat])
    return malice


async def announce(
    malice: Malice,
    length: int,
    head: bytes,
    *,
    binding: bytes | None = None,
    gid: bytes | None = None,
) -> None:
    """Say in a SYNC how far the own copy goes."""
    scene = malice.scene
    sync = sign_sync(
        gid or scene.table.gid,
        length,
        head,
        binding or malice.link.binding,
        scene.player.secrets.session,
    )
    await malice.link.send(Frame(Kind.SYNC, sync))


def convicts(victim: Victim, check: Check, seat: int | None) -> None:
    assert victim.error.code == Exit.VIOLATED
    report = verify_transcript(Path(victim.out.one("evidence")["path"]).read_bytes())
    assert (report.failure.check, report.failure.seat) == (check, seat)
    assert report.verdict is (Verdict.FORK if check is Check.FORK else Verdict.INVALID)


async def test_a_message_that_is_said_to_be_missing_and_made_anew_is_a_fork(tmp_path):
    """Row 44: the peer claims another chain, and shows it."""
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        await announce(malice, len(malice.scene.log), OTHER_HEAD)
        await malice.utter(cheats.old_fork(malice.scene))

    malice = await resumed(victim, lie)
    convicts(victim, Check.FORK, malice.scene.seat)
    assert malice.aborts == [Check.FORK]


@pytest.mark.parametrize("more", [1, 10**9])
async def test_entries_that_were_announced_have_to_follow(tmp_path, more):
    """Row 44: the head is on no chain; what comes instead of the entries ends the game."""
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        await announce(malice, len(malice.scene.log) + more, OTHER_HEAD)
        await malice.utter(cheats.older_prev(malice.scene))

    malice = await resumed(victim, lie)
    convicts(victim, Check.CHAIN, None)
    assert malice.aborts == [Check.CHAIN]


@pytest.mark.parametrize("more", [0, 1])
async def test_no_move_is_asked_for_before_the_announced_length_is_reached(tmp_path, more):
    """A peer that announces too much stops the game, as one does that is silent."""
    victim = await interrupted(tmp_path)
    victim.out.told.clear()

    async def lie(malice: Malice) -> None:
        head = OTHER_HEAD if more else malice.scene.log[-1].id
        await announce(malice, len(malice.scene.log) + more, head)
        sync = parse_sync((await malice.hear(Kind.SYNC)).payload, malice.link.binding)
        for entry in malice.scene.log[sync.length :]:
            await malice.link.send(Frame(Kind.MSG, entry.encoded))
        await malice.link.send(Frame(Kind.BYE, encode_farewell(Farewell.LATER)))

    malice = await resumed(victim, lie)
    assert malice.said == 0
    assert victim.error.code == Exit.INTERRUPTED
    assert ("due" in [event for event, _ in victim.out.told]) == (more == 0)


@pytest.mark.parametrize(
    ("change", "check"),
    [({"binding": bytes(32)}, Check.SIG), ({"gid": bytes(32)}, Check.RESUME)],
    ids=["another link", "another game"],
)
async def test_a_sync_of_another_link_or_game_ends_no_game(tmp_path, change, check):
    """Row 45. Nothing convicts anybody, and the game stays as it was."""
    victim = await interrupted(tmp_path)

    async def lie(malice: Malice) -> None:
        scene = malice.scene
        await announce(malice, len(scene.log), scene.log[-1].id, **change)

    malice = await resumed(victim, lie)
    assert victim.error.code == Exit.VIOLATED
    assert len(victim.journals) == 1
    assert not list(tmp_path.glob("games/*"))
    assert malice.aborts == [check]
