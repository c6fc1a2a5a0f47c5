"""Real players at one table in memory: one player signs an entry, all other players check."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.game import Find, TableGame
from matcha_p2p.table.moves import MoveForms, Number
from matcha_p2p.table.piles import NewPiles, Piles
from matcha_p2p.table.seat import Offer, Player, decide, follow, greet, take_seat
from matcha_p2p.table.step import TableEvent, recall, step
from matcha_p2p.table.table import Greetings, State, Table, next_due
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.entry import Entry, parse_entry, sign_entry
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.statements import ResignOffer, ResignTogether, Statement
from tests.duel import greetings_of, secrets_of

Lay = Callable[[Piles], NewPiles]
Ask = tuple[Any, Lay]  # a step, also one of a wrong type, and what is laid after it


@dataclass
class Party:
    """A game as it goes. entries, events: all that was said, from the first greeting on."""

    players: list[Player]
    state: State
    entries: list[Entry] = field(default_factory=list)
    events: list[TableEvent] = field(default_factory=list)

    @property
    def table(self) -> Table:
        assert isinstance(self.state, Table)
        return self.state

    def file(self, end: int | None = None, records: Sequence[bytes] = ()) -> bytes:
        """Return the transcript of the first entries. end: the place of the first left out."""
        entries = [entry.encoded for entry in self.entries[:end]]
        return encode_archive(entries, records, self.state.roster)

    def resigned(self, end: int, seat: int) -> bytes:
        """Return the transcript where ``seat`` agrees to resign, as its partner has offered.

        end: the place of the first entry left out; both have signed after the entry before.
        """
        head = self.entries[end - 1].id

        def signed(author: int, said: Statement) -> Record:
            session = self.players[author].secrets.session
            return sign_record(self.table.gid, Seat(author), head, said, session)

        offer = signed((seat + 2) % 4, ResignOffer())
        agreed = signed(seat, ResignTogether(offer.id))
        return self.file(end, [offer.encoded, agreed.encoded])

    def say(self, entry: Entry) -> None:
        """Let all accept ``entry`` from its bytes alone."""
        received = parse_entry(entry.encoded)
        recalled = recall(self.state, received)
        self.state, events = step(self.state, received)
        assert recalled == (self.state, events)
        self.events += events
        self.entries.append(received)

    def goes_on(self, choose: Callable[[Seat], Any]) -> bool:
        """Let the due seat speak; tell whether a seat was due."""
        due = next_due(self.table)
        if due is None:
            return False
        player = self.players[due.seat]
        said = (
            decide(player, self.table, choose(due.seat))
            if due.decision
            else follow(player, self.table)
        )
        assert said is not None
        self.say(said.entry)
        assert self.table == said.table
        return True

    def signed(self, seat: Seat, fields: Sequence[Value], tag: bytes = bytes(16)) -> Entry:
        """Return actions, encoded, whatever they are, as the next entry of ``seat``."""
        seed = self.players[seat].secrets.session
        return sign_entry(len(self.entries), seat, self.state.head, tag, fields, seed)


def greeting(seed: str, game: TableGame, seat: Seat, state: Greetings) -> tuple[Player, Entry]:
    """Return the player of ``seat`` with its keys, and the player's greeting."""
    player = take_seat(seat, state.head, secrets_of(seed, seat))
    return player, greet(player, state, Offer(game, f"seat {seat}"))


def begun(seed: str, game: TableGame, *, greeted: int = 4) -> Party:
    """Return a party at which all have greeted each other, or the first few of them."""

    def find(name: str, variant: str, seats: int) -> TableGame | None:
        known = (name, variant, seats) == (game.name, game.variant, game.seats)
        return game if known else None

    checked: Find = find
    names = [f"seat {seat}" for seat in range(game.seats)]
    party = Party([], greetings_of(seed, game, names, checked))
    for seat in range(min(greeted, game.seats)):
        assert isinstance(party.state, Greetings)
        player, entry = greeting(seed, game, Seat(seat), party.state)
        party.players.append(player)
        party.say(entry)
    return party


def keep(piles: Piles) -> NewPiles:
    """Leave the piles as they are."""
    return piles


@dataclass(frozen=True)
class Plan:
    """A game with the steps and the piles of a test, one step after the other."""

    name: ClassVar = "plan"
    variant: ClassVar = "one"
    forms: ClassVar[MoveForms] = {"say": (Number(0, 9),)}
    seats: int
    faces: dict[int, int]
    asks: tuple[Ask, ...]

    def rules(self) -> Value:
        return []

    def next(self, piles: Piles) -> steps.Step:
        del piles
        return self.asks[0][0] if self.asks else steps.Over(everybody(self.seats))

    def done(self, outcome: steps.Outcome, piles: Piles) -> tuple["Plan", NewPiles]:
        del outcome
        return replace(self, asks=self.asks[1:]), self.asks[0][1](piles)

    def judge(self, seat: Seat, move: steps.Wire, piles: Piles) -> None:
        pass

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[steps.Wire]:
        del seat, piles
        return (("say", number) for number in range(10))

    def write(self, seat: Seat, move: Any, piles: Piles) -> steps.Giving:
        """Give the first cards of the pile, if the next step asks for gifts."""
        del seat, piles
        after = [step for step, _ in self.asks[1:2]]
        give = [seat for step in after if isinstance(step, steps.Shuffle) for seat in step.give]
        return steps.Giving(("say", move), tuple(range(len(give))))

    def snapshot(self) -> Value:
        return [len(self.asks)]

    def result(self) -> tuple[Seat, ...] | None:
        return None if self.asks else ()


def everybody(seats: int) -> steps.Order:
    """Return all seats, the last first."""
    return tuple(Seat(seat) for seat in reversed(range(seats)))
