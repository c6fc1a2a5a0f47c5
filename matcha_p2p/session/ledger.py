"""A copy of a game together with the journal that makes the copy durable.

A journal is made before the greetings, so a game that is cut there is resumed.

Every function here blocks: event loops call the functions in a thread.
"""

import enum
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from secrets import token_bytes
from typing import Final, Self

from matcha_p2p import errors, wall_clock
from matcha_p2p.chain.records import check_subject
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.games import game_of
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.session.chain import Chain, Offence
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.session.storage.talk import TalkOfAGame
from matcha_p2p.table.seat import Secrets
from matcha_p2p.table.step import recall
from matcha_p2p.transport.framing import Frame, Kind, decode_body, encode_body
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.servers import Server, socks_proxy
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.record import Record, parse_record
from matcha_p2p.wire.roster import parse_roster
from matcha_p2p.wire.talk import decode_way, encode_way
from matcha_p2p.wire.words import NONCE_SIZE


class ItemKind(enum.IntEnum):
    """What a game's journal remembers."""

    ENTRY = 1
    RECORD = 2
    THEIR_WAY = 3
    """The byte of another seat, and where that seat waits for new links; its last such item
    counts."""
    OUR_WAY = 4
    """Where we wait for new links; the last such item counts."""
    OFFENCE = 5
    """The frame with the breach that ended the game: kind and payload."""
    HEARD_AT = 6
    """When the entries before this item came, by our clock: seconds since 1970, 8 bytes."""
    RUN = 7
    """The number of a restarted program: 8 bytes. The last such item counts."""
    PROXY = 8
    """The proxy that dials in our place from now on, as in the header; the last such item
    counts."""


HEADER_VERSION: Final = 2


class Ledger:
    """One game of one seat.

    chain: the durable copy, once the game has begun. marks: the folder that remembers the
    length of each journal, or None. talk: the talk of the game. heard_at: when another
    seat's last entry came, in seconds since 1970, or None if unknown.
    """

    def __init__(
        self,
        path: Path,
        chain: Chain,
        marks: Path | None = None,
        journal: Journal | None = None,
    ) -> None:
        self.path: Final = path
        self.marks: Final = marks
        self.chain = chain
        self.talk: Final = TalkOfAGame(path)
        self.heard_at: int | None = None
        self._journal = journal

    @classmethod
    def open(cls, path: Path, marks: Path | None = None, *, older: bool = False) -> Self:
        """Take up the game whose journal is at ``path``.

        older: whether to open an older copy of the journal too.

        Raises:
            JournalError: the journal cannot be read, is in use, or is an older copy.
            UnknownGameError: the game is not installed.
        """
        journal, remembered = Journal.open(path, marks, older=older)
        try:
            chain = recall_chain(journal.header, remembered)
        except errors.UnknownGameError:
            journal.close()
            raise
        except errors.CheckError as error:
            journal.close()
            raise errors.JournalError(
                "{path} contains messages that no game can have (check {check}).",
                code="journal-foreign",
                path=path,
                check=error.check.value,
            ) from None
        ledger = cls(path, chain, marks, journal)
        ledger.talk.recall(chain.seats)
        started = chain.restarted(wall_clock.seconds(), token_bytes(NONCE_SIZE))
        if started.run != chain.run:
            journal.append(since(started, chain))
        ledger.chain = started
        times = [item.body for item in remembered if item.kind == ItemKind.HEARD_AT]
        ledger.heard_at = int.from_bytes(times[-1], "big") if times else None
        return ledger

    def holds(self, chain: Chain) -> bool:
        """Tell whether ``chain`` is durable as it is."""
        return self._journal is not None and chain is self.chain

    def become(self, chain: Chain) -> None:
        """Make the new part of ``chain``, a later state of our copy, durable; then adopt it."""
        if self._journal is None:
            self._journal = Journal.create(self.path, header_of(chain), self.marks)
            self.chain = chain.empty
        items = since(chain, self.chain)
        if any(entry.seat != chain.seat for entry in chain.entries[len(self.chain.entries) :]):
            self.heard_at = wall_clock.seconds()
            items = (*items, JournalItem(ItemKind.HEARD_AT, self.heard_at.to_bytes(8, "big")))
        if items:
            self._journal.append(items)
        self.chain = chain

    def close(self) -> None:
        """Close the journal; all appended items stay."""
        if self._journal is not None:
            self._journal.close()


def recall_chain(header: bytes, remembered: Sequence[JournalItem]) -> Chain:
    """Return the copy that a journal holds.

    Signatures and proofs were checked before the journal was written, and only we write
    there (PEER#journal): they are not checked again. All the rest is checked. For an
    offence, signature and proofs are checked too.

    Raises:
        CheckError: the journal holds an item that no game can hold.
        UnknownGameError: the game is not installed.
    """
    match unpack(header):
        case [
            int(version),
            int(number),
            bytes(game),
            bytes(session),
            bytes(psk),
            bytes(link),
            bytes(listed),
            str(dialler),
            int(pace),
        ] if version == HEADER_VERSION:
            secrets, roster = Secrets(game, session, link), parse_roster(listed)
            game_of(roster.game.name)
        case _:
            raise EncodingError(Check.ENCODING, "its header is of another version")
    if number not in range(len(roster.seats)):
        raise EncodingError(Check.ENCODING, "its header is of a seat that nobody has")
    begun = Chain.begin(Seat(number), secrets, Psk(psk), roster, _proxy(dialler), pace)
    return reduce(_recall_item, remembered, replace(begun, whole=False))


def _recall_item(chain: Chain, item: JournalItem) -> Chain:
    match item.kind, item.body:
        case (ItemKind.ENTRY, encoded):
            entry = parse_entry(encoded)
            return chain.with_entry(entry, *recall(chain.state, entry))
        case (ItemKind.RECORD, encoded):
            return _recall_record(chain, parse_record(encoded))
        case (ItemKind.THEIR_WAY, encoded) if encoded and encoded[0] < MOST_SEATS:
            return chain.with_addresses(Seat(encoded[0]), decode_way(encoded[1:]))
        case (ItemKind.OUR_WAY, encoded):
            return chain.with_addresses(chain.seat, decode_way(encoded))
        case (ItemKind.OFFENCE, body):
            return _recall_offence(chain, decode_body(body))
        case (ItemKind.RUN, number) if len(number) == 8:
            return replace(chain, run=int.from_bytes(number, "big"))
        case (ItemKind.PROXY, encoded):
            return chain.behind(_proxy(encoded.decode("utf-8", "replace")))
        case (ItemKind.HEARD_AT, _):
            return chain  # is no part of the game
        case _:
            raise EncodingError(Check.ENCODING, "it holds an item of an unknown kind")


def _recall_record(chain: Chain, record: Record) -> Chain:
    if not chain.met:
        raise errors.ProofError(Check.RECORD, "a record before all seats have greeted")
    check_subject(chain.table, chain.entries, record)
    return replace(chain, records=(*chain.records, record))


def _recall_offence(chain: Chain, frame: Frame) -> Chain:
    try:
        if frame.kind is Kind.MSG:
            chain.hear(frame.payload)
        else:
            chain.hear_record(frame.payload)
    except errors.ProtocolViolationError as violation:
        return chain.offended(Offence(violation, frame))
    raise EncodingError(Check.ENCODING, "it holds an offence that is none")


def header_of(chain: Chain) -> bytes:
    """Return the header of a game's journal, secrets included."""
    secrets = chain.secrets
    drawn = secrets.game, secrets.session, chain.psk, secrets.link
    kept = chain.roster.encoded, _text(chain.proxy), chain.pace
    return pack([HEADER_VERSION, chain.seat, *drawn, *kept])


def since(chain: Chain, before: Chain) -> tuple[JournalItem, ...]:
    """Return the items that ``chain`` has and ``before``, an earlier state of it, lacks."""
    ways = [
        (ItemKind.OUR_WAY, encode_way(way))
        if seat == chain.seat
        else (ItemKind.THEIR_WAY, bytes([seat]) + encode_way(way))
        for seat, way in sorted(chain.ways.items())
        if way != before.ways.get(seat)
    ]
    proxies = [_text(chain.proxy).encode()] if chain.proxy != before.proxy else []
    runs = [chain.run.to_bytes(8, "big")] if chain.run != before.run else []
    offences = [chain.offence] if chain.offence is not None and before.offence is None else []
    items = [
        *((ItemKind.PROXY, proxy) for proxy in proxies),
        *((ItemKind.RUN, run) for run in runs),
        *((ItemKind.ENTRY, entry.encoded) for entry in chain.entries[len(before.entries) :]),
        *((ItemKind.RECORD, each.encoded) for each in chain.records[len(before.records) :]),
        *ways,
        *((ItemKind.OFFENCE, encode_body(offence.frame)) for offence in offences),
    ]
    return tuple([JournalItem(kind, body) for kind, body in items])


def _text(proxy: Server | None) -> str:
    return "" if proxy is None else str(proxy)


def _proxy(text: str) -> Server | None:
    """Return the proxy named by ``text``, or None for ""."""
    try:
        return socks_proxy(text) if text else None
    except ValueError:
        raise EncodingError(Check.ENCODING, "it names no proxy") from None
