"""The talk of a game: kept beside its journal, bounded, and read as if a stranger wrote it."""

import os
import sys

import pytest

from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.session.storage.talk import MOST_TALK, TalkOfAGame
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.talk import Phrase, Say, encode_spoken

FIRST, SECOND = (SEATS[0], Say("Привіт, こんにちは")), (SEATS[1], Phrase(3))
LONGEST = "\N{TEACUP WITHOUT HANDLE}" * 200


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "journal"


def recalled(journal):
    talk = TalkOfAGame(journal)
    talk.recall((0, 1))
    return talk


def keep(journal, *spoken):
    talk = recalled(journal)
    for seat, said in spoken:
        talk.keep(seat, said)
    return talk


def test_talk_is_recalled_in_order(journal):
    assert recalled(journal).spoken == ()
    keep(journal, FIRST)
    keep(journal, SECOND)
    assert recalled(journal).spoken == (FIRST, SECOND)


@pytest.mark.parametrize("lost", range(1, 9))
def test_a_line_that_a_crash_has_torn_costs_only_itself(journal, lost):
    keep(journal, FIRST, SECOND)
    path = journal.with_name("talk")
    path.write_bytes(path.read_bytes()[:-lost])
    keep(journal, FIRST)
    whole = (FIRST, SECOND, FIRST)
    assert recalled(journal).spoken == (whole if lost == 1 else (FIRST, FIRST))


def test_latest_talk_is_kept_and_the_file_stays_small(journal):
    spoken = [(SEATS[number % 2], Say(f"{number} {LONGEST}"[:200])) for number in range(1001)]
    keep(journal, *spoken)
    assert recalled(journal).spoken == tuple(spoken[-MOST_TALK:])
    assert journal.with_name("talk").stat().st_size < 2**20


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"0",
        b"2" + encode_spoken(Say("who?")).hex().encode(),
        b"0" + pack(["OPEN"]).hex().encode(),
        b"0" + encode_spoken(Say("well")).hex().encode() + b"00",
        b"0zz",
        b"0\xff\xfe",
        b"1" + b"91" * 5000,
        b"\x00" * 4096,
    ],
)
def test_damaged_talk_is_left_out(journal, line):
    journal.with_name("talk").write_bytes(line + b"\n")
    assert recalled(journal).spoken == ()
    assert keep(journal, SECOND).spoken == (SECOND,)
    assert recalled(journal).spoken == (SECOND,)


def test_words_that_command_a_terminal_are_cleaned(journal):
    keep(journal, (SEATS[1], Say("\x1b[2Jall\N{RIGHT-TO-LEFT OVERRIDE} gone")))
    ((_, said),) = recalled(journal).spoken
    assert isinstance(said, Say)
    assert said.text.isprintable()


def test_a_file_that_is_too_long_is_not_read_and_makes_way(journal):
    path = journal.with_name("talk")
    path.write_bytes(b"x\n" * 2**20)
    keep(journal, FIRST)
    assert recalled(journal).spoken == (FIRST,)
    assert path.stat().st_size < 100


@pytest.mark.skipif(sys.platform == "win32", reason="no links, no pipes")
@pytest.mark.parametrize("kind", ["pipe", "folder", "link"])
def test_special_talk_file_is_neither_read_nor_written(journal, kind):
    talk = journal.with_name("talk")
    match kind:
        case "pipe":
            os.mkfifo(talk)
        case "folder":
            talk.mkdir()
        case "link":
            talk.symlink_to("/etc/passwd")
    assert keep(journal, FIRST).spoken == (FIRST,)
    assert recalled(journal).spoken == ()


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_talk_file_is_for_its_owner_alone(journal):
    keep(journal, *[FIRST] * (2 * MOST_TALK))
    assert journal.with_name("talk").stat().st_mode & 0o777 == 0o600
    keep(journal, SECOND)
    assert journal.with_name("talk").stat().st_mode & 0o777 == 0o600
