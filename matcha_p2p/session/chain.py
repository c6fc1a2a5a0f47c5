"""One seat's copy of a game: all entries and records, each checked before the copy takes it in.

Nothing here waits, sends or writes: every change returns a new copy. The caller makes the
difference durable (``ledger.py``) before sending or showing anything, as PEER#journal demands:
after a crash the same bytes are sent again.

Any function here may compute for 0.1 s: call the functions in a thread.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from matcha_p2p.chain import records as chain_records
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.fork import check_fork
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import (
    Check,
    CheckError,
    ProofError,
    ProtocolViolationError,
)
from matcha_p2p.games import find, game_of
from matcha_p2p.games import game as game_interface
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.link_keys import pair_psk
from matcha_p2p.session.connection.word_kinds import BY_FRAME
from matcha_p2p.session.words import DrawnSeat, WordsHeard, newest
from matcha_p2p.table import seat as table_seat
from matcha_p2p.table.game import OfTeams
from matcha_p2p.table.step import TableEvent, step
from matcha_p2p.table.table import Greetings, State, Table, next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.transport.servers import Server
from matcha_p2p.wire import admission, again, statements
from matcha_p2p.wire import said as wire_said
from matcha_p2p.wire import words as wire_words
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.names import GameId, RosterId
from matcha_p2p.wire.record import Record, parse_record
from matcha_p2p.wire.roster import Roster
from matcha_p2p.wire.talk import PeerAddresses, Phrase, Say
from matcha_p2p.wire.watching import Admission

MOST_RECORDS: Final = 16
"""The most records of one kind that are stored for a seat; all go into the transcript.

Of a kind of RESIGN, one record at each head is stored, so all copies come to the same end.
"""

SHORTEST_PAUSE: Final = 0.5
PAUSES: Final = 2.0
"""Seconds of a pass that the program makes: from the shortest, with a range of PAUSES."""

WAY_CHANGES_LIMIT: Final = 64
"""How often a seat may announce new addresses in one run of the program."""


@dataclass(frozen=True, slots=True)
class Offence:
    """A frame that its author signed and that breaks a check: the proof of a breach.

    With the chain before it, the frame convinces anybody.
    """

    violation: ProtocolViolationError
    frame: Frame


@dataclass(frozen=True, slots=True)
class Missing:
    """The encoded entries and the later records that the author of a SYNC lacks."""

    entries: tuple[bytes, ...]
    records: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The entries and records of one game, as ``seat`` knows them.

    psk: the invite's psk, 32 bytes; after a rematch, its replacement. ways: the known addresses
    where seats wait for other links. way_changes: how often each other seat has announced new
    addresses.

    whole: whether this copy surely has all entries and records that this seat ever signed. If
    the program that began the game still runs, the copy is whole. After a restart, the copy
    becomes whole once each other seat has announced its entries here, and the copy has them.
    shown: the seats whose announced entries this copy has. run: the number of this program, 0
    for the program that began the game. words: what the seats ask and answer.

    told: the events of this seat, in order.

    diverged: whether the latest SYNC announces a different game. offence: the breach that ended
    the game, or None. own_next: our seat in the next game, once we wish one.
    proxy: dials in our place and hides our addresses, or None.
    pace: the seconds of a window, as the host has chosen; 0 at a table without a clock.
    """

    seat: Seat
    secrets: table_seat.Secrets = field(repr=False)
    psk: Psk = field(repr=False)
    state: State
    player: table_seat.Player | None = field(default=None, repr=False)
    entries: tuple[Entry, ...] = ()
    records: tuple[Record, ...] = ()
    ways: Mapping[Seat, PeerAddresses] = field(default_factory=dict[Seat, PeerAddresses])
    way_changes: Mapping[Seat, int] = field(default_factory=dict[Seat, int])
    whole: bool = True
    shown: frozenset[Seat] = frozenset()
    run: int = 0
    words: WordsHeard = field(default_factory=WordsHeard)
    told: tuple[game_interface.Event, ...] = field(default=(), repr=False)
    diverged: bool = False
    offence: Offence | None = None
    own_next: DrawnSeat | None = field(default=None, repr=False)
    proxy: Server | None = None
    pace: int = 0

    @classmethod
    def begin(
        cls,
        seat: Seat,
        secrets: table_seat.Secrets,
        psk: Psk,
        roster: Roster,
        proxy: Server | None = None,
        pace: int = 0,
    ) -> Self:
        """Return the empty copy of a new game."""
        state = Greetings.of_roster(roster, find)
        return cls(seat, secrets, psk, state, proxy=proxy, pace=pace)

    @property
    def empty(self) -> Self:
        """The copy of this game before its first entry."""
        return self.begin(self.seat, self.secrets, self.psk, self.roster, self.proxy, self.pace)

    @property
    def roster(self) -> Roster:
        """Who sits where."""
        return self.state.roster

    # --- what it says ------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table, once all seats have greeted each other."""
        match self.state:
            case Table():
                return self.state
            case _:
                raise RuntimeError("the seats have not greeted each other yet")

    @property
    def met(self) -> bool:
        """Whether all seats have greeted each other."""
        return isinstance(self.state, Table)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, ascending, also before they have greeted each other."""
        return tuple(map(Seat, range(len(self.roster.seats))))

    @property
    def greets(self) -> bool:
        """Whether it is our turn to greet, and this copy surely has all that we have signed."""
        return not self.met and len(self.entries) == self.seat and self.whole

    @property
    def running(self) -> int:
        """How many moves were made in the unfinished part of the game."""
        return self._game.running(self.table)

    @property
    def others(self) -> tuple[Seat, ...]:
        """All seats but ours, ascending."""
        return tuple([seat for seat in self.seats if seat != self.seat])

    @property
    def persons(self) -> tuple[Seat, ...]:
        """The other seats, ascending, without the bots of the host's program."""
        return tuple([seat for seat in self.others if not self.roster.seats[seat].bot])

    @property
    def neighbours(self) -> tuple[Seat, ...]:
        """The seats to which this seat has a link: the host is in the middle of a star."""
        return self.others if self.seat == 0 else (Seat(0),)

    @property
    def apart(self) -> frozenset[Seat]:
        """The seats of other programs; the bots play in the host's program (PEER#lobby)."""
        host = {0, *(seat for seat, player in enumerate(self.roster.seats) if player.bot)}
        return frozenset(self.others).difference(host if self.seat in host else ())

    @property
    def beside(self) -> frozenset[Seat]:
        """The seats to which a direct link helps, beside the links of the star.

        These are the other guests. The host has a link to each seat, and a bot has the host.
        """
        guests = self._guests
        return guests - {self.seat} if self.seat in guests else frozenset()

    @property
    def _guests(self) -> frozenset[Seat]:
        """The persons without the host."""
        listed = self.roster.seats[1:]
        return frozenset(Seat(seat) for seat, each in enumerate(listed, 1) if not each.bot)

    @property
    def id(self) -> GameId | RosterId:
        """The id of the game; of its roster, until all seats have greeted each other."""
        return self.table.gid if self.met else self.roster.id

    def name_of(self, seat: Seat) -> str:
        """Return the name of the player at ``seat``."""
        return self.roster.seats[seat].name

    @property
    def resigned(self) -> Seat | None:
        """The seat that conceded; None if the game does not end by a resignation."""
        resignation = self._resignation
        return None if resignation is None else resignation.seat

    @property
    def _resignation(self) -> chain_records.Resignation | None:
        return (
            chain_records.resigned(self.table, self.entries, self.records) if self.met else None
        )

    def has_resignation_for(self, peer: Seat) -> bool:
        """Tell whether this copy has the resignation that a SYNC of ``peer`` may announce.

        HERE shows our own.
        """
        return chain_records.has_other_resigned(self.records, peer)

    def resignation(self, seat: Seat) -> statements.Statement:
        """Return how ``seat`` resigns now: alone, or with the partner if the game has teams."""
        game = self.table.game
        if not isinstance(game, OfTeams):
            return statements.Resign()
        offer = next(self._open_offers(game.partner(seat)), None)
        return (
            statements.ResignOffer() if offer is None else statements.ResignTogether(offer.id)
        )

    @property
    def offers_to_resign(self) -> bool:
        """Whether our own offer to resign with the partner is open."""
        return any(self._open_offers(self.seat))

    @property
    def agrees_to_resign(self) -> bool:
        """Whether both partners offer to resign, and the game goes on: each agrees."""
        if not self.offers_to_resign or self.ended is not None:
            return False
        return isinstance(self.resignation(self.seat), statements.ResignTogether)

    def open_offers(self) -> Iterator[tuple[Record, Seat]]:
        """Yield the open offers to resign of all seats, each with the partner's seat."""
        game = self.table.game
        if isinstance(game, OfTeams):
            for seat in self.table.seats:
                for offer in self._open_offers(seat):
                    yield offer, game.partner(seat)

    def _open_offers(self, seat: Seat) -> Iterator[Record]:
        return chain_records.open_offers(self.entries, self.records, seat)

    @property
    def last_word(self) -> Seat:
        """The seat that sent the last entry, or resigned.

        Another seat may lack this message.
        """
        return self.entries[-1].seat if self.resigned is None else self.resigned

    @property
    def exposed(self) -> frozenset[Seat]:
        """The seats that have opened their book, by exposing the game key."""
        return frozenset(chain_records.exposed(self.records))

    @property
    def finished(self) -> bool:
        """Whether the game is complete: all have signed the result, or one has conceded."""
        return self.met and (self.resigned is not None or not self.table.owing)

    @property
    def ended(self) -> game_interface.End | None:
        """How the game has ended, or None while it is undecided."""
        resignation = self._resignation
        if resignation is None:
            return self._game.ended(self.table, None) if self.met else None
        then = self.table
        if resignation.place < len(self.entries) - 1:
            begin = Greetings.of_roster(self.roster, find)
            then = chain_records.table_then(begin, self.entries, resignation)
        return self._game.ended(then, resignation.seat)

    @property
    def game(self) -> game_interface.GameState:
        """The public state of the game."""
        return self._game.state(self.table)

    @property
    def view(self) -> game_interface.View | None:
        """The view of this seat if a decision of ours is due now, else None."""
        if not self.met or self.finished:
            return None
        due = next_due(self.table)
        mine = due is not None and due.decision and due.seat == self.seat
        return self._game.look(self._player, self.table, self.told) if mine else None

    @property
    def window(self) -> int:
        """The number of the running window, 0 without a window or without a clock."""
        return self._game.window(self.table) if self.pace and self.met else 0

    @property
    def pause(self) -> float:
        """The seconds that a pass takes here, drawn anew at each place of the chain."""
        random = table_seat.seeded(self.secrets.game, self.state.head, self.seat)
        drawn = int.from_bytes(random("pause", b"", 8), "big")
        return SHORTEST_PAUSE + PAUSES * drawn / (1 << 64)

    @property
    def hand(self) -> tuple[Any, ...]:
        """The faces of our cards, () if they are not dealt yet."""
        return self._game.hand(self._player, self.table)

    def next(self) -> str:
        """Return the variant of the next game; the seats stay."""
        return self._game.again(self.table)

    @property
    def game_key(self) -> int:
        """The secret that EXPOSE gives away."""
        return self._player.x

    def link_psk(self, dialler: Seat, answerer: Seat) -> Psk:
        """Return the psk for later links that ``dialler`` dials to ``answerer``.

        One of the two seats is ours.

        Raises:
            HandshakeError: the other seat's link key is worthless.
        """
        roster = self.roster
        other = roster.seats[answerer if dialler == self.seat else dialler].link_key
        return pair_psk(self.psk, self.secrets.link, other, roster.id, (dialler, answerer))

    @property
    def transcript(self) -> bytes:
        """The game as a file that anybody can verify."""
        return encode_archive(*_items(self.entries, self.records), self.roster)

    @property
    def evidence(self) -> bytes:
        """The file that convinces anybody of the offence; our own ABORT is left out."""
        if self.offence is None:
            raise RuntimeError("nobody has broken the protocol")
        frame = self.offence.frame
        pointer = statements.Abort(self.offence.violation.check.value, H("msg", frame.payload))
        kept = tuple(record for record in self.records if record.statement != pointer)
        entries, records = _items(self.entries, kept)
        (entries if frame.kind is Kind.MSG else records).append(frame.payload)
        return encode_archive(entries, records, self.roster)

    @property
    def _game(self) -> game_interface.Rules:
        return game_of(self.table.game.name).rules

    @property
    def _player(self) -> table_seat.Player:
        if self.player is None:
            raise RuntimeError("this seat has made no keys yet")
        return self.player

    # --- what it hears -----------------------------------------------------------------------

    def hear(self, encoded: bytes) -> tuple[Self, tuple[game_interface.Event, ...]]:
        """Check and add an entry of another seat, or one of our own after a loss.

        A known entry changes nothing: several neighbours may send the entry.

        Raises:
            ProtocolViolationError: the entry is refused.
        """
        place = len(self.entries)
        try:
            entry = parse_entry(encoded)
        except CheckError as error:
            raise ProtocolViolationError(error.check, None, place, str(error)) from None
        if entry.id in {known.id for known in self.entries[entry.seq : entry.seq + 1]}:
            return self, ()
        check_fork(self.state, self.entries, entry)
        after, events = step(self.state, entry)
        if own := [record for record in self.records if record.seat == entry.seat]:
            log = chain_records.Log((*self.entries, entry))
            for record in own:
                _check_not_contradicted(log, record, place)
        heard = self.with_entry(entry, after, events)
        return heard, heard.told[len(self.told) :]

    def with_entry(self, entry: Entry, after: State, events: tuple[TableEvent, ...]) -> Self:
        """Return the copy with ``entry``, which leads to ``after``; make our keys if due."""
        entries, player = (*self.entries, entry), self.player
        if player is None and isinstance(after, Table):  # an earlier run signed our HELLO
            player = table_seat.take_seat(self.seat, entries[self.seat].prev, self.secrets)
        told = (*self.told, *_told(after, player, events))
        return replace(self, state=after, entries=entries, player=player, told=told)

    def hear_record(self, encoded: bytes) -> tuple[Self, Record]:
        """Check and add a record of another seat, or one of our own after a loss.

        For each seat 16 records of a kind are stored; further records are only checked. A SYNC
        counts only while the announced entries are missing, and once for each head. Of a RESIGN
        of a kind, one record is stored for each head.

        Raises:
            ProtocolViolationError: the record is refused.
        """
        place = len(self.entries) + len(self.records)
        try:
            record = parse_record(encoded)
            if not self.met:
                raise ProofError(Check.RECORD, "a record before all seats have greeted")
        except CheckError as error:
            raise ProtocolViolationError(error.check, None, place, str(error)) from None
        if record in self.records:
            return self, record  # said again after a SYNC
        log = chain_records.Log(self.entries)
        chain_records.check_record(self.table, log, record, place)
        if not self._has_room_for(record):
            return self, record
        return replace(self, records=(*self.records, record)), record

    def _has_room_for(self, record: Record) -> bool:
        """Tell whether ``record`` is to be stored."""
        known = [other for other in self.records if chain_records.alike(other, record)]
        if isinstance(record.statement, statements.ResignOffer | statements.GivesUp):
            return record.head not in {other.head for other in known}
        if isinstance(record.statement, statements.Sync):
            if chain_records.is_shown(self.entries, self.records, record):
                return False
            # A SYNC that has come true uses up no place: the next SYNC may be a lie.
            known = [
                other
                for other in known
                if not chain_records.is_shown(self.entries, self.records, other)
            ]
            if record.head in {other.head for other in known}:
                return False
        return len(known) < MOST_RECORDS

    def hear_sync(
        self, encoded: bytes, binding: Binding, peer: Seat
    ) -> tuple[Self, statements.Sync]:
        """Check the SYNC of ``peer`` for the link ``binding``: how far the peer's copy goes.

        If the SYNC announces entries that this copy lacks, the SYNC is stored as a record.

        Raises:
            CheckError: the SYNC is not the peer's SYNC for this game and link.
            ProtocolViolationError: the peer has signed a contradiction (E_SYNC).
        """
        chain, record = self.hear_record(encoded)
        sync = _sync_of(record, binding, peer)
        known = sync.length <= len(self.entries)
        diverged = known and self.entries[sync.length - 1].id != record.head
        return replace(chain, diverged=diverged), sync

    def hear_early_sync(self, encoded: bytes, binding: Binding, peer: Seat) -> statements.Sync:
        """Return the SYNC of ``peer`` for the link ``binding``, before our copy has the game.

        Raises:
            CheckError: the SYNC is not the peer's SYNC for this link.
        """
        record = parse_record(encoded)
        sync = _sync_of(record, binding, peer)
        record.signed.check(self._session_keys[peer])
        return sync

    def missing(self, sync: statements.Sync, peer: Seat) -> Missing:
        """Return the entries and records that ``peer``, the author of ``sync``, lacks.

        ``sync`` is the latest SYNC. Some entries may be the author's own, lost when a backup
        replaced the game folder. If the two copies differ, return everything: then each side
        finds the first difference, and the seat that signed two entries there.
        """
        first = 0 if self.diverged else sync.length
        return Missing(
            tuple(entry.encoded for entry in self.entries[first:]),
            tuple(
                record.encoded
                for record in self.records
                if not isinstance(record.statement, statements.Sync)
                or (record.seat == peer and record.statement.length > sync.length)
            ),
        )

    def hear_addresses(self, peer: Seat, way: PeerAddresses) -> Self:
        """Note the addresses at which ``peer`` listens; too many changes are ignored."""
        changes = self.way_changes.get(peer, 0)
        if self.ways.get(peer) == way or changes >= WAY_CHANGES_LIMIT:
            return self
        counted = {**self.way_changes, peer: changes + 1}
        return replace(self.with_addresses(peer, way), way_changes=counted)

    def behind(self, proxy: Server | None) -> Self:
        """Let ``proxy`` dial in our place, or nobody; behind a proxy we have no addresses."""
        ways = {
            seat: way for seat, way in self.ways.items() if proxy is None or seat != self.seat
        }
        return replace(self, ways=ways, proxy=proxy)

    def with_addresses(self, seat: Seat, way: PeerAddresses) -> Self:
        """Note the addresses at which ``seat`` listens for another link."""
        return replace(self, ways={**self.ways, seat: way})

    def caught_up(self, peer: Seat) -> Self:
        """Note that this copy has all entries and records that ``peer`` has of this seat."""
        if self.whole:
            return self
        shown = self.shown | {peer}
        return replace(self, shown=shown, whole=shown.issuperset(self.others))

    # --- its words ---------------------------------------------------------------------------

    def restarted(self, clock: int, nonce: bytes) -> Self:
        """Begin another run of the program, and ask the others.

        clock: seconds since 1970. nonce: 32 random bytes.
        """
        run = max(self.run + 1, clock)
        return self._asking(self.words, wire_words.AskId(run, 0, nonce))

    def _asking(self, words: WordsHeard, asked: wire_words.AskId) -> Self:
        """Ask, and count no earlier word."""
        ask = wire_words.sign_ask(self._rid, self.seat, asked, self.secrets.session)
        words = words.with_word(ask)
        return replace(self, run=asked.run, words=words, shown=frozenset())

    @property
    def _rid(self) -> RosterId:
        return self.roster.id

    @property
    def _session_keys(self) -> Sequence[bytes]:
        return [seat.session_key for seat in self.roster.seats]

    def hear_word(self, frame: Frame) -> tuple[Self, wire_words.Word]:
        """Check a word of any kind; take it in if it is new.

        Raises:
            CheckError: the word is refused; its bearer has not checked it.
        """
        word = BY_FRAME[frame.kind].parse(frame.payload, self._rid, self._session_keys)
        ours = self.words.asks.get(self.seat)
        if isinstance(word, admission.WatchWord):
            return self._watch_taken(word), word
        if not self.words.news(word):
            return self, word
        match word:
            case again.OpenWord():
                pass  # also our own of an earlier run: no offer can be withdrawn
            case _ if word.seat == self.seat and ours is None:
                return self, word
            case wire_words.AskWord(seat, asked) if seat == self.seat and ours is not None:
                # An ASK of a program that this copy has forgotten.
                later = replace(ours.asked, run=asked.run + 1, attempt=ours.asked.attempt + 1)
                return (self if self.whole else self._asking(self.words, later)), word
            case _ if word.seat == self.seat:
                return self, word  # of an earlier run
            case _:
                pass
        return self._taken(word), word

    def _taken(self, word: wire_words.Word) -> Self:
        """Answer an ASK. If ``word`` shows a later run of its author, ask again."""
        words, ours = self.words.with_word(word), self.words.asks.get(self.seat)
        if isinstance(word, wire_words.AskWord):
            words = words.with_word(self._here(word))
        later = words.run_of(word.seat) > self.words.run_of(word.seat)
        if not later or ours is None or self.whole:
            return replace(self, words=words)
        return self._asking(words, replace(ours.asked, attempt=ours.asked.attempt + 1))

    def _watch_taken(self, word: admission.WatchWord) -> Self:
        """Take a new word about watching; of our own words, only one of an earlier run."""
        ours = word.seat == self.seat and word.run >= self.run
        return self if ours or not self.words.news(word) else self._with_word(word)

    def _here(self, ask: wire_words.AskWord) -> wire_words.HereWord:
        held = newest(ask.seat, self.entries, self.records)
        return wire_words.sign_here(
            self._rid, self.seat, ask, self.run, held, self.secrets.session
        )

    def wish(self, own: DrawnSeat | None) -> Self:
        """Wish another game at the seat ``own``; None says that this seat leaves."""
        following = None
        if own is not None:
            keys = again.NextKeys(own.listed.session_key, own.listed.link_key)
            following = keys, own.secrets.session
        word = again.sign_again(self._rid, self.seat, self.run, following, self.secrets.session)
        return replace(self._with_word(word), own_next=own)

    def hear_wishes(self, wishes: Sequence[again.AgainWord]) -> Self:
        """Take the checked ``wishes`` in, as far as they are new."""
        words = self.words
        for wish in wishes:
            words = words.with_word(wish) if words.news(wish) else words
        return replace(self, words=words)

    def offer_book(self) -> Self:
        """Offer to open our book, once all seats offer it."""
        return self._with_word(again.sign_open(self._rid, self.seat, self.secrets.session))

    def say(self, said: Say | Phrase) -> Self:
        """Say ``said`` to all seats."""
        place = self._place_after(self.words.said.get(self.seat))
        word = wire_said.sign_said(self._rid, self.seat, place, said, self.secrets.session)
        return self._with_word(word)

    def admit(self, ours: Admission) -> Self:
        """Say ``ours`` about watching, unless watching is not mentioned, or it was said."""
        watched = self.words.watched
        if not (ours.most or any(word.admission.most for word in watched.values())):
            return self
        last = watched.get(self.seat)
        if last is not None and (last.admission == ours or last.is_final):
            return self
        place = self._place_after(last)
        word = admission.sign_watch(self._rid, self.seat, place, ours, self.secrets.session)
        return self._with_word(word)

    def say_where(self) -> Self:
        """Tell all seats where we wait for links, if two guests may need it, unless told."""
        way, last = self.ways.get(self.seat), self.words.ways.get(self.seat)
        if way is None or len(self._guests) < 2:
            return self
        way = replace(way, punch_port=None)  # no guest punches a way to another
        if last is not None and last.way == way:
            return self
        place = self._place_after(last)
        word = wire_said.sign_way(self._rid, self.seat, place, way, self.secrets.session)
        return self._with_word(word)

    def _with_word(self, word: wire_words.Word) -> Self:
        return replace(self, words=self.words.with_word(word))

    def _place_after(
        self, last: wire_said.SaidWord | wire_said.WayWord | admission.WatchWord | None
    ) -> tuple[int, int]:
        """Return the run and number of our word after ``last``, our latest word of its kind."""
        if last is None or last.run < self.run:
            return self.run, 0
        return self.run, last.number + 1

    def answered(self) -> Self:
        """Note which seats have answered our ASK, as far as our copy has what they show."""
        given = self.words.given(self.seat, self.entries, self.records)
        chain = self
        for seat in given:
            chain = chain.caught_up(seat)
        return chain

    def offended(self, offence: Offence) -> Self:
        """Note the breach that ends the game."""
        return replace(self, offence=offence)

    # --- what it says to the peer ------------------------------------------------------------

    def greet(self, offer: table_seat.Offer) -> tuple[Self, tuple[game_interface.Event, ...]]:
        """Sign HELLO, when it is this seat's turn to greet."""
        match self.state:
            case Greetings() as state:
                player = table_seat.take_seat(self.seat, state.head, self.secrets)
                entry = table_seat.greet(player, state, offer)
                after, events = step(state, entry)
                entries = (*self.entries, entry)
                told = _told(after, player, events)
                after_greeting = replace(
                    self, player=player, state=after, entries=entries, told=told
                )
                return after_greeting, told
            case Table():
                raise RuntimeError("the seats have greeted each other already")

    def decide(
        self, move: game_interface.Move
    ) -> tuple[Self, tuple[game_interface.Event, ...]]:
        """Make ``move``.

        Raises:
            IllegalMoveError: this seat may not make the move now; nothing was signed.
        """
        return self._with_own(table_seat.decide(self._player, self.table, move))

    def follow(self) -> tuple[Self, tuple[game_interface.Event, ...]]:
        """Sign all due actions that need no decision, if any."""
        if not self.met or self.finished:
            return self, ()
        reply = table_seat.follow(self._player, self.table)
        return (self, ()) if reply is None else self._with_own(reply)

    def _with_own(self, said: table_seat.Said) -> tuple[Self, tuple[game_interface.Event, ...]]:
        told = _told(said.table, self.player, said.events)
        entries, heard = (*self.entries, said.entry), (*self.told, *told)
        return replace(self, state=said.table, entries=entries, told=heard), told

    def declare(self, statement: statements.Statement) -> Self:
        """Make a record of ``statement`` about the game as it stands."""
        record = table_seat.state_record(self._player, self.table, statement)
        return replace(self, records=(*self.records, record))

    def sync(self, binding: Binding) -> bytes:
        """Return the SYNC for the link ``binding``: how far this copy goes, encoded.

        A copy without all HELLOs announces nothing, and its SYNC is empty.
        """
        if not self.met:
            return b""
        resigned = chain_records.has_other_resigned(self.records, self.seat)
        statement = statements.Sync(len(self.entries), binding, resigned)
        return table_seat.state_record(self._player, self.table, statement).encoded


def _sync_of(record: Record, binding: Binding, peer: Seat) -> statements.Sync:
    sync = record.statement
    if isinstance(sync, statements.Sync) and (record.seat, sync.binding) == (peer, binding):
        return sync
    raise ProofError(Check.RECORD, "this is no SYNC of the peer for this link")


def _items(
    entries: Sequence[Entry], records: Sequence[Record]
) -> tuple[list[bytes], list[bytes]]:
    """Return a transcript's entries and records, without SYNCs whose entries have come."""
    kept = [
        record
        for record in records
        if not isinstance(record.statement, statements.Sync)
        or not chain_records.is_shown(entries, records, record)
    ]
    return [entry.encoded for entry in entries], [record.encoded for record in kept]


def _told(
    state: State, player: table_seat.Player | None, events: tuple[TableEvent, ...]
) -> tuple[game_interface.Event, ...]:
    """Return the news for ``player`` of ``events``, which led to ``state``."""
    match state:
        case Table():
            return game_of(state.game.name).rules.told(events, player)
        case Greetings():
            return ()


def _check_not_contradicted(entries: Sequence[Entry], record: Record, place: int) -> None:
    try:
        chain_records.check_not_contradicted(entries, record)
    except ProofError as error:
        raise ProtocolViolationError(error.check, record.seat, place, str(error)) from None
