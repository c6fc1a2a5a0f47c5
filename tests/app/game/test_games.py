"""Whole games between real processes."""

import json
import signal
import sys

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.transport.codes.invite import Invite
from tests.processes import Matcha, answer, clean_run, host, join


def transcript_of(peer: Matcha) -> bytes:
    (fact,) = peer.facts("transcript")
    (path,) = peer.home.glob("games/*")
    assert fact["path"] == str(path)
    assert path.stat().st_mode & 0o777 == 0o644
    return path.read_bytes()


@pytest.mark.slow
def test_two_bots_with_open_books_leave_one_transcript_and_no_secrets(tmp_path):
    """The same seed gives the same bots, but never the same cards."""
    bot = ("--play", "greedy", "--open-book", "--seed", "1")
    with host(tmp_path / "a", *bot, "--edition", "2020") as first:
        invite = first.until("invite")["invite"]
        assert [str(each.address) for each in Invite.parse(invite).endpoints] == ["127.0.0.1"]
        with join(tmp_path / "b", invite, "--open-book") as second:
            assert (first.end(), second.end()) == (0, 0)
    report = verify_transcript(transcript_of(first))
    assert report.verdict is Verdict.COMPLETE
    assert verify_transcript(transcript_of(second)).verdict is Verdict.COMPLETE
    assert set(report.exposed) == {0, 1}
    for peer in (first, second):
        assert {fact["seat"] for fact in peer.facts("exposed")} == {0, 1}
        assert list((peer.home / "unfinished").iterdir()) == []
    assert first.facts("game-ended") == second.facts("game-ended")
    _exports_everything(first)
    _sees_no_card_of_the_other(first, second)


def _exports_everything(peer: Matcha) -> None:
    (path,) = peer.home.glob("games/*")
    code, stdout, _ = clean_run(peer.home, "export", str(path), "--format", "json")
    assert code == 0
    game = json.loads(stdout)
    assert game["open"] == [True, True]
    result = peer.facts("game-ended")[0]
    assert game["result"]["how"] == result["how"]
    assert game["result"]["winners"] == result["winners"]
    told = [fact["cards"] for fact in peer.facts("hand-seen")]
    assert told == [dealt["hands"][0] for dealt in game["sets"]]


def _sees_no_card_of_the_other(*peers: Matcha) -> None:
    for seat, peer in enumerate(peers):
        for fact in peer.facts("placed"):
            assert (fact["card"] is None) == (fact["seat"] != seat)


@pytest.mark.slow
def test_one_open_book_alone_stays_closed(tmp_path):
    with host(tmp_path / "a", "--play", "uniform", "--open-book", "--edition", "2020") as first:
        invite = first.until("invite")["invite"]
        with join(tmp_path / "b", invite) as second:
            assert (first.end(), second.end()) == (0, 0)
    assert verify_transcript(transcript_of(first)).exposed == {}
    assert transcript_of(first) == transcript_of(second)


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["2015", "2020"])
def test_the_demo_plays_and_verifies(tmp_path, edition):
    code, stdout, _ = clean_run(tmp_path, "demo", "--edition", edition, "--seed", "1", "--json")
    assert code == 0
    facts = [json.loads(line) for line in stdout.splitlines()]
    kinds = [fact["event"] for fact in facts if fact["event"] != "peer"]
    assert sorted(kinds) == ["game-ended", "transcript", "transcript", "verdict", "verdict"]
    assert all(fact["valid"] for fact in facts if fact["event"] == "verdict")
    transcripts = sorted(fact["path"] for fact in facts if fact["event"] == "transcript")
    assert transcripts == sorted(map(str, tmp_path.glob("*/games/*.matcha")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "begins"), [("tichu", "Round 1: Mina, Yuki "), ("kashi", "Settlement 1")]
)
def test_the_demo_of_a_table_tells_how_the_game_goes_and_waits_for_nobody(
    tmp_path, game, begins
):
    words = ("demo", "--game", game, *(("--edition", "round") if game == "tichu" else ()))
    code, stdout, _ = clean_run(tmp_path, *words, "--seed", "1")
    assert code == 0
    assert any(line.startswith(begins) for line in stdout.splitlines())
    code, stdout, _ = clean_run(tmp_path / "facts", *words, "--seed", "1", "--json")
    said = [json.loads(line).get("said", {}) for line in stdout.splitlines()]
    assert code == 0
    assert not [fact for fact in said if fact.get("event") == "window-opened"]


@pytest.mark.slow
def test_the_demo_tells_each_round_as_each_side_sees_it(tmp_path):
    code, stdout, _ = clean_run(tmp_path, "demo", "--edition", "2020", "--seed", "1")
    assert code == 0
    lines = stdout.splitlines()
    begun = next(number for number, line in enumerate(lines) if line.startswith("Round 1"))
    ours, theirs = lines[begun + 1 : begun + 3]
    assert ours.startswith("  Mina sees")
    assert theirs.startswith("  Taro sees")
    assert "[]" not in ours.partition("Taro a:")[0]
    assert "[]" not in theirs.partition("Taro a:")[2]
    assert sum("COMPLETE, valid" in line for line in lines) == 2
    assert max(map(len, lines)) < 160


@pytest.mark.slow
def test_failed_demo_ends_with_the_code_of_the_failure(tmp_path):
    code, _, stderr = clean_run(tmp_path, "demo", MATCHA_ENGINE="abacus")
    assert code == 2
    assert stderr.startswith("Mina failed with exit code 2: MATCHA_ENGINE")


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["2015", "2020"])
def test_a_person_at_a_pipe_plays_a_whole_practice_game(tmp_path, edition):
    words = ("practice", "--edition", edition, "--name", "Mina", "--seed", "5")
    with Matcha(tmp_path, *words) as game:
        while (line := game.line()) is not None:
            typed = answer(line)
            if typed is not None:
                game.type(f"{typed}\n")
        assert game.end() == 0
    (path,) = tmp_path.glob("games/*.matcha")
    assert verify_transcript(path.read_bytes()).verdict is Verdict.COMPLETE


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no ptys")
def test_a_person_at_a_terminal_plays_a_whole_practice_game(tmp_path):
    import pexpect

    words = ["-m", "matcha_p2p", "practice", "--no-banter", "--ui", "line", "--edition", "2020"]
    words += ["--home", str(tmp_path)]
    terminal = pexpect.spawn(sys.executable, words, timeout=30, encoding="utf-8")
    terminal.setwinsize(24, 300)
    while terminal.expect([r"\n> ", "The game is saved", pexpect.EOF]) == 0:
        typed = answer(terminal.before)
        assert typed is not None or "Checked" in terminal.before, terminal.before
        if typed is not None:
            terminal.sendline(typed)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    (path,) = tmp_path.glob("games/*.matcha")
    assert verify_transcript(path.read_bytes()).verdict is Verdict.COMPLETE


@pytest.mark.slow
def test_conceding_ends_the_game_for_both(tmp_path):
    with host(tmp_path / "a") as person:
        invite = person.until("invite")["invite"]
        with join(tmp_path / "b", invite) as bot:
            person.until("due")
            person.type("concede\ny\n")
            assert (person.end(), bot.end()) == (0, 0)
    for peer in (person, bot):
        (result,) = peer.facts("game-ended")
        assert (result["winners"], result["how"]) == ([1], "resigned")
        assert verify_transcript(transcript_of(peer)).verdict is Verdict.RESIGNED


@pytest.mark.slow
def test_when_one_side_dies_the_other_keeps_the_journal(tmp_path):
    """The living side waits until its patience ends, and the game stays resumable."""
    with host(tmp_path / "a", "--patience", "5") as person:
        invite = person.until("invite")["invite"]
        with join(tmp_path / "b", invite) as bot:
            person.until("due", "interrupted")  # on a busy machine patience may end first
            bot.process.kill()
        assert person.end() == 6
    (interrupted,) = person.facts("interrupted")
    assert [str(path) for path in person.unfinished] == [interrupted["journal"]]
    assert person.unfinished[0].stat().st_mode & 0o777 == 0o600
    assert "The game is saved" in person.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are of POSIX")
@pytest.mark.parametrize(
    ("leave", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), ("leave\ny\n", 6), ("", 6)]
)
def test_leaving_is_told_to_the_other_side_and_kept_by_both(tmp_path, leave, code):
    """By signal, by command, and by the end of stdin."""
    with host(tmp_path / "a") as person:
        invite = person.until("invite")["invite"]
        with join(tmp_path / "b", invite) as bot:
            person.until("due")
            if isinstance(leave, signal.Signals):
                person.process.send_signal(leave)
            elif leave:
                person.type(leave)
            else:
                person.process.stdin.close()
            assert person.end() == code
            assert bot.end() == 6
    assert "has left the game." in bot.stderr
    assert len(person.unfinished) == len(bot.unfinished) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are of POSIX")
def test_a_host_that_waits_in_vain_can_be_stopped(tmp_path):
    with host(tmp_path) as waiting:
        waiting.until("waiting")
        waiting.process.send_signal(signal.SIGINT)
        assert waiting.end() == 130
    assert waiting.unfinished == []
