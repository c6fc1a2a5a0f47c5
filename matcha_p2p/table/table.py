"""The public state of a table, and the seat and verb due next."""

import enum
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias, assert_never

from matcha_p2p.crypto.sigma import Context
from matcha_p2p.crypto.sponge import H
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.game import Find, TableGame
from matcha_p2p.table.messages import Hello
from matcha_p2p.table.piles import BlamingNobody, DeckParameters, Piles, card_at
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.entry import STATE_SIZE
from matcha_p2p.wire.names import EntryId, GameId
from matcha_p2p.wire.roster import Roster


class Verb(enum.Enum):
    """The kinds of action at the table; the value is the name on the wire (SPEC#verbs)."""

    HELLO = "HELLO"
    COIN = "COIN"
    SHUF = "SHUF"
    SHARE = "SHARE"
    MOVE = "MOVE"
    SEAL = "SEAL"
    UNSEAL = "UNSEAL"
    RESULT = "RESULT"


class Owed(NamedTuple):
    """``seat`` owes an action of kind ``verb``."""

    seat: Seat
    verb: Verb


class SealedMove(NamedTuple):
    """A commitment of ``seat``. since: the id of the entry before the commitment."""

    seat: Seat
    commitment: bytes
    since: bytes


class Greetings(NamedTuple):
    """Not all seats have greeted yet.

    head: the id of the last entry; before entry 0 the id of the roster. find: finds the game
    that the roster names. roster: who sits where. hellos: the greetings so far. entries: the
    encoded entries of the greetings.
    """

    head: bytes
    find: Find
    roster: Roster
    hellos: tuple[Hello, ...] = ()
    entries: tuple[bytes, ...] = ()

    @classmethod
    def of_roster(cls, roster: Roster, find: Find) -> "Greetings":
        """Return the greetings that are to begin under ``roster``."""
        return cls(roster.id, find, roster)


class Table(NamedTuple):
    """A game between seats that have greeted each other. A tuple has one item a seat."""

    deck: DeckParameters
    """The game's id, the faces, and Y: the sum of all game keys, the key for masking cards."""
    hellos: tuple[Hello, ...]
    """The greetings of the seats, with names and keys."""
    links: tuple[bytes, ...]
    """The last opened link of each seat's coin chain, 32 bytes; at first the anchor."""
    coins: int
    """How many coins have been tossed."""
    head: EntryId
    """Names the last entry."""
    length: int
    """The number of entries."""
    game: TableGame
    """The public state of the game's rules."""
    piles: Piles
    """The masked cards on the table."""
    out: Mapping[int, int]
    """How often each face lies under no card."""
    step: steps.Step
    """The step that the game has asked for."""
    owing: tuple[Owed, ...]
    """The actions still owed in the step, in order; empty once the game is over."""
    roster: Roster
    """Who sits where."""
    seals: tuple[SealedMove, ...] = ()
    """The unopened seals of the step."""
    moves: tuple[tuple[Seat, Any], ...] = ()
    """The known moves of a Sealed, as judged by the game."""

    @property
    def gid(self) -> GameId:
        """The id of the game: a hash of all greetings."""
        return self.deck.gid

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return all seats, ascending."""
        return tuple(map(Seat, range(len(self.hellos))))

    def context(self, seat: Seat, label: str, place: int) -> Context:
        """Bind a proof to its place: an action of the entry after ``head``, by ``seat``."""
        return Context(label, self.head, seat, self.game.name, self.game.variant, place)


State: TypeAlias = Greetings | Table


class Due(NamedTuple):
    """``seat`` speaks next, with ``verb``.

    decision: a person or bot chooses; otherwise the action follows by itself.
    """

    seat: Seat
    verb: Verb
    decision: bool


def next_due(state: State) -> Due | None:
    """Return the action due next, or None once the game is over (SPEC#owing)."""
    match state:
        case Greetings(hellos=hellos):
            return Due(Seat(len(hellos)), Verb.HELLO, decision=False)
        case Table(owing=(owed, *_)):
            return Due(*owed, decision=is_decision(state))
        case _:
            return None


def is_decision(table: Table) -> bool:
    """Tell whether a person or bot chooses the next owed action."""
    match table.step, table.owing:
        case steps.Decide(auto=auto), _:
            return not auto
        case steps.Sealed(), (Owed(_, verb), *_):
            return verb is not Verb.UNSEAL
        case _:
            return False


def debts(step: steps.Step, piles: Piles) -> tuple[Owed, ...]:
    """Return the actions owed for ``step``, in order; empty if ``step`` needs no action."""
    match step:
        case steps.Coin(order):
            return tuple([Owed(seat, Verb.COIN) for seat in order])
        case steps.Shuffle(pile, order):
            seats = order if len(piles[pile]) > 1 else ()
            return tuple([Owed(seat, Verb.SHUF) for seat in seats])
        case steps.Share(reads, order):
            return tuple(
                [
                    Owed(seat, Verb.SHARE)
                    for seat in order
                    if any(card_at(piles, read).owes(seat, read.reader) for read in reads)
                ]
            )
        case steps.Decide(seat):
            return (Owed(seat, Verb.MOVE),)
        case steps.Sealed(order):
            *first, last = order
            return (
                *(Owed(seat, Verb.SEAL) for seat in first),
                Owed(last, Verb.MOVE),
                *(Owed(seat, Verb.UNSEAL) for seat in first),
            )
        case steps.Over(order):
            return tuple([Owed(seat, Verb.RESULT) for seat in order])
        case _:
            assert_never(step)


def game_digest(game: TableGame) -> bytes:
    """Return the digest of a game's public state for RESULT, 32 bytes."""
    with BlamingNobody():
        state = game.snapshot()
    return H("game state", pack(state))


def state_tag(state: State) -> bytes:
    """Return an entry's digest of the public state after the entry, 16 bytes (SPEC#state).

    The digest covers the game and the owed actions. For each card the digest covers the back,
    and which seats have given shares. Until the first coin has fallen, the digest is of an
    empty array: the state may depend on the game's id, which covers the last greeting.
    """
    match state:
        case Greetings() | Table(coins=0):
            digest = H("state", pack([]))
        case Table():
            owing: Value = [[owed.seat, owed.verb.value] for owed in state.owing]
            piles = state.piles
            parts = [
                part for name in sorted(piles) for part in (name.encode(), *piles[name].state)
            ]
            digest = H("state", game_digest(state.game), pack(owing), *parts)
        case _:
            assert_never(state)
    return digest[:STATE_SIZE]
