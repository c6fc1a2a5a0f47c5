"""Everything an observer knows of a game, and what the protocol waits for next."""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.sigma import Context
from matcha_p2p.crypto.sponge import H
from matcha_p2p.machine.faces import back
from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.phases import Placing
from matcha_p2p.rules.seats import Seat, opposite
from matcha_p2p.rules.snapshot import snapshot
from matcha_p2p.transcript.entry import (
    STATE_SIZE,
)
from matcha_p2p.transcript.names import EntryId, GameId
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.messages import (
    Action,
    Coin,
    Hello,
    KeepCards,
    KeepCommit,
    KeepOpen,
    Open,
    Own,
    PassTurn,
    PlayCard,
    Result,
    Reveal,
    Shuffle,
    Strip,
)


@dataclass(frozen=True, slots=True)
class Tossing:
    """Each seat of ``owing``, in this order, opens its next link; the last completes a coin."""

    owing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Mixing:
    """Cards were kept: each seat of ``owing`` shuffles ``deck``, all that went back."""

    owing: tuple[Seat, ...]
    deck: tuple[Ciphertext, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """The top of the mixed ``deck`` is opened until six faces other than zero show.

    speaker: who opens next. shares: for each seat its shares of the positions it has opened,
    from the top. faces: of the positions that both have opened.
    """

    speaker: Seat
    deck: tuple[Ciphertext, ...]
    shares: tuple[tuple[Point, ...], tuple[Point, ...]]
    faces: tuple[Face, ...]


Deed: TypeAlias = Literal["shuffle", "own", "strip"]


@dataclass(frozen=True, slots=True)
class Dealing:
    """Each seat of ``owing``, in this order, does its deed.

    It shuffles the deck or its own hand, or strips the other's hand. ``deck`` is what the
    hands are taken from, as the last shuffle left it.
    """

    owing: tuple[tuple[Seat, Deed], ...]
    deck: tuple[Ciphertext, ...]


@dataclass(frozen=True, slots=True)
class Playing:
    """The seat whose turn it is in the game places a card or passes."""


@dataclass(frozen=True, slots=True)
class Showing:
    """Each seat of ``owing``, in this order, opens its cards at the contested mats."""

    owing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Committing:
    """The closer decides what to keep and commits to it."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """The other seat decides what to keep, seeing only ``commitment``.

    since: the id of the entry before the commitment's, to which the closer's salt is bound.
    """

    commitment: bytes
    since: bytes


@dataclass(frozen=True, slots=True)
class Unsealing:
    """The closer opens ``commitment``; ``kept`` are the slots that the other seat keeps."""

    commitment: bytes
    since: bytes
    kept: frozenset[int]


@dataclass(frozen=True, slots=True)
class Closing:
    """The game is decided: each seat of ``owing``, in this order, signs the result."""

    owing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """Both have signed the result."""


ProtocolPhase: TypeAlias = (
    Tossing
    | Mixing
    | Opening
    | Dealing
    | Playing
    | Showing
    | Committing
    | Choosing
    | Unsealing
    | Closing
    | Over
)


@dataclass(frozen=True, slots=True)
class Hand:
    """The five masked cards of a seat, by slot.

    backs: their names on the wire. shares: the other seat's share of each, once stripped.
    """

    cards: tuple[Ciphertext, ...]
    backs: tuple[bytes, ...]
    shares: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """Nothing has been said. head: the channel binding, which the first entry names as prev."""

    head: Binding


@dataclass(frozen=True, slots=True)
class Greeted:
    """Seat 0 has greeted. head: the id of its entry. first: the encoded entry itself."""

    head: EntryId
    hello: Hello
    first: bytes


class Table(NamedTuple):
    """A game between two seats that have greeted each other. A pair is by seat."""

    gid: GameId
    """Names the game."""
    hellos: tuple[Hello, Hello]
    """What the seats greeted each other with: their names and keys."""
    joint_key: Point
    """Y, under which all cards are masked: the sum of both game keys."""
    links: tuple[bytes, bytes]
    """The last link that each has opened of its coin chain, 32 bytes; at first the anchor."""
    coins: int
    """How many coins have been tossed."""
    head: EntryId
    """Names the last entry."""
    length: int
    """How many entries there are."""
    closer: Seat
    """Who closed the last phase: L in SPEC#flow."""
    hands: tuple[Hand, Hand]
    """The hands of this set as they were dealt; empty until the first deal."""
    aside: tuple[Ciphertext, ...]
    """The cards that nobody was dealt in this set."""
    kept: tuple[frozenset[int], frozenset[int]]
    """The slots of these hands that each keeps for the next set."""
    game: Game
    """The game as the rules see it: what lies on the table, tokens, turn and score."""
    phase: ProtocolPhase
    """What is being done, and what is still due for it."""

    def context(self, label: str, seat: Seat) -> Context:
        """Bind a proof to its one place: the entry after ``head``, by ``seat``."""
        return Context(label, self.head, seat)

    def new_hand(self, seat: Seat, cards: tuple[Ciphertext, ...]) -> Hand:
        """Return ``cards`` as the hand of ``seat`` in the current set."""
        number = self.game.number
        return Hand(cards, tuple(back(self.gid, number, seat, card) for card in cards), ())

    def with_hand(self, seat: Seat, hand: Hand) -> "Table":
        """Return the table with ``hand`` before ``seat``."""
        hands = (hand, self.hands[1]) if seat == 0 else (self.hands[0], hand)
        return self._replace(hands=hands)


NO_HAND: Final = Hand((), (), ())

State: TypeAlias = Start | Greeted | Table


class Due(NamedTuple):
    """``seat`` speaks next, and with one of ``actions``.

    decision: a person or bot chooses; otherwise the action follows by itself.
    """

    seat: Seat
    actions: tuple[type[Action], ...]
    decision: bool


_DEEDS: Final[dict[Deed, type[Action]]] = {"shuffle": Shuffle, "own": Own, "strip": Strip}


def next_due(state: State) -> Due | None:
    """Return what is awaited, or None when all is said (SPEC#machine)."""
    match state:
        case Start():
            return Due(Seat(0), (Hello,), decision=False)
        case Greeted():
            return Due(Seat(1), (Hello,), decision=False)
        case Table():
            return _due_at_table(state)
        case _:
            assert_never(state)


def _due_at_table(table: Table) -> Due | None:  # noqa: C901 -- a line a phase
    match table.phase:
        case Tossing(owing):
            return Due(owing[0], (Coin,), decision=False)
        case Mixing(owing):
            return Due(owing[0], (Shuffle,), decision=False)
        case Opening(speaker):
            return Due(speaker, (Open,), decision=False)
        case Dealing(owing):
            seat, deed = owing[0]
            return Due(seat, (_DEEDS[deed],), decision=False)
        case Playing():
            return Due(_to_move(table.game), (PlayCard, PassTurn), decision=True)
        case Showing(owing):
            return Due(owing[0], (Reveal,), decision=False)
        case Committing():
            return Due(table.closer, (KeepCommit,), decision=True)
        case Choosing():
            return Due(opposite(table.closer), (KeepCards,), decision=True)
        case Unsealing():
            return Due(table.closer, (KeepOpen,), decision=False)
        case Closing(owing):
            return Due(owing[0], (Result,), decision=False)
        case Over():
            return None
        case _:
            assert_never(table.phase)


def _to_move(game: Game) -> Seat:
    match game.phase:
        case Placing(to_move):
            return to_move
        case phase:
            raise RuntimeError(f"cards are being placed, yet the game is at {phase}")


def state_digest(state: State) -> bytes:
    """Return the digest of the public state, 32 bytes; entries carry its first 16 (SPEC#state).

    Before the first coin has fallen there is no game, and the state is an empty array.
    """
    match state:
        case Table(coins=coins, game=game) if coins > 0:
            return H("state", pack(snapshot(game)))
        case _:
            return H("state", pack([]))


def state_tag(state: State) -> bytes:
    """Return the part of the digest that an entry carries."""
    return state_digest(state)[:STATE_SIZE]
