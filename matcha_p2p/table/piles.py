"""Piles of masked cards, who may read each, and the guards on every card (SPEC#piles)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from matcha_p2p.crypto.elgamal import Ciphertext, public_ciphertext
from matcha_p2p.crypto.ristretto255 import Point, hash_to_group
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError, ProofError
from matcha_p2p.seats import Seat
from matcha_p2p.table.steps import Read, Shuffle
from matcha_p2p.wire.names import GameId


class GuardError(RuntimeError):
    """A game's request could lose a card, double a card, or show a card to a wrong seat.

    The game has a bug; no seat at the table is to blame.
    """


class BlamingNobody:
    """A context for calls of the game: a CheckError inside is a bug of the game.

    but: the checks by which the game may blame a seat.

    Raises:
        GuardError: in place of a CheckError of another check than ``but``.
    """

    def __init__(self, *but: Check) -> None:
        self._but = but

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, CheckError) and error.check not in self._but:
            raise GuardError(f"the game fails a check by itself: {error}") from error


class Card(NamedTuple):
    """A masked card.

    back: H of the masked card, 32 bytes: the card's name on the wire. shares: by seat, None
    while missing. face: known to all, or None. need: the seats that have not shuffled the card
    since the card was known; between two steps all seats or no seat. bound: the only seat that
    may still know the card. reader: the seat that received the shares.
    """

    masked: Ciphertext
    back: bytes
    shares: tuple[Point | None, ...]
    face: int | None
    need: frozenset[Seat]
    bound: Seat | None
    reader: Seat | None

    def owes(self, seat: Seat, reader: Seat | None) -> bool:
        """Tell whether the share of ``seat`` is missing for ``reader``, or for all."""
        return self.face is None and seat != reader and self.shares[seat] is None


class Pile(tuple[Card, ...]):  # noqa: SLOT001 -- Python refuses slots in a kind of tuple
    """The cards of a pile, in order."""

    @cached_property
    def state(self) -> tuple[bytes, bytes]:
        """The backs, and for each card and seat whether the share is here (SPEC#state)."""
        shares = bytes([share is not None for card in self for share in card.shares])
        return b"".join([card.back for card in self]), shares


Piles: TypeAlias = Mapping[str, Pile]
"""The piles on the table, by the game's names for the piles."""

NewPiles: TypeAlias = Mapping[str, Sequence[Card | int]]
"""The piles after a step: cards of the table, and faces under no card as numbers."""


@cache
def point_of(game: str, face: int) -> Point:
    """Return the group element for ``face`` of ``game``."""
    return hash_to_group(b"card/" + game.encode() + b"/" + bytes([face]))


@cache
def _faces_of(game: str, faces: tuple[tuple[int, int], ...]) -> dict[Point, int]:
    return {point_of(game, face): face for face, _ in faces}


@lru_cache(maxsize=256)  # a game has one key, and lays each face many times
def _public(game: str, face: int, key: Point) -> Ciphertext:
    return public_ciphertext(point_of(game, face), key)


@cache
def _all_seats(seats: int) -> frozenset[Seat]:
    return frozenset(map(Seat, range(seats)))


@dataclass(frozen=True, slots=True)
class DeckParameters:
    """The parameters of all cards of a game.

    game: its name. faces: each face, and the number of cards with it. key: Y, which masks all
    cards.
    """

    game: str
    faces: tuple[tuple[int, int], ...]
    gid: GameId
    key: Point
    seats: int

    @property
    def all(self) -> frozenset[Seat]:
        """Every seat."""
        return _all_seats(self.seats)

    def back(self, masked: Ciphertext) -> bytes:
        """Return the name of a masked card on the wire: a hash commitment to the card."""
        return H("back", self.gid, masked.c1.encode(), masked.c2.encode())

    def public(self, face: int) -> Card:
        """Return ``face`` as a public card: masked by 1, so every seat can make and read it."""
        masked = _public(self.game, face, self.key)
        no_shares = (None,) * self.seats
        return Card(masked, self.back(masked), no_shares, face, self.all, None, None)

    def shuffled(
        self, pile: tuple[Card, ...], after: tuple[Ciphertext, ...], step: Shuffle, seat: Seat
    ) -> Pile:
        """Return ``pile`` as ``seat`` has shuffled it, into ``after``.

        A shuffle counts only within its step. Suppose that the game split the pile after the
        step, and other seats shuffled a part. Then ``seat`` would know the cards of this part,
        because ``seat`` chose them.
        """
        need = frozenset[Seat]().union(*(card.need for card in pile)) - {seat}
        if need and seat == step.order[-1]:
            need = self.all
        own = step.order == (seat,) and is_own(pile, seat)
        kept = len(pile) - len(step.give)
        bounds = [*[seat if own else None] * kept, *step.give]
        no_shares = (None,) * self.seats
        return Pile(
            Card(masked, self.back(masked), no_shares, None, need, bound, None)
            for masked, bound in zip(after, bounds, strict=True)
        )

    def read(self, card: Card, reader: Seat | None) -> Card:
        """Return ``card`` after the last share for ``reader``, or for all, has come.

        Raises:
            ProofError: E_CARD if the card shows no face of the game.
        """
        if card.face is not None:
            return card
        if reader is not None:
            return card._replace(need=self.all, bound=reader, reader=reader)
        face = self.face_of(card.masked, (share for share in card.shares if share is not None))
        return card._replace(face=face, need=self.all, bound=None, reader=None)

    def face_of(self, masked: Ciphertext, shares: Iterable[Point]) -> int:
        """Return the face under a masked card, from the shares of all seats; raises E_CARD."""
        message = masked.c2
        for share in shares:
            message = message - share
        try:
            return _faces_of(self.game, self.faces)[message]
        except KeyError:
            raise ProofError(Check.CARD, "an opened card shows no face of the game") from None


def check_reads(piles: Piles, wanted: Sequence[Read]) -> None:
    """Check that the readers of a Share may read the cards.

    Raises:
        GuardError: K2 or K3, a card named twice, or a missing card.
    """
    if len({(read.pile, read.place) for read in wanted}) != len(wanted):
        raise GuardError("a card is to be read twice in one step")
    for read in wanted:
        _check_read(card_at(piles, read), read.reader)


def _check_read(card: Card, reader: Seat | None) -> None:
    if reader is not None and reader not in range(len(card.shares)):
        raise GuardError(f"a card is to be read by {reader}, which is no seat of this table")
    missing = {Seat(seat) for seat, share in enumerate(card.shares) if share is None}
    if card.face is not None:
        return
    if len(missing) == len(card.shares):
        if card.need and (reader is None or reader != card.bound):
            raise GuardError("K3: a card is to be read that not every seat has shuffled")
    elif reader is None and missing != {card.reader}:
        raise GuardError("K2: a card is to be opened that its reader cannot read yet")
    elif reader is not None and reader != card.reader:
        raise GuardError("K2: a card is to be read by a second seat")


def is_own(pile: Sequence[Card], seat: Seat) -> bool:
    """Tell whether only ``seat`` may know cards of ``pile``."""
    return all(card.bound == seat or not card.need for card in pile)


def card_at(piles: Piles, read: Read) -> Card:
    """Return the card at the place of ``read``; raises GuardError if no card lies there."""
    pile = piles.get(read.pile, ())
    if not 0 <= read.place < len(pile):
        raise GuardError(f"pile {read.pile!r} has no card at {read.place}")
    return pile[read.place]


def find(piles: Piles, pile: str, back: bytes) -> int:
    """Return the place in ``pile`` of the card named ``back``.

    Raises:
        ProofError: E_BACK.
    """
    for place, card in enumerate(piles.get(pile, ())):
        if card.back == back:
            return place
    raise ProofError(Check.BACK, "the back names no card of this pile")


def check_open(piles: Piles, out: Mapping[int, int], deck: DeckParameters) -> None:
    """Check that no face lies open oftener than the game has cards with the face.

    out: how often each face lies under no card.

    Raises:
        ProofError: E_CARD: a shuffler has doubled a card. Proofs exclude this case.
    """
    most = dict(deck.faces)
    for face, times in shown(piles).items():
        if times + out.get(face, 0) > most[face]:
            raise ProofError(Check.CARD, "a card lies open twice")


def shown(piles: Mapping[str, Sequence[Card]]) -> Counter[int]:
    """Return how often each face lies open in ``piles``."""
    return Counter(
        [card.face for pile in piles.values() for card in pile if card.face is not None]
    )


def lay(
    before: Piles, after: NewPiles, out: Mapping[int, int], deck: DeckParameters
) -> tuple[Piles, Mapping[int, int]]:
    """Return the game's new piles, and how often each face then lies under no card.

    K1, the ledger: a game renames, splits and joins. The game may lay a face as a public card
    if the face lies under no card. It may take closed cards away only all at once.

    Raises:
        GuardError: K1.
    """
    if after is before:
        return before, out
    left = {id(card): card for pile in before.values() for card in pile}
    closed = _closed(left.values())
    items = [item for pile in after.values() for item in pile]
    for card in items:
        if not isinstance(card, int) and left.pop(id(card), None) is None:
            raise GuardError("K1: a card lies in two places, or was not on the table")
    gone = _closed(left.values())
    if gone and gone != closed:
        raise GuardError("K1: some closed cards are taken away, and others stay")
    spare = Counter(out)
    spare.update(card.face for card in left.values() if card.face is not None)
    if gone:  # all of them: what lies under no open card lies under none
        spare = Counter(dict(deck.faces)) - _open_before(before, left)
    spare.subtract(face for face in items if isinstance(face, int))
    if min(spare.values(), default=0) < 0:
        raise GuardError("K1: a face is laid that lies under a card, or is none")
    return frozen({name: _laid(pile, deck) for name, pile in after.items()}), +spare


def _laid(pile: Sequence[Card | int], deck: DeckParameters) -> Pile:
    if isinstance(pile, Pile):
        return pile
    return Pile([deck.public(item) if isinstance(item, int) else item for item in pile])


def frozen(piles: Mapping[str, Pile]) -> Piles:
    """Return ``piles`` as a read-only mapping for the game."""
    return MappingProxyType(piles)


def _closed(cards: Iterable[Card]) -> int:
    return sum(card.face is None for card in cards)


def _open_before(before: Piles, left: Mapping[int, Card]) -> Counter[int]:
    """Return how often each face lies open on the remaining cards."""
    return shown(
        {name: tuple(c for c in pile if id(c) not in left) for name, pile in before.items()}
    )
