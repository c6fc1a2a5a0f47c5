"""The journal: whole commits or none, and damage is told."""

import errno
import os
import stat
import subprocess
import sys

import pytest

from matcha_p2p.errors import JournalError
from matcha_p2p.session.storage import files
from matcha_p2p.session.storage import journal as module
from matcha_p2p.session.storage.journal import MAGIC, MARK, Journal, JournalItem

posix = pytest.mark.skipif(sys.platform == "win32", reason="no modes, no links, no fcntl")

HEADER = b"matcha 0.1.0"
COMMITS = (
    (JournalItem(1, b"received"), JournalItem(2, b"own move")),
    (JournalItem(1, b""), JournalItem(255, b"\x00" * 5)),
    (JournalItem(7, b"last"),),
)
RECORDS = tuple(record for commit in COMMITS for record in commit)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game" / "journal"


@pytest.fixture
def content(path):
    """Write a journal with COMMITS and return the file's bytes."""
    with Journal.create(path, HEADER) as journal:
        for commit in COMMITS:
            journal.append(commit)
    return path.read_bytes()


def reopen(path):
    journal, records = Journal.open(path)
    with journal:
        assert journal.header == HEADER
    return records


def rewrite(path, content):
    path.write_bytes(content)
    os.utime(path)


def prefixes():
    """Return the possible records after a crash: those of the first commits."""
    return [sum(COMMITS[:count], ()) for count in range(len(COMMITS) + 1)]


def test_appended_entries_are_read_again(path, content):
    assert reopen(path) == RECORDS
    assert path.read_bytes() == content


def test_a_journal_goes_on_after_every_opening(path):
    with Journal.create(path, HEADER) as journal:
        journal.append(COMMITS[0])
    for commit in COMMITS[1:]:
        journal, _ = Journal.open(path)
        with journal:
            journal.append(commit)
    assert reopen(path) == RECORDS


def test_one_append_is_one_write_and_one_sync(path, monkeypatch):
    calls = []
    with Journal.create(path, HEADER) as journal:
        for name in ("write", "fdatasync", "fsync"):
            spied = spy(getattr(os, name, os.fsync), name, calls)
            monkeypatch.setattr(os, name, spied, raising=False)
        journal.append(COMMITS[0])
    synced = {"linux": ["fdatasync"], "darwin": []}.get(sys.platform, ["fsync"])
    assert calls == ["write", *synced]  # macOS has a command of fcntl instead


def spy(function, name, calls):
    def call(*arguments):
        calls.append(name)
        return function(*arguments)

    return call


@posix
def test_the_folder_is_synced_when_the_journal_appears(path, monkeypatch):
    """The new folder is entered in its own folder, and the new file in the new folder."""
    synced = []
    monkeypatch.setattr(files, "sync_folder", synced.append)
    Journal.create(path, HEADER).close()
    assert synced == [path.parent.parent, path.parent]


@pytest.mark.usefixtures("content")
@posix
def test_files_and_folders_are_for_our_eyes_only(path):
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {file.name for file in path.parent.iterdir()} == {"journal", "journal.lock"}


def test_every_truncation_gives_the_first_commits_or_an_error(path, content):
    seen = set()
    for size in range(len(content)):
        rewrite(path, content[:size])
        try:
            records = reopen(path)
        except JournalError:
            continue
        assert records in prefixes()
        seen.add(records)
    assert seen == set(prefixes()[:-1])


@pytest.mark.slow
def test_every_flipped_bit_is_refused_or_drops_the_last_commit(path, content):
    last = content.rindex(MARK)
    for place in range(len(content)):
        for bit in range(8):
            altered = bytearray(content)
            altered[place] ^= 1 << bit
            rewrite(path, bytes(altered))
            if place < last:
                with pytest.raises(JournalError):
                    Journal.open(path)
            else:
                assert reopen(path) == prefixes()[-2]


def test_a_torn_first_sector_of_the_last_commit_is_cut(path, content):
    """The end of a commit may reach the disk without its beginning."""
    last = content.rindex(MARK)
    rewrite(path, content[:last] + bytes(20) + content[last + 20 :])
    assert reopen(path) == prefixes()[-2]


def test_after_a_cut_new_commits_take_its_place(path, content):
    rewrite(path, content[:-1])
    journal, records = Journal.open(path)
    with journal:
        assert records == prefixes()[-2]
        journal.append(COMMITS[-1])
    assert reopen(path) == RECORDS


def test_old_blocks_after_the_end_are_no_damage(path, content):
    first = content.index(MARK)
    second = content.index(MARK, first + 1)
    rewrite(path, content + content[first:second])
    assert reopen(path) == RECORDS


def test_a_commit_of_another_place_is_damage(path, content):
    """Whole commits, and one is missing in between."""
    starts = [at for at in range(len(content)) if content.startswith(MARK, at)]
    rewrite(path, content[: starts[2]] + content[starts[3] :])
    with pytest.raises(JournalError, match="is damaged"):
        Journal.open(path)


def test_bytes_of_a_peer_never_pass_for_a_commit(path):
    """A body that holds a later commit of another journal does not hinder the recovery."""
    with Journal.create(path, HEADER) as journal:
        for commit in COMMITS:
            journal.append(commit)
    forged = path.read_bytes()[path.read_bytes().rindex(MARK) :]
    other = path.with_name("other")
    with Journal.create(other, HEADER) as journal:
        journal.append([JournalItem(1, forged)])
    rewrite(other, other.read_bytes()[:-1])
    assert reopen(other) == ()


@pytest.mark.parametrize(
    "content", [b"", b"hello", MAGIC, MAGIC + bytes(15), MAGIC + bytes(99)]
)
def test_other_files_are_not_journals(tmp_path, content):
    path = tmp_path / "journal"
    path.touch(mode=0o600)
    path.write_bytes(content)
    with pytest.raises(JournalError):
        Journal.open(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("half", [b"\x01", b"\x01\x00\x00\x00\x05abcd"])
def test_half_an_item_in_a_whole_commit_is_damage(path, content, half):
    """The package writes no such journal, and still reading raises no other exception."""
    recovered = module._recover(path, content)
    rewrite(path, content + recovered.end.extend(half)[0])
    with pytest.raises(JournalError, match="an item in the middle is cut short"):
        Journal.open(path)


def test_a_missing_journal_is_told(path):
    with pytest.raises(JournalError):
        Journal.open(path)


@pytest.mark.usefixtures("content")
def test_a_journal_is_not_created_twice(path):
    with pytest.raises(JournalError, match="exists"):
        Journal.create(path, b"another")
    assert reopen(path) == RECORDS


@pytest.mark.usefixtures("content")
def test_a_failed_opening_lets_go_of_the_lock(path):
    rewrite(path, b"damaged")
    for _ in range(2):
        with pytest.raises(JournalError, match="not a journal"):
            Journal.open(path)


@pytest.mark.usefixtures("content")
def test_remains_of_a_crashed_recovery_are_no_hindrance(path):
    path.with_name("journal.new").write_bytes(b"half a co")
    assert reopen(path) == RECORDS


def test_an_open_journal_is_locked(path):
    with Journal.create(path, HEADER), pytest.raises(JournalError, match="is open in another"):
        Journal.open(path)
    assert reopen(path) == ()


def test_an_open_journal_is_locked_against_another_process(path):
    script = (
        "import sys; from pathlib import Path\n"
        "from matcha_p2p.session.storage.journal import Journal\n"
        "Journal.open(Path(sys.argv[1]))"
    )
    with Journal.create(path, HEADER):
        other = subprocess.run(
            [sys.executable, "-c", script, path], capture_output=True, text=True, check=False
        )
    assert other.returncode == 1
    assert "is open in another matcha" in other.stderr


FAULTS = {
    "full": ("write", OSError(errno.ENOSPC, "No space left on device")),
    "short": ("write", 3),
    "broken": ("fdatasync", OSError(errno.EIO, "Input/output error")),
    "interrupted": ("fdatasync", KeyboardInterrupt()),
}


def fail(monkeypatch, name, outcome):
    """Let the next call of os.``name`` raise ``outcome``, or write so many bytes only."""
    original = getattr(os, name)

    def call(file, *arguments):
        monkeypatch.setattr(os, name, original)
        if isinstance(outcome, BaseException):
            raise outcome
        return original(file, arguments[0][:outcome])

    monkeypatch.setattr(os, name, call)


@pytest.mark.skipif(sys.platform != "linux", reason="others have no fdatasync")
@pytest.mark.parametrize("fault", FAULTS)
def test_the_first_failure_ends_the_journal_for_good(path, monkeypatch, fault):
    """Later appends are refused though the disk would take them; opening anew recovers."""
    name, outcome = FAULTS[fault]
    journal = Journal.create(path, HEADER)
    journal.append(COMMITS[0])
    fail(monkeypatch, name, outcome)
    expected = KeyboardInterrupt if fault == "interrupted" else JournalError
    with pytest.raises(expected):
        journal.append(COMMITS[1])
    with pytest.raises(JournalError, match="cannot grow"):
        journal.append(COMMITS[1])
    assert reopen(path) in prefixes()[1:3]


@pytest.mark.skipif(sys.platform != "linux", reason="others have no fdatasync")
@pytest.mark.parametrize("fault", ["full", "short", "broken"])
def test_a_failed_recovery_leaves_the_journal_as_it_was(path, content, monkeypatch, fault):
    fail(monkeypatch, *FAULTS[fault])
    with pytest.raises(JournalError, match="cannot be used"):
        Journal.open(path)
    assert path.read_bytes() == content
    assert reopen(path) == RECORDS


def test_a_closed_journal_takes_nothing_more(path):
    journal = Journal.create(path, HEADER)
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="cannot grow"):
        journal.append(COMMITS[0])


@pytest.mark.usefixtures("content")
@posix
@pytest.mark.parametrize("which", ["journal", "journal.lock", "."])
def test_journal_open_to_others_is_refused(path, which):
    (path.parent / which).chmod(0o750)
    with pytest.raises(JournalError, match="Other users can read"):
        Journal.open(path)


@pytest.mark.usefixtures("content")
@posix
def test_journal_of_another_owner_is_refused(path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(JournalError, match="Other users can read"):
        Journal.open(path)


@pytest.mark.usefixtures("content")
@posix
@pytest.mark.parametrize("plant", [os.symlink, os.link])
@pytest.mark.parametrize("which", ["journal", "journal.lock"])
def test_links_are_not_followed(path, plant, which):
    target = path.with_name("target")
    (path.parent / which).rename(target)
    plant(target, path.parent / which)
    with pytest.raises(JournalError):
        Journal.open(path)


@pytest.mark.usefixtures("content")
@posix
@pytest.mark.parametrize("which", ["journal", "journal.lock"])
def test_a_pipe_is_not_waited_for(path, which):
    (path.parent / which).unlink()
    os.mkfifo(path.parent / which, 0o600)
    with pytest.raises(JournalError):
        Journal.open(path)
    if which == "journal":
        with pytest.raises(JournalError):
            module.read(path)


@pytest.mark.usefixtures("content")
@posix
def test_a_journal_without_end_is_not_read_to_its_end(path, monkeypatch):
    monkeypatch.setattr(module, "_MOST", 10_000)
    with path.open("ab") as file:
        file.truncate(2**40)
    with pytest.raises(JournalError, match="not a journal"):
        module.read(path)


@posix
@pytest.mark.parametrize("odd", ["pipe", "link"])
def test_special_mark_file_is_not_used(path, tmp_path, odd):
    marks = tmp_path / "marks"
    with Journal.create(path, HEADER, marks) as first:
        first.append(COMMITS[0])
    (mark,) = marks.iterdir()
    mark.unlink()
    target = tmp_path / "target"
    target.write_bytes(bytes(8))
    if odd == "pipe":
        os.mkfifo(mark, 0o600)
    else:
        mark.symlink_to(target)
    again, _ = Journal.open(path, marks)
    with again:
        again.append(COMMITS[1])
    assert target.read_bytes() == bytes(8)


def test_folder_made_by_another_process_is_no_failure(tmp_path, monkeypatch):
    """Two programs of a player may begin their first games at once."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    answers = iter([False])  # it is not there yet when this program looks
    is_dir = type(home).is_dir
    monkeypatch.setattr(type(home), "is_dir", lambda path: next(answers, is_dir(path)))
    Journal.create(home / "journal", b"header").close()


@pytest.fixture
def marks(tmp_path):
    return tmp_path / "marks"


def test_a_journal_that_is_shorter_than_it_has_been_is_opened_only_on_demand(path, marks):
    """The folder of a game was put back to an older copy; what remembers it lies elsewhere."""
    with Journal.create(path, b"header", marks) as journal:
        journal.append([JournalItem(1, b"first")])
        older = path.read_bytes()
        journal.append([JournalItem(1, b"second")])
    Journal.open(path, marks)[0].close()
    path.write_bytes(older)
    assert module.is_older(path, marks)
    with pytest.raises(JournalError, match="older copy"):
        Journal.open(path, marks)
    assert path.read_bytes() == older
    journal, records = Journal.open(path, marks, older=True)
    with journal:
        assert records == (JournalItem(1, b"first"),)
        journal.append([JournalItem(1, b"another")])
    Journal.open(path, marks)[0].close()


def test_marks_are_bounded_and_those_of_the_latest_games_stay(path, marks, monkeypatch):
    monkeypatch.setattr(module, "MOST_MARKS", 8)
    for number in range(20):
        with Journal.create(path.with_name(f"{number}"), b"header", marks) as journal:
            journal.append([JournalItem(1, b"first")])
            (older,) = (mark for mark in marks.iterdir() if mark.name == journal_salt(journal))
            os.utime(older, (number, number))
        assert len(list(marks.iterdir())) <= 9
    assert {int(mark.stat().st_mtime) for mark in marks.iterdir()} >= set(range(14, 20))
    path.with_name("19").write_bytes(path.with_name("19").read_bytes()[:-1])
    with pytest.raises(JournalError, match="older copy"):
        Journal.open(path.with_name("19"), marks)


def journal_salt(journal):
    """Return the name of the mark of a journal."""
    return journal.path.read_bytes()[16:32].hex()


def test_unreadable_journal_tells_nothing(path, marks):
    assert not module.is_older(path, marks)
    path.parent.mkdir(mode=0o700)
    path.write_bytes(b"no journal")
    assert not module.is_older(path, marks)


def test_a_mark_that_a_power_failure_took_back_is_made_anew_when_the_journal_is_opened(
    path, marks
):
    with Journal.create(path, b"header", marks) as journal:
        journal.append([JournalItem(1, b"first")])
        older = path.read_bytes()
        (mark,) = marks.iterdir()
        forgotten = mark.read_bytes()
        journal.append([JournalItem(1, b"second")])
    mark.write_bytes(forgotten)
    Journal.open(path, marks)[0].close()
    path.write_bytes(older)
    with pytest.raises(JournalError, match="older copy"):
        Journal.open(path, marks)


def test_copy_under_another_name_is_as_old_as_its_journal(path, marks):
    copy = path.parent.parent / "copy" / "journal"
    with Journal.create(path, b"header", marks) as journal:
        copy.parent.mkdir(mode=0o700)
        copy.touch(mode=0o600)
        copy.write_bytes(path.read_bytes())
        journal.append([JournalItem(1, b"first")])
    with pytest.raises(JournalError, match="older copy"):
        Journal.open(copy, marks)


@pytest.mark.parametrize("content", [b"", b"\1", bytes(8), b"\xff" * 100])
def test_a_mark_that_is_lost_or_torn_costs_the_warning_and_no_game(path, marks, content):
    with Journal.create(path, b"header", marks) as journal:
        journal.append([JournalItem(1, b"first")])
    (mark,) = marks.iterdir()
    mark.write_bytes(content)
    if len(content) <= 8:
        Journal.open(path, marks)[0].close()
    else:
        with pytest.raises(JournalError, match="older copy"):
            Journal.open(path, marks)


@posix
def test_a_mark_that_is_a_link_is_not_followed(path, marks, tmp_path):
    with Journal.create(path, b"header", marks) as journal:
        journal.append([JournalItem(1, b"first")])
        (mark,) = marks.iterdir()
        mark.unlink()
        (tmp_path / "elsewhere").write_bytes(b"untouched")
        mark.symlink_to(tmp_path / "elsewhere")
        journal.append([JournalItem(1, b"second")])
    assert (tmp_path / "elsewhere").read_bytes() == b"untouched"
