"""Cheats with the end of a game: what is won stays won, and what convicts is never lost."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import Check, LinkError
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.store.game_list import StoredGame, scores, stored_games
from matcha_p2p.store.home import Home
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Claim, Resign
from tests.cheats import chain as cheats
from tests.cheats.records import CHEATS as FALSE_RECORDS
from tests.cheats.scene import Scene, at, message, utter
from tests.harness import tcp_links
from tests.hostile.malice import Malice, Victim, attack


def is_result_alone(_, entry) -> bool:
    return [action[0] for action in entry.fields] == ["RESULT"]


LOST = at(is_result_alone, "short")
"""The honest side has decided a game, and the cheat has to sign the result."""


def stored(victim: Victim, kind: str = "matcha") -> Path:
    (path,) = victim.folder.glob(f"games/*.{kind}")
    return path


def counts_as_won(victim: Victim) -> None:
    """Find the game stored, decided, with a claim, listed, scored, and fit to be resumed."""
    report = verify_transcript(stored(victim).read_bytes())
    assert report.verdict is Verdict.DECIDED
    assert report.waiting == 1 - victim.seat
    assert [type(record.statement) for record in report.records] == [Claim]
    (game,) = [
        game for game in stored_games(Home.find(victim.folder)) if isinstance(game, StoredGame)
    ]
    score = scores([game])["Mina" if victim.seat == 1 else "Taro"]
    won = report.result.winners == (victim.seat,)
    assert (score.won, score.lost) == ((1, 0) if won else (0, 1))
    assert len(victim.journals) == 1


def wrong_bit(scene: Scene) -> bytes:
    spoilt = bytearray(scene.honest.encoded)
    spoilt[-1] ^= 1
    return message(bytes(spoilt))


@pytest.mark.parametrize(
    "cheat",
    [lambda _: message(b"garbage"), wrong_bit, lambda _: message(b"")],
    ids=["garbage", "a wrong bit", "nothing"],
)
async def test_garbage_instead_of_the_last_signature_takes_no_win_away(tmp_path, cheat):
    scene = LOST()
    victim, malice = await attack(scene, cheat(scene), tmp_path)
    assert victim.error.exit_code == Exit.INTERRUPTED
    assert "The game is decided and counts" in str(victim.error)
    assert malice.aborts == []
    counts_as_won(victim)


async def test_a_result_with_another_winner_is_evidence_and_takes_no_win_away(tmp_path):
    """The win is listed and scored, and the evidence beside it."""
    scene = LOST()
    _, outcome, digest = scene.honest.fields[0]
    other = utter(scene, [["RESULT", [1 - each for each in outcome], digest]])
    victim, malice = await attack(scene, other, tmp_path)
    assert victim.error.exit_code == Exit.VIOLATED
    assert malice.aborts == [Check.RESULT]
    assert verify_transcript(stored(victim).read_bytes()).verdict is Verdict.DECIDED
    failure = verify_transcript(stored(victim, "dispute").read_bytes()).failure
    assert (failure.check, failure.seat) == (Check.RESULT, scene.seat)
    listed = list(stored_games(Home.find(victim.folder)))
    assert sorted(game.disputed for game in listed) == [False, True]
    assert len({game.summary.game for game in listed}) == 1
    (score,) = scores(listed).values()
    report = verify_transcript(stored(victim).read_bytes())
    won = report.result.winners == (victim.seat,)
    assert (score.won, score.lost) == ((1, 0) if won else (0, 1))


async def test_missing_signature_of_the_result_takes_no_win_away(
    tmp_path, no_threads, autojump_clock
):
    scene = LOST()
    ends = await tcp_links()
    victim = Victim(scene, tmp_path)
    malice = Malice(scene, ends[scene.seat])

    async def ping_on() -> None:
        await malice.follow()
        with suppress(LinkError):
            while True:
                await malice.link.send(Frame(Kind.PING))
                await trio.sleep(1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ping_on)
        await victim.play(ends[victim.seat])
        nursery.cancel_scope.cancel()
    await malice.link.aclose()
    assert victim.error.exit_code == Exit.INTERRUPTED
    counts_as_won(victim)


async def test_a_resignation_cannot_be_taken_back(tmp_path):
    """The honest side is told of its win once, and keeps it beside the evidence."""
    scene = cheats.PLAY()
    session = scene.player.secrets.session
    resigned = sign_record(scene.table.gid, scene.seat, scene.log[-1].id, Resign(), session)
    both = encode_frame(Frame(Kind.REC, resigned.encoded)) + message(scene.honest.encoded)
    victim, _ = await attack(scene, both, tmp_path)
    assert victim.error is None
    results = [fields["winners"] for event, fields in victim.out.told if event == "game-ended"]
    assert results == [[victim.seat]]
    assert verify_transcript(stored(victim).read_bytes()).verdict is Verdict.RESIGNED
    failure = verify_transcript(stored(victim, "dispute").read_bytes()).failure
    assert (failure.check, failure.seat) == (Check.RESIGN, scene.seat)


FALSE_BOOKS = [cheat for cheat in FALSE_RECORDS if cheat.row.check is Check.EXPOSE]


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("cheat", FALSE_BOOKS, ids=str)
async def test_a_false_book_after_the_game_is_told_and_takes_no_result_away(
    tmp_path, cheat, seat
):
    """The result stands beside the evidence, and a person reads both."""
    scene = replace(cheat.row.scene(), seat=seat)
    victim, malice = await attack(scene, cheat.make(scene), tmp_path)
    assert victim.error is None
    assert malice.aborts == [Check.EXPOSE]
    broken = victim.out.one("broken")
    assert (broken["check"], broken["seat"]) == (Check.EXPOSE.value, seat)
    assert not [fields for event, fields in victim.out.told if event == "exposed"]
    assert verify_transcript(stored(victim).read_bytes()).verdict is Verdict.COMPLETE
    failure = verify_transcript(stored(victim, "dispute").read_bytes()).failure
    assert (failure.check, failure.seat) == (Check.EXPOSE, seat)
    assert any("broke the protocol" in sentence for sentence in victim.out.said)
    assert victim.journals == []


async def test_evidence_is_told_and_on_disk_before_the_cheat_has_hung_up(tmp_path):
    """The cheat goes on pinging; the program is killed, and has the evidence all the same."""
    scene = cheats.PLAY()
    ends = await tcp_links()
    victim = Victim(scene, tmp_path)
    malice = Malice(scene, ends[scene.seat])

    async def cheat_and_ping() -> None:
        await malice.follow()
        await malice.utter(cheats.two_decisions(scene))
        await malice.hear(Kind.REC)  # its ABORT
        assert victim.out.one("broken")["check"] == Check.GRAMMAR.value
        nursery.cancel_scope.cancel()  # nothing more is done, as in a process that dies

    async with trio.open_nursery() as nursery:
        nursery.start_soon(cheat_and_ping)
        await victim.play(ends[victim.seat])
    assert not list(tmp_path.glob("games/*"))
    ledger = Ledger.open(victim.journals[0])
    ledger.close()
    assert ledger.chain.offence is not None
    victim.out.told.clear()
    await malice.link.aclose()
    await victim.resume(None)
    assert victim.error.exit_code == Exit.VIOLATED
    failure = verify_transcript(stored(victim, "dispute").read_bytes()).failure
    assert (failure.check, failure.seat) == (Check.GRAMMAR, scene.seat)
    assert victim.journals == []


async def test_disputed_game_is_stored_whole(tmp_path):
    """The stored file says all that the journal said, the offence last."""
    scene = cheats.PLAY()
    victim, _ = await attack(scene, cheats.two_decisions(scene), tmp_path)
    report = verify_transcript(stored(victim, "dispute").read_bytes())
    assert [sound.entry.id for sound in report.accepted] == [e.id for e in scene.log]
    assert (
        parse_entry(cheats.two_decisions(scene)[3:]).encoded
        in stored(victim, "dispute").read_bytes()
    )
