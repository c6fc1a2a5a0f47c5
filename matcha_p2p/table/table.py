"""Everything an observer knows of a table, and which verb of which seat it waits for next."""

import enum
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias, assert_never

from matcha_p2p.crypto.sigma import Context
from matcha_p2p.crypto.sponge import H
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.game import Find, Game
from matcha_p2p.table.messages import Hello
from matcha_p2p.table.piles import BlamingNobody, DeckParameters, Piles, card_at
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.entry import STATE_SIZE
from matcha_p2p.wire.names import EntryId, GameId


class Verb(enum.Enum):
    """What a seat does at the table; the value is its name on the wire (SPEC#verbs)."""

    HELLO = "HELLO"
    COIN = "COIN"
    SHUF = "SHUF"
    SHARE = "SHARE"
    MOVE = "MOVE"
    SEAL = "SEAL"
    UNSEAL = "UNSEAL"
    RESULT = "RESULT"


class Owed(NamedTuple):
    """``seat`` owes an action of this verb."""

    seat: Seat
    verb: Verb


class SealedMove(NamedTuple):
    """A commitment of ``seat``; ``since`` is the id of the entry before it."""

    seat: Seat
    commitment: bytes
    since: bytes


class Greetings(NamedTuple):
    """Not all seats have greeted yet.

    head: the channel binding, or the id of the last entry. find: finds the game that the first
    HELLO names. hellos and entries: what has been said, and the encoded entries themselves.
    """

    head: bytes
    find: Find
    hellos: tuple[Hello, ...] = ()
    entries: tuple[bytes, ...] = ()


class Table(NamedTuple):
    """A game between seats that have greeted each other. A tuple has one item a seat."""

    deck: DeckParameters
    """The game's id, its faces, and Y, the sum of all game keys, which masks the cards."""
    hellos: tuple[Hello, ...]
    """What the seats greeted each other with: their names and keys."""
    links: tuple[bytes, ...]
    """The last link that each has opened of its coin chain, 32 bytes; at first the anchor."""
    coins: int
    """How many coins have been tossed."""
    head: EntryId
    """Names the last entry."""
    length: int
    """How many entries there are."""
    game: Game
    """The public state of the game, as its rules see it."""
    piles: Piles
    """The masked cards that lie on the table."""
    out: Mapping[int, int]
    """How often each face lies under no card."""
    step: steps.Step
    """What the game has asked for."""
    owing: tuple[Owed, ...]
    """What the seats still owe for the step, in this order; empty once the game is over."""
    seals: tuple[SealedMove, ...] = ()
    """Seals of the step that are not opened yet."""
    moves: tuple[tuple[Seat, Any], ...] = ()
    """Moves of a Sealed that are known, as the game has judged them."""

    @property
    def gid(self) -> GameId:
        """Return what names the game: a hash of all greetings."""
        return self.deck.gid

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return all seats, ascending."""
        return tuple(map(Seat, range(len(self.hellos))))

    def context(self, seat: Seat, label: str, place: int) -> Context:
        """Bind a proof to its one place: an action of the entry after ``head``, by ``seat``."""
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
    """Return what is awaited, or None when all is said (SPEC#owing)."""
    match state:
        case Greetings(hellos=hellos):
            return Due(Seat(len(hellos)), Verb.HELLO, decision=False)
        case Table(owing=(owed, *_)):
            return Due(*owed, decision=is_decision(state))
        case _:
            return None


def is_decision(table: Table) -> bool:
    """Tell whether a person or bot chooses the action that is owed next."""
    match table.step, table.owing:
        case steps.Decide(auto=auto), _:
            return not auto
        case steps.Sealed(), (Owed(_, verb), *_):
            return verb is not Verb.UNSEAL
        case _:
            return False


def debts(step: steps.Step, piles: Piles) -> tuple[Owed, ...]:
    """Return what seats owe for ``step``, in order; empty if it is complete at once."""
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


def game_digest(game: Game) -> bytes:
    """Return the digest of a game's public state, 32 bytes, which RESULT carries."""
    with BlamingNobody():
        state = game.snapshot()
    return H("game state", pack(state))


def state_tag(state: State) -> bytes:
    """Return the 16 bytes of an entry that stand for the public state after it (SPEC#state).

    They cover the game and what is owed. For each card they cover its back, and which seats
    have given their shares.
    Until the first coin has fallen, they are those of an empty array: the last greeting is
    part of the game's id, on which the state may depend.
    """
    match state:
        case Greetings() | Table(coins=0):
            digest = H("state", pack([]))
        case Table():
            owing: Value = [[owed.seat, owed.verb.value] for owed in state.owing]
            piles = [part for name in sorted(state.piles) for part in _pile(state.piles, name)]
            digest = H("state", game_digest(state.game), pack(owing), *piles)
        case _:
            assert_never(state)
    return digest[:STATE_SIZE]


def _pile(piles: Piles, name: str) -> tuple[bytes, ...]:
    cards = piles[name]
    shares = bytes([share is not None for card in cards for share in card.shares])
    return name.encode(), b"".join([card.back for card in cards]), shares
