"""One seat's copy of a game: checked before it is believed, durable before it is visible.

Nothing here waits or sends. ``hear`` takes what the peer sent; ``greet``, ``decide``,
``follow`` and ``declare`` return what to send, and only after the journal has it: after a
crash the very same bytes are sent again, for a second entry at one height would be a fork.
Every function may block on the disk or compute for 0.1 s: event loops call them in a thread.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from matcha_p2p.crypto.sponge import kdf
from matcha_p2p.errors import (
    Check,
    CheckError,
    EncodingError,
    JournalError,
    ProofError,
    ProtocolViolationError,
)
from matcha_p2p.machine.events import Event, GameEnded
from matcha_p2p.machine.fork import check_fork
from matcha_p2p.machine.records import alike, check_record, exposed, resigned
from matcha_p2p.machine.step import step
from matcha_p2p.machine.table import SEATS, Greeted, Over, Start, State, Table, next_due
from matcha_p2p.player.hand import look, own_faces
from matcha_p2p.player.reply import Offer, decide, follow, greet, state_record
from matcha_p2p.player.secret import Player, Secrets, take_seat
from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.game import resign
from matcha_p2p.rules.moves import Move, Seat
from matcha_p2p.rules.observation import Observation
from matcha_p2p.rules.phases import Ended
from matcha_p2p.session import journal
from matcha_p2p.session.journal import Journal
from matcha_p2p.transcript.archive import encode_archive
from matcha_p2p.transcript.entry import Entry, parse_entry
from matcha_p2p.transcript.record import Record, parse_record
from matcha_p2p.transcript.sync import parse_sync, sign_sync
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.records import Statement
from matcha_p2p.wire.talk import Reach, decode_talk, encode_talk

ENTRY: Final = 1
RECORD: Final = 2
THEIR_REACH: Final = 3
OUR_REACH: Final = 4
"""Kinds of what a game's journal remembers; of a reach, where a seat waits, the last counts."""

HEADER_VERSION: Final = 1

MOST_RECORDS: Final = 16
"""Records of one kind that are kept of a seat: each goes into the file."""

MOST_MOVES: Final = 64
"""How often a run of the program writes down at once that a seat waits elsewhere."""


@dataclass(frozen=True, slots=True)
class Said:
    """What is now durable and may be sent, and what came of it."""

    encoded: bytes
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Resumption:
    """What a SYNC tells. length: of the peer's copy. entries, records: what to send it."""

    length: int
    entries: tuple[bytes, ...]
    records: tuple[bytes, ...]


class Chain:
    """The entries and records of one game, as ``seat`` knows them, and its journal."""

    def __init__(
        self, seat: Seat, secrets: Secrets, start: Start, psk: bytes, book: Journal
    ) -> None:
        self.seat: Final = seat
        self.state: State = start
        self.entries: Final[list[Entry]] = []
        self.records: Final[list[Record]] = []
        self.reaches: Final[dict[int, Reach]] = {}
        self._secrets: Final = secrets
        self._psk: Final = psk
        self._player: Player | None = None
        self._book: Final = book
        self._unwritten: Final[list[journal.Record]] = []
        self._diverged = False
        self._moves = 0

    @classmethod
    def create(
        cls, path: Path, seat: Seat, secrets: Secrets, binding: bytes, psk: bytes
    ) -> Self:
        """Begin a game with a new journal at ``path``.

        binding: of the link it begins on. psk: 32 bytes, the invite's.

        Raises:
            JournalError: the journal cannot be made.
        """
        header = pack([HEADER_VERSION, seat, secrets.game, secrets.session, binding, psk])
        return cls(seat, secrets, Start(binding), psk, Journal.create(path, header))

    @classmethod
    def open(cls, path: Path) -> Self:
        """Take up the game whose journal is at ``path``, as far as it is durable.

        Raises:
            JournalError: the journal cannot be read, is in use, or holds no game that has
                begun: without both greetings there is nothing to go on with.
        """
        book, remembered = Journal.open(path)
        try:
            chain = cls._unfold(book, remembered)
        except CheckError as error:
            book.close()
            raise JournalError(
                "{path} holds what no game can hold, by {check}. [journal-foreign]",
                path=path,
                check=error.check.value,
            ) from None
        if not chain.met:
            book.close()
            raise JournalError("The game in {path} had not begun. [journal-empty]", path=path)
        return chain

    @classmethod
    def _unfold(cls, book: Journal, remembered: Sequence[journal.Record]) -> Self:
        """Fold what was remembered through the very checks that it passed when it came."""
        match unpack(book.header):
            case [
                int(version),
                int(seat),
                bytes(game),
                bytes(session),
                bytes(start),
                bytes(psk),
            ] if version == HEADER_VERSION:
                chain = cls(seat, Secrets(game, session), Start(start), psk, book)
            case _:
                raise EncodingError(Check.ENCODING, "its header is of another version")
        for item in remembered:
            chain._remember(item)
        chain._unwritten.clear()
        if chain.met:
            chain._player = take_seat(seat, chain.entries[seat].prev, chain._secrets)
        return chain

    @property
    def path(self) -> Path:
        """Where the journal lies."""
        return self._book.path

    @property
    def table(self) -> Table:
        """The game, once both seats have greeted each other."""
        match self.state:
            case Table():
                return self.state
            case _:
                raise RuntimeError("the seats have not greeted each other yet")

    @property
    def met(self) -> bool:
        """Whether both seats have greeted each other."""
        return isinstance(self.state, Table)

    @property
    def resigned(self) -> Seat | None:
        """Who has conceded, if that is how the game ends."""
        return resigned(self.table, self.entries, self.records) if self.met else None

    @property
    def last_word(self) -> Seat:
        """Who has said what ends the game, or the last thing so far: the other may lack it."""
        return self.entries[-1].seat if self.resigned is None else self.resigned

    @property
    def exposed(self) -> frozenset[Seat]:
        """Which seats have opened their book."""
        keys = exposed(self.records)
        return frozenset(seat for seat in SEATS if keys[seat] is not None)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to be said: both signed the result, or one has conceded."""
        return self.met and (self.resigned is not None or self.table.phase == Over())

    @property
    def ended(self) -> GameEnded | None:
        """How the game has ended, or None while it is undecided."""
        if not self.met:
            return None
        game = self.table.game
        if self.resigned is not None:
            game = resign(game, self.resigned)
        match game.phase:
            case Ended() as ended:
                return GameEnded(ended, game.tokens)
            case _:
                return None

    def greet(self, offer: Offer) -> Said:
        """Say HELLO, when it is this seat's turn to."""
        match self.state:
            case Start() | Greeted() as state:
                self._player = take_seat(self.seat, state.head, self._secrets)
                entry = greet(self._player, state, offer)
                after, events = step(state, entry)
                return self._commit(entry, after, events)
            case Table():
                raise RuntimeError("the seats have greeted each other already")

    def hear(self, encoded: bytes) -> tuple[Event, ...]:
        """Take an entry of the peer; it becomes durable with the answer that it causes.

        Raises:
            ProtocolViolationError: the entry is refused, and nothing has changed.
        """
        try:
            entry = parse_entry(encoded)
        except CheckError as error:
            place = len(self.entries)
            raise ProtocolViolationError(error.check, None, place, str(error)) from None
        if self._diverged and entry.id in {known.id for known in self.entries}:
            return ()
        check_fork(self.state, self.entries, entry)
        self.state, events = step(self.state, entry)
        self.entries.append(entry)
        self._unwritten.append(journal.Record(ENTRY, encoded))
        return events

    def _remember(self, item: journal.Record) -> None:
        match item.kind, item.body:
            case (1, entry):
                self.hear(entry)
            case (2, record):
                self.hear_record(record)
            case (kind, body):
                talk = decode_talk(body)
                if isinstance(talk, Reach):
                    self.reaches[kind] = talk

    @property
    def resume_psk(self) -> bytes:
        """The 32-byte key of this game's later links, which no other invite's holder has."""
        return kdf(self._psk, b"matcha/v1 resume psk" + self.table.gid, 32)

    def note_reach(self, kind: int, reach: Reach) -> None:
        """Remember where a seat waits (THEIR_REACH, OUR_REACH); the first 64 times durably.

        At once, for who starts again elsewhere must know it. After that, with the next thing
        said: however often the peer moves, it does not fill the disk.
        """
        if self.reaches.get(kind) == reach:
            return
        self.reaches[kind] = reach
        self._unwritten[:] = [record for record in self._unwritten if record.kind != kind]
        self._unwritten.append(journal.Record(kind, encode_talk(reach)))
        self._moves += 1
        if self._moves <= MOST_MOVES:
            self.settle()

    def sync(self, binding: bytes) -> bytes:
        """Return the SYNC for the link ``binding``: how far this copy durably goes."""
        self.settle()
        seed = self._secrets.session
        return sign_sync(self.table.gid, self.table.length, self.table.head, binding, seed)

    def hear_sync(self, encoded: bytes, binding: bytes) -> Resumption:
        """Take the peer's SYNC; return what it lacks and how far it goes itself.

        If the two copies have gone different ways, all entries go to the peer, so that each
        side finds the first difference, and with it who has signed two things at one place.

        Raises:
            ProtocolViolationError: E_SIG if it was not made for this link, E_RESUME if it is
                of another game.
        """
        place = len(self.entries) + len(self.records)
        peer: Seat = 1 - self.seat
        author: Seat | None = None
        try:
            sync = parse_sync(encoded, binding)
            sync.signed.check(self.table.hellos[peer].session_key)
            author = peer
            if sync.gid != self.table.gid or sync.length < 2:
                raise ProofError(Check.RESUME, "the peer resumes another game")
        except CheckError as error:
            raise ProtocolViolationError(error.check, author, place, str(error)) from None
        known = sync.length <= len(self.entries)
        self._diverged = known and self.entries[sync.length - 1].id != sync.head
        first = 0 if self._diverged else sync.length
        missing = tuple(entry.encoded for entry in self.entries[first:])
        records = tuple(record.encoded for record in self.records)
        return Resumption(sync.length, missing, records)

    def hear_record(self, encoded: bytes) -> Record:
        """Take a record, of the peer or one of our own that we had lost.

        More than 16 of a kind are checked and forgotten: said again, it says no more.

        Raises:
            ProtocolViolationError: the record is refused, and nothing has changed.
        """
        place = len(self.entries) + len(self.records)
        try:
            record = parse_record(encoded)
            if not self.met:
                raise ProofError(Check.RECORD, "a record before both seats have greeted")
        except CheckError as error:
            raise ProtocolViolationError(error.check, None, place, str(error)) from None
        if record in self.records:
            return record  # said again after a SYNC
        check_record(self.table, self.entries, record, place)
        if sum(alike(known, record) for known in self.records) >= MOST_RECORDS:
            return record
        self.records.append(record)
        self._unwritten.append(journal.Record(RECORD, encoded))
        return record

    def observation(self) -> Observation | None:
        """Return what this seat has to decide upon now, or None if it has nothing to decide."""
        if not self.met or self.finished:
            return None
        due = next_due(self.table)
        mine = due is not None and due.decision and due.seat == self.seat
        return look(self._seated, self.table) if mine else None

    def own_hand(self) -> tuple[Face, ...]:
        """Return the faces of our cards of this set, () if they are not dealt yet."""
        dealt = bool(self.table.hands[self.seat].shares)
        return own_faces(self._seated, self.table) if dealt else ()

    def decide(self, move: Move) -> Said:
        """Make ``move``.

        Raises:
            IllegalMoveError: it is not this seat's to make now; nothing was signed.
        """
        return self._commit(*decide(self._seated, self.table, move))

    def follow(self) -> Said | None:
        """Say all that this seat owes without a decision; None if it owes nothing."""
        if not self.met or self.finished:
            return None
        reply = follow(self._seated, self.table)
        return None if reply is None else self._commit(*reply)

    def declare(self, statement: Statement) -> Said:
        """Make a record of ``statement`` about the game as it stands."""
        record = state_record(self._seated, self.table, statement)
        self._write(journal.Record(RECORD, record.encoded))
        self.records.append(record)
        return Said(record.encoded, ())

    @property
    def game_key(self) -> int:
        """The secret that EXPOSE gives away."""
        return self._seated.x

    def settle(self) -> None:
        """Make durable what was heard since the last thing said."""
        if self._unwritten:
            self._write()

    def transcript(self) -> bytes:
        """Return the game as the file that anybody can verify."""
        return encode_archive(
            [entry.encoded for entry in self.entries],
            [record.encoded for record in self.records],
        )

    def close(self) -> None:
        """Close the journal."""
        self._book.close()

    @property
    def _seated(self) -> Player:
        if self._player is None:
            raise RuntimeError("this seat has made no keys yet")
        return self._player

    def _commit(self, entry: Entry, after: State, events: tuple[Event, ...]) -> Said:
        self._write(journal.Record(ENTRY, entry.encoded))
        self.entries.append(entry)
        self.state = after
        return Said(entry.encoded, events)

    def _write(self, *own: journal.Record) -> None:
        """Write what was heard and then ``own`` in one commit; only then may it be sent."""
        self._book.append([*self._unwritten, *own])
        self._unwritten.clear()
