"""One seat's copy of a game: what it takes from its journal and from its peer."""

from dataclasses import replace
from pathlib import Path

import pytest

from matcha_p2p.errors import Check, JournalError, ProtocolViolationError
from matcha_p2p.machine.table import next_due
from matcha_p2p.player.reply import Offer
from matcha_p2p.rules.edition import EDITION_2015
from matcha_p2p.rules.moves import PASS, Move
from matcha_p2p.session import journal
from matcha_p2p.session.chain import MOST_RECORDS, Chain
from matcha_p2p.session.journal import Journal
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.records import Claim, Resign
from tests.duel import secrets_of

BINDING = b"b" * 32
PSK = b"p" * 32


def pair(folder: Path, seed: str = "chain") -> tuple[Chain, Chain]:
    """Return both copies of a game that has begun."""
    host, guest = (
        Chain.create(folder / f"{seat}" / "journal", seat, secrets_of(seed, seat), BINDING, PSK)
        for seat in (0, 1)
    )
    guest.hear(host.greet(Offer(EDITION_2015, "Mina")).encoded)
    host.hear(guest.greet(Offer(EDITION_2015, "Taro")).encoded)
    return host, guest


def talk(host: Chain, guest: Chain, entries: int) -> list[bytes]:
    """Let both say what is due, up to ``entries`` entries, and hear each other."""
    said = []
    for _ in range(entries):
        due = next_due(host.table)
        assert due is not None
        author, hearer = (host, guest) if due.seat == 0 else (guest, host)
        words = author.decide(last_choice(author)) if due.decision else author.follow()
        hearer.hear(words.encoded)
        said.append(words.encoded)
    return said


def last_choice(chain: Chain) -> Move:
    """Pass, or at the end of a set keep everything."""
    observation = chain.observation()
    assert observation is not None
    return observation.legal_moves()[-1]


def reopened(chain: Chain) -> Chain:
    chain.close()
    return Chain.open(chain.path)


def test_a_reopened_chain_goes_on_where_its_journal_ends(tmp_path):
    host, guest = pair(tmp_path)
    talk(host, guest, 9)
    host.settle()
    again = reopened(host)
    assert again.state == host.state
    assert [e.encoded for e in again.entries] == [e.encoded for e in host.entries]
    talk(again, guest, 6)


def test_what_was_heard_and_not_answered_is_heard_again(tmp_path):
    """Only own entries are made durable at once: the peer has the others."""
    host, guest = pair(tmp_path)
    while next_due(host.table).seat == 1 or next_due(host.table).decision:
        talk(host, guest, 1)
    guest.close()
    before = len(guest.entries)
    again = Chain.open(guest.path)
    assert len(again.entries) <= before
    missing = host.hear_sync(again.sync(BINDING), BINDING)
    assert missing.length == len(again.entries)
    for entry in missing.entries:
        again.hear(entry)
    assert again.state == host.state


def test_own_entries_that_a_backup_has_lost_are_adopted(tmp_path):
    """After a restored backup the peer gives our own entries back; they are never re-made."""
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    host.settle()
    saved = host.path.read_bytes()
    talk(host, guest, 6)
    host.close()
    host.path.write_bytes(saved)
    old = Chain.open(host.path)
    assert len(old.entries) < len(guest.entries)
    for entry in guest.hear_sync(old.sync(BINDING), BINDING).entries:
        old.hear(entry)
    assert [e.id for e in old.entries] == [e.id for e in guest.entries]


def test_a_sync_is_worth_nothing_on_another_link(tmp_path):
    host, guest = pair(tmp_path)
    with pytest.raises(ProtocolViolationError) as caught:
        host.hear_sync(guest.sync(BINDING), b"o" * 32)
    assert (caught.value.check, caught.value.seat) == (Check.SIG, None)


def test_another_game_is_not_resumed(tmp_path):
    host, guest = pair(tmp_path)
    guest.state = replace(guest.table, gid=bytes(32))
    with pytest.raises(ProtocolViolationError) as caught:
        host.hear_sync(guest.sync(BINDING), BINDING)
    assert (caught.value.check, caught.value.seat) == (Check.RESUME, 1)


def test_two_ways_of_one_game_show_who_has_forked_it(tmp_path):
    """A seat that re-authors after a rollback is named by the first entry that differs."""
    host, guest = pair(tmp_path)
    while not next_due(host.table).decision:
        talk(host, guest, 1)
    cheat = (host, guest)[next_due(host.table).seat]
    other = guest if cheat is host else host
    cheat.settle()
    saved = cheat.path.read_bytes()
    cheat_first = cheat.decide(PASS)
    other.hear(cheat_first.encoded)
    cheat.close()
    cheat.path.write_bytes(saved)
    again = Chain.open(cheat.path)
    observation = again.observation()
    again.decide(observation.legal_moves()[0])
    resumption = other.hear_sync(again.sync(BINDING), BINDING)
    assert resumption.entries[0] == other.entries[0].encoded
    *same, different = again.entries
    for entry in same:
        other.hear(entry.encoded)
    with pytest.raises(ProtocolViolationError) as caught:
        other.hear(different.encoded)
    assert (caught.value.check, caught.value.seat) == (Check.FORK, cheat.seat)


def test_records_are_said_again_after_a_sync(tmp_path):
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    record = host.declare(Resign()).encoded
    resumption = host.hear_sync(guest.sync(BINDING), BINDING)
    assert resumption.records == (record,)
    for _ in range(2):
        guest.hear_record(record)
    assert len(guest.records) == 1
    assert guest.finished


def test_a_record_of_our_own_that_we_have_lost_is_given_back(tmp_path):
    """As entries are: the folder was put back to a backup made before we resigned."""
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    host.settle()
    before = host.path.read_bytes()
    guest.hear_record(host.declare(Resign()).encoded)
    host.close()
    host.path.write_bytes(before)
    again = Chain.open(host.path)
    assert not again.finished
    (record,) = guest.hear_sync(again.sync(BINDING), BINDING).records
    again.hear_record(record)
    assert again.finished
    assert again.transcript() == guest.transcript()


def test_of_each_kind_some_records_are_kept_and_a_resignation_is_always_heard(tmp_path):
    """However often a seat has claimed before that the other was silent."""
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    for number in range(MOST_RECORDS + 5):
        guest.hear_record(host.declare(Claim(number, 0)).encoded)
    assert len(guest.records) == MOST_RECORDS
    guest.hear_record(host.declare(Resign()).encoded)
    assert guest.resigned == host.seat
    host.close()
    again = Chain.open(host.path)
    assert len(again.records) == MOST_RECORDS + 1
    assert again.resigned == host.seat


def test_a_game_that_had_not_begun_is_not_taken_up(tmp_path):
    chain = Chain.create(tmp_path / "journal", 0, secrets_of("alone", 0), BINDING, PSK)
    chain.greet(Offer(EDITION_2015, "Mina"))
    chain.close()
    with pytest.raises(JournalError, match="had not begun"):
        Chain.open(chain.path)


@pytest.mark.parametrize(
    ("header", "records"),
    [
        (pack([2, 0]), []),
        (pack([1, 0, bytes(32), bytes(32), BINDING, PSK]), [journal.Record(1, b"\xc0")]),
        (pack([1, 0, bytes(32), bytes(32), BINDING, PSK]), [journal.Record(2, b"\x90")]),
    ],
)
def test_a_foreign_journal_is_named_as_such(tmp_path, header, records):
    with Journal.create(tmp_path / "journal", header) as book:
        if records:
            book.append(records)
    with pytest.raises(JournalError, match="journal-foreign"):
        Chain.open(tmp_path / "journal")
