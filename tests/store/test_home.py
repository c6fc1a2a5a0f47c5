"""A player's files."""

import json
import os
import platform
import shutil
import stat

import pytest

from matcha_p2p.errors import HomeError, JournalError
from matcha_p2p.session.storage import files
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.store.home import Home

GID = bytes(range(32))


@pytest.fixture
def home(tmp_path):
    return Home.find(tmp_path / "home")


def test_files_go_to_the_folder_of_the_system_by_default(monkeypatch, tmp_path):
    if platform.system() != "Linux":
        pytest.skip("the variables of other systems are others")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    home = Home.find(None)
    assert home.games == tmp_path / "data/matcha_p2p/games"
    assert home.unfinished == tmp_path / "state/matcha_p2p/unfinished"


def test_journals_never_share_a_folder(home):
    first, second = home.new_journal(), home.new_journal()
    assert first.parent != second.parent
    assert first.parent.parent == home.unfinished


def with_files(home, *names):
    """Return the journal of a game with these further files."""
    journal = home.new_journal()
    for path in (journal, *(journal.parent / name for name in names)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return journal


def test_game_that_is_gone_already_can_be_forgotten(home):
    home.forget(home.new_journal())


def test_game_is_forgotten_while_its_files_vanish(home, monkeypatch):
    """Another program or thread is quicker with each file."""
    journal, unlink = with_files(home, "talk", "knocks", "bots/1/journal"), os.unlink

    def unlink_late(path, *, dir_fd=None):
        unlink(path, dir_fd=dir_fd)
        unlink(path, dir_fd=dir_fd)

    monkeypatch.setattr("os.unlink", unlink_late)
    home.forget(journal)
    assert list(home.unfinished.iterdir()) == []


def test_program_killed_while_it_forgets_leaves_no_game_to_go_on_with(home, monkeypatch):
    journal, unlink = with_files(home, "talk", "bots/1/journal"), os.unlink

    def unlink_and_die(path, *, dir_fd=None):
        unlink(path, dir_fd=dir_fd)
        raise KeyboardInterrupt

    monkeypatch.setattr("os.unlink", unlink_and_die)
    with pytest.raises(KeyboardInterrupt):
        home.forget(journal)
    with pytest.raises(HomeError, match="no unfinished games"):
        home.journals(None)


def test_forgetting_leaves_nothing_of_a_game(home):
    journal = home.new_journal()
    journal.parent.mkdir(parents=True)
    journal.write_bytes(b"secret")
    home.forget(journal)
    assert list(home.unfinished.iterdir()) == []


def test_the_folder_of_a_game_that_is_over_does_not_come_back_from_a_backup(home):
    """An entry signed anew would be a fork of a counted game."""
    path = home.new_journal()
    backup = home.unfinished.with_name("backup")
    with Journal.create(path, b"header", home.marks) as journal:
        journal.append([JournalItem(1, b"first")])
        shutil.copytree(path.parent, backup)
        journal.append([JournalItem(1, b"last")])
    home.forget(path)
    shutil.copytree(backup, path.parent)
    with pytest.raises(JournalError, match="older copy"):
        Journal.open(path, home.marks)
    Journal.open(path, home.marks, older=True)[0].close()


def test_a_transcript_is_stored_whole_under_its_date_and_game(home):
    path = home.store_transcript(GID, b"game")
    assert path.read_bytes() == b"game"
    assert path.name.endswith("-00010203.matcha")
    assert list(home.games.iterdir()) == [path]
    assert home.games.stat().st_mode & 0o777 == 0o700
    assert home.store_evidence(GID, b"game").suffix == ".dispute"


def test_the_same_game_is_stored_once_and_another_never_lost(home):
    """Both players may share a home."""
    first = home.store_transcript(GID, b"game")
    assert home.store_transcript(GID, b"game") == first
    second = home.store_transcript(GID, b"opened")
    assert second != first
    assert (first.read_bytes(), second.read_bytes()) == (b"game", b"opened")


def test_game_that_has_grown_takes_the_place_of_its_earlier_state(home):
    """Also after a kill, when nobody knows the place."""
    first = home.store_transcript(GID, b"game")
    assert home.store_transcript(GID, b"other", first) == first
    assert home.store_transcript(GID, b"other and opened") == first
    assert [path.read_bytes() for path in home.games.iterdir()] == [b"other and opened"]


def test_game_is_withdrawn(home):
    path = home.store_transcript(GID, b"game")
    home.withdraw(path)
    home.withdraw(path)
    assert list(home.games.iterdir()) == []


def test_failed_writing_is_told(tmp_path):
    (tmp_path / "games").write_text("in the way")
    with pytest.raises(HomeError, match="cannot be used"):
        Home.find(tmp_path).store_transcript(GID, b"game")


def test_half_a_transcript_is_never_left(home, monkeypatch):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    home.games.mkdir(parents=True)
    monkeypatch.setattr(files, "sync_file", full)
    with pytest.raises(HomeError, match="No space left"):
        home.store_transcript(GID, b"game")
    assert list(home.games.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="rights are others on Windows")
def test_the_index_is_for_the_owner_s_eyes_only(home):
    """The index holds our keys of ended games; no umask makes the file readable."""
    home.games.mkdir(parents=True)
    before = os.umask(0)
    try:
        home.note_game(home.games / "a.matcha", 0, "four", 77)
    finally:
        os.umask(before)
    assert stat.S_IMODE(home.index.stat().st_mode) == 0o600
    assert home.notes()["a.matcha"].key == 77


@pytest.mark.skipif(os.name != "posix", reason="no pipes and links among files")
@pytest.mark.parametrize("odd", ["pipe", "link"])
def test_special_index_file_is_neither_read_nor_written(home, odd):
    target = home.index.with_name("target")
    home.games.mkdir(parents=True)
    target.write_text(json.dumps({"file": "a.matcha", "seat": 0, "how": None}))
    before = target.read_bytes()
    if odd == "link":
        home.index.symlink_to(target)
    else:
        os.mkfifo(home.index)
    assert home.notes() == {}
    with pytest.raises(HomeError):
        home.note_game(home.games / "b.matcha", 0, None)
    assert target.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="no rights of files")
def test_keys_are_for_their_owner_alone_in_an_older_index_too(home):
    home.index.parent.mkdir(parents=True, exist_ok=True)
    home.index.touch(0o644)
    home.index.chmod(0o644)
    home.note_game(home.games / "a.matcha", 0, None, key=7)
    assert home.index.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="no pipes among files")
def test_a_pipe_in_place_of_a_game_is_left_and_holds_nothing_up(home):
    first = home.store_transcript(GID, b"game")
    first.unlink()
    os.mkfifo(first)
    assert home.store_transcript(GID, b"game").read_bytes() == b"game"
