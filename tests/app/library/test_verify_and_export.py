"""verify and export, on files good and bad."""

import json
import math
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from matcha_p2p.app import workers
from matcha_p2p.app.library import transcripts
from matcha_p2p.chain.archive import MAGIC, encode_archive, parse_archive
from matcha_p2p.chain.verify import verified_transcript
from matcha_p2p.cli import commands
from matcha_p2p.games import FOLDERS
from matcha_p2p.games.game import late
from matcha_p2p.games.matcha.game import GameOfMatcha
from matcha_p2p.games.matcha.review.game_text import text_of
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.roster import parse_roster
from tests.duel import Duel, chooser, opened, play_out
from tests.games import toy
from tests.vectors import FOLDER


@pytest.fixture(scope="module")
def duel() -> Duel:
    """Return a whole game."""
    choosers = chooser("uniform", "a"), chooser("greedy", "b")
    return play_out(opened("cli files", "2020"), choosers)


@pytest.fixture
def files(duel, tmp_path):
    """Return a folder with whole, cut, altered and foreign files, and without "missing"."""
    entries, roster = [entry.encoded for entry in duel.entries], duel.state.roster
    whole = encode_archive(entries, [], roster)
    swapped = encode_archive([*entries[:4], entries[5], entries[4]], [], roster)
    contents = {
        "whole": whole,
        "unfinished": encode_archive(entries[:5], [], roster),
        "cut": whole[: len(whole) // 2],
        "altered": whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:],
        "swapped": swapped,
        "foreign": b"\x89PNG\r\n" * 100,
        "empty": b"",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    return tmp_path


def run(*words: str | Path) -> Result:
    result = CliRunner().invoke(commands, [str(word) for word in words])
    assert isinstance(result.exception, SystemExit) or result.exception is None
    assert "Traceback" not in result.output
    return result


def verdicts(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("tichu/runs.matcha", ["Points of seat 0, seat 2: ", "Points of seat 1, seat 3: "]),
        ("kashi/three.matcha", [f"Points of seat {seat}: " for seat in range(3)]),
    ],
)
def test_points_of_each_seat_or_team_are_told(file, told):
    lines = run("verify", "-v", FOLDER / file).stdout.splitlines()
    points = [line.strip() for line in lines if "Points of" in line]
    assert [line.rpartition(" ")[0] + " " for line in points] == told


def test_a_whole_game_is_valid(files):
    result = run("verify", "--json", files / "whole")
    assert result.exit_code == 0
    (fact,) = verdicts(result)
    assert fact["event"] == "verdict"
    assert (fact["verdict"], fact["valid"]) == ("COMPLETE", True)
    assert fact["file"] == str(files / "whole")
    assert "check" not in fact
    assert "COMPLETE" in result.stderr


def test_file_is_told_in_one_line_and_its_fault_in_another(files):
    assert len(run("verify", files / "whole").stdout.splitlines()) == 1
    told = run("verify", files / "swapped").stdout.splitlines()
    assert len(told) == 3
    assert "INVALID" in told[0]
    assert "breaks check" in told[1]


@pytest.mark.slow
def test_fault_behind_the_result_leaves_the_result(files):
    late = files / "late"
    late.write_bytes((files / "whole").read_bytes() + encode_frame(Frame(Kind.MSG, b"late")))
    early = files / "swapped"
    told = {file: run("verify", file).stdout for file in (late, early)}
    assert all("INVALID" in lines for lines in told.values())
    assert ["result stands" in told[file] for file in (late, early)] == [True, False]


def test_many_files_are_judged_by_several_processes_and_told_in_order(files, monkeypatch):
    """A bad file and an unreadable file stand in the order of the arguments."""
    monkeypatch.setattr(transcripts, "_QUIET_FOR", math.inf)
    named = ["whole", "swapped", "missing", "unfinished", "whole"]
    monkeypatch.setattr(transcripts, "_QUIET_FOR", math.inf)  # however busy the machine is
    here = run("verify", "--json", *(files / name for name in named))
    monkeypatch.setattr(workers, "MANY", 2)
    monkeypatch.setattr(workers, "cores", lambda: 2)
    there = run("verify", "--json", *(files / name for name in named))
    assert there.stdout == here.stdout
    assert there.stderr == here.stderr
    assert there.exit_code == here.exit_code == 1
    told = [fact.get("verdict") for fact in verdicts(there)]
    assert told == ["COMPLETE", "INVALID", None, "UNFINISHED", "COMPLETE"]


def test_how_far_the_checks_are_is_said_while_they_last(files, monkeypatch):
    monkeypatch.setattr(transcripts, "_QUIET_FOR", 0.0)
    result = run("verify", files / "unfinished", files / "unfinished")
    assert "Files checked: 2." in result.stderr


def test_person_reads_the_players_the_winner_and_the_numbered_checks(files):
    result = run("verify", "-v", files / "whole")
    assert result.exit_code == 0
    shown = ("Seat 1 is Mina.", "Seat 2 is Taro.", "wins (with", " 1 E_LIMIT", "17 E_SHUFFLE")
    assert [words for words in shown if words not in result.stdout] == []


def test_a_game_cut_between_entries_is_valid_and_unfinished(files):
    result = run("verify", "--json", files / "unfinished")
    assert result.exit_code == 0
    (fact,) = verdicts(result)
    assert (fact["verdict"], fact["valid"]) == ("UNFINISHED", True)
    assert fact["waiting"] in (0, 1)
    assert "next message" in run("verify", "-v", files / "unfinished").stdout


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("cut", "E_ENCODING"),
        ("foreign", "E_ENCODING"),
        ("empty", "E_ENCODING"),
        ("swapped", "E_CHAIN"),
        ("altered", None),
    ],
)
def test_bad_file_is_told_with_its_fault_and_exit_1(files, name, check):
    result = run("verify", "--json", files / name)
    assert result.exit_code == 1
    (fact,) = verdicts(result)
    assert (fact["verdict"], fact["valid"]) == ("INVALID", False)
    assert check is None or fact["check"] == check
    assert {"check", "entry", "seat", "message"} <= set(fact)
    told = run("verify", files / name).stdout
    assert f"Item {fact['entry']} breaks check" in told


def test_one_bad_file_among_good_ones_is_exit_1_and_all_are_judged(files):
    result = run("verify", "--json", files / "whole", files / "cut", files / "nowhere")
    assert result.exit_code == 1
    assert [fact["event"] for fact in verdicts(result)] == ["verdict", "verdict", "error"]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("verify", "nowhere"),
        ("export --format json", "nowhere"),
        ("export --format json", "folder"),
    ],
)
def test_a_file_that_cannot_be_read_is_exit_8(files, command, name):
    result = run(*command.split(), files / name)
    assert result.exit_code == 8
    assert "cannot be read" in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="no pipes and devices among files")
@pytest.mark.parametrize("name", ["pipe", "zero", "link"])
def test_a_pipe_or_a_device_is_not_read(tmp_path, name):
    """Nobody writes to the pipe, and the device has no end."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for command in (("verify",), ("export", "--format", "json"), ("replay", "--ui", "line")):
        result = run(*command, tmp_path / name)
        assert result.exit_code == 8
        assert "not a plain file" in result.stderr


def test_a_file_without_end_is_not_valid_and_not_read_to_its_end(tmp_path):
    with (tmp_path / "huge").open("wb") as huge:
        huge.write(MAGIC)
        huge.truncate(2**40)
    result = run("verify", "--json", tmp_path / "huge")
    assert result.exit_code == 1
    assert verdicts(result)[0]["check"] == "E_LIMIT"
    for command in (("export", "--format", "json"), ("replay", "--ui", "line")):
        assert run(*command, tmp_path / "huge").exit_code == 1


def test_each_of_three_seats_is_named(monkeypatch):
    monkeypatch.setitem(FOLDERS, "toy", toy.FOLDERS["toy"])
    said = run("verify", "-v", FOLDER / "toy" / "first-0.matcha").stdout
    named = [line.split()[:3] for line in said.splitlines() if line.startswith("  Seat")]
    assert named[:3] == [["Seat", str(number), "is"] for number in (1, 2, 3)]
    assert "wins (with the highest card)" in said


def test_export_prints_one_game(files):
    result = run("export", files / "whole", "--format", "json")
    assert result.exit_code == 0
    game = json.loads(result.stdout)
    assert (game["format"], game["v"], game["variant"]) == ("matcha-game", 1, "2020")
    assert verdicts(run("export", files / "whole", "--format", "json", "--json")) == [
        {"v": 1, "event": "game", "game": game}
    ]


@pytest.mark.parametrize("command", ["analyse", "export --format json", "replay"])
def test_a_game_without_that_command_is_refused(files, monkeypatch, command):
    for part in ("analysis", "export", "replay"):
        monkeypatch.setattr(GameOfMatcha, part, late(None))
    result = run(*command.split(), files / "whole", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout.splitlines()[-1])["code"] == "not-of-game"


def test_export_of_a_bad_file_is_exit_1(files):
    result = run("export", files / "cut", "--format", "json")
    assert result.exit_code == 1
    assert "not valid" in result.stderr


def test_a_game_is_exported_as_text(files):
    text = run("export", files / "whole", "--format", "text").stdout
    assert text_of(verified_transcript((files / "whole").read_bytes())) == text


@pytest.mark.parametrize("missing", [1, 8])
def test_seats_are_counted_from_one_for_people_and_from_zero_for_programs(
    missing, files, tmp_path
):
    first, *entries = parse_archive((files / "whole").read_bytes())
    kept = [frame.payload for frame in entries[:-missing]]
    early = tmp_path / "early"
    early.write_bytes(encode_archive(kept, [], parse_roster(first.payload)))
    (found,) = verdicts(run("verify", "--json", early))
    said = run("verify", "-v", early).stdout
    assert f"due from seat {found['waiting'] + 1}." in said
    for seat in found["winners"] or []:
        assert f"Seat {seat + 1} wins" in said
