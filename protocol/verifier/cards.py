"""Masked cards, and piles of cards (SPEC#masking, SPEC#piles)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from codec import H, require
from group import BASE, Element, hash_to_group
from proofs import Masked


@dataclass(eq=False)
class Card:
    """A card on the table. shares: by seat, or None. face: None unless known to all."""

    masked: Masked
    back: bytes
    shares: list[Element | None]
    face: int | None = None

    def lacks(self, seat: int, reader: int | None) -> bool:
        """Tell whether ``reader``, or everybody if None, needs the share of ``seat``."""
        return self.face is None and seat != reader and self.shares[seat] is None


class Cards:
    """All piles of a table, by name. covered: the faces of closed cards, where known."""

    def __init__(
        self, game: str, faces: Iterable[int], gid: bytes, keys: list[Element]
    ) -> None:
        start = b"card/" + game.encode() + b"/"
        self.gid = gid
        self.seats = len(keys)
        self.joint_key = sum(keys[1:], start=keys[0])
        self.points = {face: hash_to_group(start + bytes([face])) for face in faces}
        self.faces = {point.encoding: face for face, point in self.points.items()}
        self.piles: dict[str, list[Card]] = {}
        self.covered = Counter[int | None]()

    def card(self, masked: Masked, face: int | None = None) -> Card:
        """Return a card without shares."""
        back = H("back", self.gid, masked[0].encoding, masked[1].encoding)
        return Card(masked, back, [None] * self.seats, face)

    def public(self, *faces: int) -> list[Card]:
        """Return a public card of each face."""
        return [self.card((BASE, self.points[f] + self.joint_key), f) for f in faces]

    def find(self, pile: str, back: bytes) -> int:
        """Return the place of the first card of a pile with ``back``; E_BACK."""
        backs = [card.back for card in self.piles[pile]]
        require(back in backs, "E_BACK")
        return backs.index(back)

    def cover(self, pile: list[Card], masked: list[Masked]) -> None:
        """Replace a pile by a seat's shuffled cards."""
        self.covered.update(card.face for card in pile)
        pile[:] = [self.card(each) for each in masked]

    def open(self, cards: list[Card]) -> None:
        """Turn up cards with all shares; E_CARD."""
        for card in cards:
            if card.face is None:
                point = card.masked[1]
                for share in card.shares:
                    point = point if share is None else point - share
                require(point.encoding in self.faces, "E_CARD")
                card.face = self.faces[point.encoding]
                self.covered[card.face] -= 1
        require(min(self.covered.values(), default=0) >= 0, "E_CARD")

    def settle(self) -> None:
        """Forget the faces of closed cards once all closed cards have left the table."""
        if all(card.face is not None for pile in self.piles.values() for card in pile):
            self.covered.clear()

    def parts(self) -> Iterable[bytes]:
        """Yield the parts of the state digest about piles (SPEC#state)."""
        for name in sorted(self.piles, key=str.encode):
            pile = self.piles[name]
            yield name.encode()
            yield b"".join(card.back for card in pile)
            yield bytes(share is not None for card in pile for share in card.shares)
