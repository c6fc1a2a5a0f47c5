"""One seat's copy of a game: items from the journal and from the peer."""

from dataclasses import replace
from ipaddress import IPv4Address
from pathlib import Path

import pytest

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError, JournalError, ProtocolViolationError
from matcha_p2p.games import find
from matcha_p2p.games.matcha.rules.moves import PASS
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import MOST_RECORDS, Chain, Offence
from matcha_p2p.session.ledger import ItemKind, Ledger, header_of, recall_chain, since
from matcha_p2p.session.news import Again
from matcha_p2p.session.step.rematch import next_chain
from matcha_p2p.session.storage import journal
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.endpoints import at_port
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.servers import Server
from matcha_p2p.wire.encoding import Value, pack, unpack
from matcha_p2p.wire.entry import sign_entry
from matcha_p2p.wire.names import EntryId, GameId
from matcha_p2p.wire.record import Record, parse_record, sign_record
from matcha_p2p.wire.statements import Claim, Expose, Resign, Sync
from matcha_p2p.wire.talk import PeerAddresses
from tests.duel import roster_of, secrets_of
from tests.harness import BINDING, PSK, Copy, last_choice, own_seat, pair, talk

ANOTHER = EntryId(b"h" * 32)


def ids(copy: Copy) -> list[bytes]:
    return [entry.id for entry in copy.chain.entries]


def announced(guest: Copy, *, missing: int = 1, head: EntryId = ANOTHER, **how) -> Record:
    """Return a SYNC in which the guest announces invented entries."""
    chain = guest.chain
    sync = Sync(len(chain.entries) + missing, BINDING, **how)
    return sign_record(chain.table.gid, SEATS[1], head, sync, chain.secrets.session)


def about_to_decide(tmp_path: Path) -> tuple[Copy, Copy]:
    """Return the copy of the seat to decide, and the other copy."""
    host, guest = pair(tmp_path)
    while not next_due(host.chain.table).decision:
        talk(host, guest, 1)
    return (host, guest) if next_due(host.chain.table).seat == 0 else (guest, host)


def test_a_reopened_chain_goes_on_where_its_journal_ends(tmp_path):
    host, guest = pair(tmp_path)
    talk(host, guest, 9)
    again = host.reopened()
    assert again.chain.state == host.chain.state
    assert ids(again) == ids(host)
    talk(again, guest, 6)


def test_received_entry_is_durable_before_the_answer(tmp_path):
    host, guest = pair(tmp_path)
    while next_due(host.chain.table).seat == 1 or next_due(host.chain.table).decision:
        talk(host, guest, 1)
    assert ids(guest.reopened()) == ids(guest)


def test_own_entries_that_a_backup_has_lost_are_adopted(tmp_path):
    """After a restored backup the peer gives our own entries back; they are never re-made."""
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    saved = host.path.read_bytes()
    talk(host, guest, 6)
    host.close()
    host.path.write_bytes(saved)
    old = Copy.open(host.path)
    assert not old.chain.whole
    assert len(old.chain.entries) < len(guest.chain.entries)
    _, missing = guest.hear_sync(old.chain.sync(BINDING))
    for entry in missing.entries:
        old.hear(entry)
    assert ids(old) == ids(guest)


def test_a_sync_is_worth_nothing_on_another_link(tmp_path):
    host, guest = pair(tmp_path)
    with pytest.raises(CheckError) as caught:
        host.hear_sync(guest.chain.sync(BINDING), b"o" * 32)
    assert not isinstance(caught.value, ProtocolViolationError)


def test_our_own_sync_is_not_taken_for_one_of_the_peer(tmp_path):
    """A stranger between the two has led our dialling to our own door."""
    host, _ = pair(tmp_path)
    with pytest.raises(CheckError) as caught:
        host.hear_sync(host.chain.sync(BINDING))
    assert getattr(caught.value, "seat", None) is None


def test_another_game_is_not_resumed(tmp_path):
    host, guest = pair(tmp_path)
    table = guest.chain.table._replace(deck=replace(guest.chain.table.deck, gid=bytes(32)))
    other = replace(guest.chain, state=table)
    with pytest.raises(ProtocolViolationError) as caught:
        host.hear_sync(other.sync(BINDING))
    assert (caught.value.check, caught.value.seat) == (Check.RECORD, None)


def test_sync_about_missing_entries_is_kept(tmp_path):
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    host.hear_sync(guest.chain.sync(BINDING))
    assert host.chain.records == ()
    told = announced(guest)
    sync, missing = host.hear_sync(told.encoded)
    assert sync.length == len(guest.chain.entries) + 1
    assert missing.entries == missing.records == ()
    assert host.chain.records == (told,)
    assert host.reopened().chain.records == (told,)


def test_false_news_of_a_resignation_is_kept_and_holds_up_only_a_restarted_seat(tmp_path):
    """The file says then for whom the game waits; once the resignation is here, no more."""
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    chain = guest.chain
    lie = announced(guest, missing=0, head=chain.table.head, resigned=True)
    host.hear_sync(lie.encoded)
    assert host.chain.whole
    assert host.chain.records == (lie,)
    assert verify_transcript(host.chain.transcript).waiting == 1
    again = host.reopened()
    again.hear_sync(lie.encoded)
    assert not again.chain.whole
    resigned = again.chain.declare(Resign())
    assert parse_record(resigned.sync(BINDING)).statement == Sync(len(chain.entries), BINDING)
    guest.hear_record(resigned.records[-1].encoded)
    assert parse_record(guest.chain.sync(BINDING)).statement == lie.statement
    kept = list(parse_archive(resigned.transcript))[1 + len(chain.entries) :]
    assert [frame.payload for frame in kept] == [resigned.records[-1].encoded]


@pytest.mark.parametrize("restarted", [False, True])
def test_restarted_program_knows_its_missing_entries_after_the_word_of_the_peer(
    tmp_path, restarted
):
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    copy = host.reopened() if restarted else host
    assert copy.chain.whole is not restarted
    copy.hear_sync(announced(guest).encoded)
    assert copy.chain.whole is not restarted
    copy.hear_sync(guest.chain.sync(BINDING))
    assert copy.chain.whole is not restarted
    if restarted:
        copy.hear_word(guest.here(copy.chain))
    assert copy.chain.whole


def test_two_branches_of_one_game_show_the_forking_seat(tmp_path):
    """A seat that re-authors after a rollback: its SYNC excludes its earlier entry.

    The seat finds the fork too, by the first different entry.
    """
    cheat, other = about_to_decide(tmp_path)
    saved = cheat.path.read_bytes()
    other.hear(cheat.decide(PASS))
    cheat.close()
    cheat.path.write_bytes(saved)
    again = Copy.open(cheat.path)
    again.decide(again.chain.view.legal_moves()[0])
    with pytest.raises(ProtocolViolationError) as caught:
        other.hear_sync(again.chain.sync(BINDING))
    assert (caught.value.check, caught.value.seat) == (Check.SYNC, cheat.chain.seat)
    again.hear_sync(other.chain.sync(BINDING))
    assert again.chain.diverged
    *same, different = other.chain.entries
    for entry in same:
        again.hear(entry.encoded)
    with pytest.raises(ProtocolViolationError) as caught:
        again.hear(different.encoded)
    assert (caught.value.check, caught.value.seat) == (Check.FORK, cheat.chain.seat)


def test_entry_after_the_own_resignation_convicts_in_either_order(tmp_path):
    cheat, other = about_to_decide(tmp_path)
    before = cheat.chain
    resignation = before.declare(Resign()).records[-1].encoded
    after, _ = before.decide(before.view.legal_moves()[0])
    move = after.entries[-1].encoded
    heard, _ = other.chain.hear_record(resignation)
    assert heard.resigned == before.seat
    with pytest.raises(ProtocolViolationError) as caught:
        heard.hear(move)
    assert (caught.value.check, caught.value.seat) == (Check.RESIGN, before.seat)
    heard, _ = other.chain.hear(move)
    with pytest.raises(ProtocolViolationError) as caught:
        heard.hear_record(resignation)
    assert (caught.value.check, caught.value.seat) == (Check.RESIGN, before.seat)


def test_an_entry_that_excludes_the_own_sync_convicts(tmp_path):
    """The peer has announced another chain, and then goes on signing this chain."""
    host, guest = pair(tmp_path)
    while next_due(host.chain.table) is None or next_due(host.chain.table).seat != 1:
        talk(host, guest, 1)
    host.hear_sync(announced(guest).encoded)
    said = guest.decide(last_choice(guest)) if guest.chain.view else guest.follow()
    with pytest.raises(ProtocolViolationError) as caught:
        host.hear(said)
    assert (caught.value.check, caught.value.seat) == (Check.SYNC, 1)


def test_records_are_said_again_after_a_sync(tmp_path):
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    record = host.declare(Resign())
    _, missing = host.hear_sync(guest.chain.sync(BINDING))
    assert missing.records == (record,)
    for _ in range(2):
        guest.hear_record(record)
    assert len(guest.chain.records) == 1
    assert guest.chain.finished


def test_seat_back_at_a_backup_gets_its_own_announcement(tmp_path):
    """The peer's folder was put back to a backup; the announced entries never came."""
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    told = announced(guest)
    host.hear_sync(told.encoded)
    _, missing = host.hear_sync(guest.chain.sync(BINDING))
    assert missing.records == (told.encoded,)


def test_a_record_of_our_own_that_we_have_lost_is_given_back(tmp_path):
    """As entries are: the folder was put back to a backup made before we resigned."""
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    before = host.path.read_bytes()
    guest.hear_record(host.declare(Resign()))
    host.close()
    host.path.write_bytes(before)
    again = Copy.open(host.path)
    assert not again.chain.finished
    _, missing = guest.hear_sync(again.chain.sync(BINDING))
    again.hear_record(*missing.records)
    assert again.chain.finished
    assert again.chain.transcript == guest.chain.transcript


def test_some_records_of_each_kind_are_kept_and_a_resignation_is_always_heard(tmp_path):
    """After any number of earlier claims of the seat that the other was silent."""
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    for number in range(MOST_RECORDS + 5):
        claim = host.chain.declare(Claim(number, 0)).records[-1]
        guest.hear_record(claim.encoded)
    assert len(guest.chain.records) == MOST_RECORDS
    guest.hear_record(host.declare(Resign()))
    assert guest.chain.resigned == host.chain.seat
    again = guest.reopened()
    assert len(again.chain.records) == MOST_RECORDS + 1
    assert again.chain.resigned == host.chain.seat


def test_an_offence_is_remembered_and_convinces_after_a_restart(tmp_path):
    host, guest = pair(tmp_path)
    talk(host, guest, 4)
    greeting = guest.chain.entries[1]
    forged = sign_record(host.chain.table.gid, 1, greeting.id, Claim(1, 1), bytes(32))
    with pytest.raises(ProtocolViolationError):
        host.hear_record(forged.encoded)
    bad = sign_exposure(guest)
    with pytest.raises(ProtocolViolationError) as caught:
        host.hear_record(bad)
    offence = Offence(caught.value, Frame(Kind.REC, bad))
    host.ledger.become(host.chain.offended(offence))
    again = host.reopened()
    assert again.chain.offence.violation.check is Check.EXPOSE
    assert again.chain.evidence == host.chain.evidence


def sign_exposure(guest: Copy) -> bytes:
    chain = guest.chain
    seed = chain.secrets.session
    return sign_record(chain.table.gid, SEATS[1], chain.table.head, Expose(1), seed).encoded


def test_where_both_wait_is_remembered_and_a_peer_that_moves_on_and_on_is_not_heard(tmp_path):
    host, _ = pair(tmp_path)
    ours = PeerAddresses(at_port([IPv4Address("192.0.2.1")], 4717))
    host.ledger.become(host.chain.with_addresses(0, ours))
    for port in range(2000, 2200):
        host.ledger.become(
            host.chain.hear_addresses(
                host.peer, PeerAddresses(at_port([IPv4Address("192.0.2.1")], port))
            )
        )
    size = host.path.stat().st_size
    again = host.reopened()
    theirs = PeerAddresses(at_port([IPv4Address("192.0.2.1")], 2063))
    assert again.chain.ways == {0: ours, 1: theirs}
    assert size < 20_000


ROSTER = roster_of("journal", find("matcha", "2015", 2), ["A", "B"])
HEADER = header_of(Chain.begin(Seat(0), secrets_of("journal", 0), Psk(PSK), ROSTER))


EARLY = sign_record(
    GameId(H("game")), Seat(1), ANOTHER, Resign(), secrets_of("journal", 1).session
).encoded
"""A record before all seats have greeted each other."""


def other_header(at: int, value: Value) -> bytes:
    """Return the header with another value in the field ``at``."""
    fields = unpack(HEADER)
    assert isinstance(fields, list)
    return pack([*fields[:at], value, *fields[at + 1 :]])


def test_a_resumed_game_keeps_the_time_of_a_window():
    roster = roster_of("paced", find("tichu", "round", 4), ["A", "B", "C", "D"])
    chain = Chain.begin(Seat(1), secrets_of("paced", 1), Psk(PSK), roster)
    chain = replace(chain, pace=3)
    for copy in (chain.empty, recall_chain(header_of(chain), ())):
        assert copy.pace == 3


@pytest.mark.parametrize(
    ("header", "records"),
    [
        (other_header(0, 3), []),
        (other_header(1, 2), []),
        (other_header(1, 4), []),
        (other_header(6, b""), []),
        (other_header(7, "no port"), []),
        (HEADER, [journal.JournalItem(8, b"\xff")]),
        (HEADER, [journal.JournalItem(1, b"\xc0")]),
        (HEADER, [journal.JournalItem(2, b"\x90")]),
        (HEADER, [journal.JournalItem(5, b"\x7f")]),
        (HEADER, [journal.JournalItem(9, b"")]),
        (HEADER, [journal.JournalItem(ItemKind.RECORD, EARLY)]),
    ],
)
def test_foreign_journal_is_named_as_foreign(tmp_path, header, records):
    with Journal.create(tmp_path / "journal", header) as book:
        if records:
            book.append(records)
    with pytest.raises(JournalError, match="messages that no game can have"):
        Copy.open(tmp_path / "journal")


def test_journal_with_a_header_alone_is_of_a_game_before_its_first_entry(tmp_path):
    """Each header that is refused differs from HEADER in one field."""
    Journal.create(tmp_path / "journal", HEADER).close()
    assert Copy.open(tmp_path / "journal").chain.roster == ROSTER


def test_record_before_the_greetings_is_an_offence_of_nobody():
    offence = JournalItem(ItemKind.OFFENCE, bytes([Kind.REC]) + EARLY)
    found = recall_chain(HEADER, [offence]).offence
    assert found is not None
    assert (found.violation.check, found.violation.seat) == (Check.RECORD, None)


def damaged(how: str, chain: Chain, other: Chain) -> list[JournalItem]:
    """Return items for a journal of ``chain`` that no game can hold."""
    items = list(since(chain, chain.empty))
    last = chain.entries[-1]
    match how:
        case "an entry is missing":
            return [*items[:3], *items[4:]]
        case "an entry of another game":
            return [*items, JournalItem(ItemKind.ENTRY, other.entries[-1].encoded)]
        case "an entry twice":
            return [*items, items[-1]]
        case "an entry that leads elsewhere":
            seed = chain.secrets.session
            actions = last.fields
            wrong = sign_entry(last.seq, last.seat, last.prev, bytes(16), actions, seed)
            return [*items[:-1], JournalItem(ItemKind.ENTRY, wrong.encoded)]
        case "a record of another game":
            foreign = other.declare(Resign()).records[-1]
            return [*items, JournalItem(ItemKind.RECORD, foreign.encoded)]
        case "a record about an unknown entry":
            entry = EntryId(H("entry"))
            seed = chain.secrets.session
            record = sign_record(chain.table.gid, chain.seat, entry, Resign(), seed)
            return [*items, JournalItem(ItemKind.RECORD, record.encoded)]
        case "a record before the greetings":
            early = chain.declare(Resign()).records[-1]
            return [JournalItem(ItemKind.RECORD, early.encoded), *items]
        case _:  # an offence that is none
            frame = bytes([Kind.MSG]) + last.encoded
            return [*items[:-1], JournalItem(ItemKind.OFFENCE, frame)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        "an entry is missing",
        "an entry of another game",
        "an entry twice",
        "an entry that leads elsewhere",
        "a record of another game",
        "a record about an unknown entry",
        "a record before the greetings",
        "an offence that is none",
    ],
)
def test_items_recalled_unverified_belong_to_this_game(tmp_path, how):
    """A journal's signatures and proofs are believed in reading; everything else is checked."""
    host, guest = pair(tmp_path / "one")
    other, their = pair(tmp_path / "other", seed="another")
    for copies in ((host, guest), (other, their)):
        talk(*copies, 5)
    items = damaged(how, host.chain, other.chain)
    with pytest.raises(CheckError):
        recall_chain(header_of(host.chain), items)


def test_proxy_is_remembered_by_the_journal_from_its_first_byte(tmp_path):
    """A later game keeps the proxy; without a proxy the journal says so."""
    proxy = Server("127.0.0.1", 9050)
    path = tmp_path / "mine" / "journal"
    chain = pair(tmp_path)[0].chain
    hidden = chain.empty.behind(proxy)
    assert recall_chain(header_of(hidden), ()).proxy == proxy
    theirs = PeerAddresses(at_port([IPv4Address("192.0.2.1")], 2063))
    book = Copy(Ledger(path, hidden))
    book.ledger.become(replace(chain, proxy=proxy))
    book.ledger.become(book.chain.with_addresses(book.peer, theirs))
    book = book.reopened()
    assert book.chain.proxy == proxy
    following = Again(chain.roster, own_seat("chain", 0, "Mina"), b"", ())
    assert next_chain(book.chain, following).proxy == proxy
    for other in (Server("::1", 9150), None):
        book.ledger.become(book.chain.behind(other))
        book = book.reopened()
        assert book.chain.proxy == other
    assert book.chain.ways == {book.peer: theirs}
