"""Every cheat of the protocol's list, by a malicious peer over TCP against a whole program."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import Check
from matcha_p2p.games.matcha.table.view import look
from matcha_p2p.table import greeting
from matcha_p2p.table.table import Table, next_due
from tests.cheats.catalogue import CHEATS
from tests.cheats.scene import Cheat, Scene
from tests.hostile.malice import Malice, Victim, attack

pytestmark = pytest.mark.slow

REFUSED_BY_LENGTH = 1
"""The row of oversized frames: the link ends, and no seat can be accused."""

OF_THE_FUTURE = "a version of the future"
"""No honest host of today proposes the version that this guest agrees to."""


@dataclass
class Expected:
    """How the honest side refuses a cheat, and after how many entries."""

    check: Check
    entry: int
    seat: int | None


def answers_first(scene: Scene) -> bool:
    """Tell whether the honest side says something before it can hear the cheat."""
    due = next_due(scene.state) if isinstance(scene.state, Table) else None
    if due is None:  # the greetings are under way: whoever is not to cheat has spoken
        return len(scene.log) == 1 and scene.log[0].seat == scene.seat
    if due.seat == scene.seat:
        return False
    return not due.decision or len(look(scene.peer, scene.table, ()).legal_moves()) == 1


def expected(cheat: Cheat, scene: Scene) -> Expected:
    """Return the catalogue's finding, one place later if the honest side speaks first."""
    place = len(scene.log)
    seat = scene.seat if cheat.row.attributed else None
    if not answers_first(scene):
        return Expected(cheat.row.check, place, seat)
    if cheat.row.check is Check.FORK:
        return Expected(Check.FORK, place + 1, seat)
    return Expected(Check.CHAIN, place + 1, None)


PLAYED = [
    cheat
    for cheat in CHEATS
    if cheat.row.number != REFUSED_BY_LENGTH and cheat.name != OF_THE_FUTURE
]


@pytest.mark.parametrize("cheat", PLAYED, ids=str)
async def test_program_stops_at_the_cheat_and_keeps_the_evidence(cheat, tmp_path, monkeypatch):
    scene = cheat.row.scene()
    if scene.log:  # where the scene's honest host speaks a version of the future, so does ours
        monkeypatch.setattr(greeting, "VERSIONS", tuple(scene.log[0].fields[0][2]))
    victim, malice = await attack(scene, cheat.make(scene), tmp_path)
    wanted = expected(cheat, scene)
    if malice.over:
        has_no_effect(victim, malice, wanted)
    elif wanted.seat is None:
        costs_a_link(victim, malice)
    else:
        is_convicted(victim, malice, wanted)


def costs_a_link(victim: Victim, malice: Malice) -> None:
    """Check the end of the link alone: the frame is unsigned, and the game can go on.

    A seat that has signed nothing forgets the game.
    """
    signed = malice.said > 0
    assert victim.error.exit_code == (Exit.INTERRUPTED if signed else Exit.DECLINED)
    assert malice.aborts == []
    assert len(victim.journals) == signed
    assert list(victim.folder.glob("games/*")) == []


def is_convicted(victim: Victim, malice: Malice, wanted: Expected) -> None:
    assert victim.error.exit_code == Exit.VIOLATED
    if malice.met:  # before, nobody knows the game of which an ABORT would be
        assert victim.out.one("broken") == {"check": wanted.check.value, "seat": wanted.seat}
        assert malice.aborts == [wanted.check]
    told = victim.out.one("evidence")
    assert (told["check"], told["entry"]) == (wanted.check.value, wanted.entry)
    assert told["path"].endswith(".dispute")
    report = verify_transcript(Path(told["path"]).read_bytes())
    verdict = Verdict.FORK if wanted.check is Check.FORK else Verdict.INVALID
    assert report.verdict is verdict
    failure = report.failure
    assert (failure.check, failure.entry, failure.seat) == (
        wanted.check,
        wanted.entry,
        wanted.seat,
    )
    assert victim.journals == []


def has_no_effect(victim: Victim, malice: Malice, wanted: Expected) -> None:
    """Hold to the end that both have signed; a false key is evidence, told and kept apart."""
    assert victim.error is None
    told = victim.out.one("transcript")
    assert verify_transcript(Path(told["path"]).read_bytes()).verdict is Verdict.COMPLETE
    if wanted.check is Check.TURN or wanted.seat is None:
        assert malice.aborts == []
        return
    assert malice.aborts == [wanted.check]
    assert victim.out.one("broken") == {"check": wanted.check.value, "seat": wanted.seat}
    evidence = Path(victim.out.one("evidence")["path"]).read_bytes()
    assert verify_transcript(evidence).failure.check is wanted.check


async def test_a_frame_too_large_ends_the_link_and_accuses_nobody(tmp_path):
    """Lengths travel in clear: an attacker on the path could have altered a length."""
    (cheat,) = (cheat for cheat in CHEATS if cheat.row.number == REFUSED_BY_LENGTH)
    scene = cheat.row.scene()
    victim, malice = await attack(scene, cheat.make(scene), tmp_path)
    assert victim.error.exit_code == Exit.INTERRUPTED
    assert "altered bytes" in str(victim.error)
    assert malice.aborts == []
    assert len(victim.journals) == 1
