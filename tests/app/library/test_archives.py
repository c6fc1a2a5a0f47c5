"""Many transcripts at once: in folders, by names on standard input, and copies that meet."""

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from matcha_p2p.app import workers
from matcha_p2p.app.library import check_files, index, made_pages, meetings
from matcha_p2p.app.library.meetings import Meetings
from matcha_p2p.cli import commands
from tests.vectors import FOLDER, base

SHARED = (".js", ".css")
Facts = list[dict[str, object]]


def run(*words: str | Path, stdin: bytes = b"") -> tuple[Result, Facts]:
    """Run a command with --json, and return the facts too."""
    result = CliRunner().invoke(commands, [*map(str, words), "--json"], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result, [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Return a folder with games at three depths, and files of other kinds; set a home."""
    monkeypatch.setenv("MATCHA_HOME", str(tmp_path / "home"))
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
        met.add(file, check_files.check_file(file.read_bytes()))
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


@pytest.fixture
def checked(monkeypatch):
    """Return the names of the files that an index has verified, in order."""
    names = []
    real = check_files.check_file

    def check(data):
        names.append(sha256(data).hexdigest())
        return real(data)

    for module in (check_files, index):  # both call it by a name of their own
        monkeypatch.setattr(module, "check_file", check)
    return names


def digests_of(*files: bytes) -> list[str]:
    return sorted(sha256(file).hexdigest() for file in files)


@pytest.fixture
def indexed(archive, checked):
    """Return a function that makes the index, and returns the names of the written pages."""

    def make() -> list[str]:
        checked.clear()
        result, facts = run("index", archive)
        assert result.exit_code == 0
        return [Path(str(fact["page"])).name for fact in facts if fact.get("written")]

    assert sorted(make()) == ["deep.html", "top.html"]  # of top and broken the fuller file
    return make


def test_second_index_checks_and_writes_nothing(archive, indexed, checked):
    before = {page: page.stat().st_ino for page in archive.glob("*.html")}
    assert len(before) == 3
    assert (indexed(), checked) == ([], [])
    assert {page: page.stat().st_ino for page in archive.glob("*.html")} == before


def test_index_checks_and_writes_what_has_changed(archive, indexed, checked):
    new = base("kept-0-1.matcha")
    (archive / "top.html").unlink()
    (archive / "b" / "new.matcha").write_bytes(new)
    (archive / "deep.html").write_bytes((archive / "deep.html").read_bytes() + b" ")
    assert sorted(indexed()) == ["deep.html", "new.html", "top.html"]
    assert sorted(checked) == digests_of(new, base("kept-0.matcha"), base("short.matcha"))
    assert indexed() == []


def test_pages_of_files_that_change_places_are_written(archive, indexed, checked):
    first, second = archive / "top.matcha", archive / "b" / "c" / "deep.matcha"
    contents = first.read_bytes(), second.read_bytes()
    second.write_bytes(contents[0])
    first.write_bytes(contents[1])
    assert sorted(indexed()) == ["deep.html", "top.html"]
    assert sorted(checked) == digests_of(*contents)


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"program": 1}', b"[" * 10**5])
def test_index_with_a_damaged_memory_makes_all_again(tmp_path, indexed, checked, damage):
    (memory,) = (tmp_path / "home" / "pages").iterdir()
    memory.write_bytes(damage)
    indexed()
    assert len(checked) == 3
    assert indexed() == []


def test_index_with_a_wrong_game_in_its_memory_makes_all_again(tmp_path, indexed, checked):
    (memory,) = (tmp_path / "home" / "pages").iterdir()
    content = json.loads(memory.read_bytes())
    next(iter(content["games"].values()))[2] = None
    memory.write_text(json.dumps(content))
    indexed()
    assert len(checked) == 3


def test_index_of_another_program_makes_all_again(indexed, checked, monkeypatch):
    monkeypatch.setattr(made_pages, "_program", lambda: "another")
    assert len(indexed()) == 2
    assert len(checked) == 3


def test_index_without_a_home_warns_and_writes_pages(archive, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "pages").write_text("no folder")
    result, facts = run("index", archive)
    assert result.exit_code == 0
    assert facts[0]["event"] == "page"
    assert [fact["event"] for fact in facts][-2:] == ["warning", "index"]


def test_index_of_files_needs_a_folder_for_the_pages(archive, tmp_path):
    files = (archive / "top.matcha", archive / "b" / "c")
    for names in (files[:1], files, ("-",)):
        result, facts = run("index", *names)
        assert (result.exit_code, facts[-1]["code"]) == (2, "no-folder")
    (tmp_path / "web").mkdir()
    result, facts = run("index", *files, "--output", tmp_path / "web")
    assert (result.exit_code, facts[-1]["games"]) == (0, 2)
    assert len(list((tmp_path / "web").iterdir())) == 3 + len(SHARED)


@pytest.mark.parametrize(
    ("file", "name", "edition"),
    [
        ("accept/kept-0.matcha", "Matcha", "2015"),
        ("kashi/starting.matcha", "Kashi-ichi", None),
    ],
)
def test_edition_is_listed_for_a_game_with_several(file, name, edition):
    known = made_pages.KnownGame.of(check_files.check_file((FOLDER / file).read_bytes()))
    assert (known.game, known.edition) == (name, edition)


def test_pages_of_a_folder_share_their_script_and_style(archive, indexed):
    shared = [file for file in archive.iterdir() if file.suffix in SHARED]
    assert len(shared) == len(SHARED)
    sizes = [(archive / page).stat().st_size for page in ("deep.html", "top.html")]
    together = sum(file.stat().st_size for file in shared)
    games = len(base("short.matcha")) + len(base("kept-0.matcha"))
    frame, told = 7000, 3500  # bytes, the sentences packed
    assert sum(sizes) < 2 * (frame + told) + 4 / 3 * games
    assert together > 100_000


@pytest.mark.parametrize("kind", SHARED)
def test_shared_file_that_is_gone_or_changed_is_written_again(archive, indexed, checked, kind):
    (shared,) = archive.glob(f"matcha-*{kind}")
    content = shared.read_bytes()
    for damage in (shared.unlink, lambda: shared.write_bytes(content[:-1])):
        damage()
        indexed()
        assert shared.read_bytes() == content
        assert sorted(checked) == digests_of(base("kept-0.matcha"), base("short.matcha"))


def test_file_of_another_with_the_name_of_a_shared_file_stays(archive, indexed):
    (shared,) = archive.glob("matcha-*.js")
    shared.write_text("mine")
    result, facts = run("index", archive)
    assert (result.exit_code, facts[-1]["code"]) == (8, "page-exists")
    assert shared.read_text() == "mine"


def test_index_makes_the_folder_for_the_pages_first(archive, tmp_path, checked):
    place = tmp_path / "new" / "web"
    assert run("index", archive / "top.matcha", "--output", place)[0].exit_code == 0
    assert (place / "index.html").is_file()
    checked.clear()
    below_a_file = archive / "top.matcha" / "web"
    result, facts = run("index", archive / "b" / "c", "--output", below_a_file)
    assert (result.exit_code, facts[-1]["code"], checked) == (8, "page-unwritable", [])
    assert run("index", tmp_path / "typo")[0].exit_code == 8
    assert not (tmp_path / "typo").exists()


def test_second_game_with_one_name_is_told_and_not_listed(archive):
    (archive / "b" / "top.matcha").write_bytes(base("kept-0-1.matcha"))
    result, facts = run("index", archive)
    assert result.exit_code == 8
    assert [fact["code"] for fact in facts if fact["event"] == "error"] == ["page-twice"]
    assert facts[-1]["games"] == 2
