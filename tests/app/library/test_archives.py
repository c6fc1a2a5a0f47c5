"""Many transcripts at once: in folders, by names on standard input, and copies that meet."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from matcha_p2p.app import workers
from matcha_p2p.app.library import meetings
from matcha_p2p.app.library.check_files import check_file
from matcha_p2p.app.library.meetings import Meetings
from matcha_p2p.cli import commands
from tests.vectors import base

Facts = list[dict[str, object]]


def run(*words: str | Path, stdin: bytes = b"") -> tuple[Result, Facts]:
    """Run a command with --json, and return the facts too."""
    result = CliRunner().invoke(commands, [*map(str, words), "--json"], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result, [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def archive(tmp_path):
    """Return a folder with games at three depths, and files of other kinds."""
    deep = tmp_path / "archive" / "b" / "c"
    deep.mkdir(parents=True)
    (deep / "deep.matcha").write_bytes(base("short.matcha"))
    (tmp_path / "archive" / "top.matcha").write_bytes(base("kept-0.matcha"))
    (tmp_path / "archive" / "b" / "broken.dispute").write_bytes(base("kept-0.matcha")[:-1])
    (tmp_path / "archive" / "b" / "notes.txt").write_text("no game")
    return tmp_path / "archive"


def told(facts: Facts) -> list[str]:
    return [Path(str(fact["file"])).name for fact in facts if fact["event"] == "verdict"]


def test_folder_is_searched_for_transcripts_by_name(archive):
    result, facts = run("verify", archive)
    assert result.exit_code == 1
    assert told(facts) == ["top.matcha", "broken.dispute", "deep.matcha"]


def test_names_on_standard_input_are_files_and_folders(archive):
    lines = [archive / "top.matcha", archive / "b" / "c", archive / "none"]
    names = b"".join(os.fsencode(line) + b"\r\n\n" for line in lines)
    result, facts = run("verify", "-", archive / "top.matcha", stdin=names)
    assert result.exit_code == 8
    assert told(facts) == ["top.matcha", "deep.matcha", "top.matcha"]
    assert [fact["code"] for fact in facts if fact["event"] == "error"] == ["file-unreadable"]


def test_impossible_name_on_standard_input_is_refused():
    result, facts = run("verify", "-", stdin=b"a\0b\n")
    assert (result.exit_code, facts[-1]["code"]) == (2, "no-name")


def test_folder_and_input_without_transcripts_are_an_error(tmp_path):
    for words in (("verify", tmp_path), ("verify", "-")):
        result, facts = run(*words)
        assert (result.exit_code, facts[-1]["code"]) == (8, "no-files")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads all folders")
def test_folder_that_cannot_be_read_is_an_error(archive):
    (archive / "b").chmod(0)
    result, facts = run("verify", archive)
    (archive / "b").chmod(0o700)
    assert (result.exit_code, facts[-1]["code"]) == (8, "file-unreadable")


def test_link_to_a_folder_is_not_followed(archive):
    (archive / "again").symlink_to(archive)
    assert len(told(run("verify", archive)[1])) == 3


@pytest.fixture
def read_again(monkeypatch):
    """Return the files that are read a second time, in order."""
    files = []
    real = meetings.read_transcript

    def read(file):
        files.append(file.name)
        return real(file)

    monkeypatch.setattr(meetings, "read_transcript", read)
    return files


def test_only_different_files_of_one_game_are_read_again(archive, read_again):
    whole = base("kept-0.matcha")
    (archive / "b" / "equal.matcha").write_bytes(whole)
    (archive / "b" / "broken.dispute").unlink()
    assert run("verify", archive)[0].exit_code == 0
    assert read_again == []
    (archive / "b" / "shorter.matcha").write_bytes(whole[:-1])
    assert run("verify", archive)[0].exit_code == 1
    assert sorted(read_again) == ["shorter.matcha", "top.matcha"]


def test_file_that_is_gone_when_its_game_meets_another_is_told(archive):
    met = Meetings()
    for name in ("top.matcha", "b/broken.dispute"):
        file = archive / name
        met.add(file, check_file(file.read_bytes()))
    file.unlink()
    ((files, error),) = met.contradictions()
    assert files == [file]
    assert "cannot be read" in str(error)


def test_tasks_are_begun_only_a_little_ahead(monkeypatch):
    """A million files wait as a generator, not as a list of results."""
    monkeypatch.setattr(workers, "cores", lambda: 1)
    begun = []
    tasks = (begun.append(number) or number for number in range(10**9))
    assert next(workers.in_order(abs, tasks)) == 0
    assert len(begun) == workers.MANY
