"""Who can read which card, worked out from what has happened, and from no guard of the table.

What is modelled. A *version* is a masked card; each shuffle makes a new version of each card.
The seat that shuffles knows from which old version each new one came, and by which mask. A
*coalition* is a set of seats that tell each other everything. A coalition links the versions
between two shuffles by others. A share opens all versions that known masks link: Lemma A of the
security argument. A coalition reads a card if a public version is linked with the version of
the card, or if each seat outside gave a share of a linked version.

What is promised. A card that all seats have mixed, all among the same cards, is nobody's: no
coalition reads it. A card that was read for a seat belongs to that seat: no coalition without
the owner reads the card. If the card was a gift, a coalition with the giver can read it until
the receiver shuffles it. A card that was public, and has not been mixed by all seats since, is
given to no reader: a seat that mixed the card would know the face. No card is lost or lies in
two places.

Three things are not modelled: the soundness of proofs, conclusions of seats from open faces,
and whispering. A set of seats is an integer; seat s is a member if bit s is 1.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

NOBODY: Final = -1


class BrokenPromiseError(Exception):
    """A promise is broken."""


@dataclass(eq=False)
class Version:
    """A masked card.

    number: its name. card: the card under the mask. among: the cards shuffled together. mixed:
    the seats that have mixed all of these since the last reading. roots: by coalition, the
    oldest linked version. known: by coalition, the seats whose shares of a linked version are
    known.
    """

    number: int
    card: int
    face: int
    known: list[int]
    among: frozenset[int] = frozenset()
    mixed: int = 0
    roots: list["Version"] = field(default_factory=list)


@dataclass(frozen=True)
class Slot:
    """A place in a pile.

    owner: the owner's seat, NOBODY, or None for a card without a promise. givers: the seats
    that gave the card.
    """

    version: Version
    owner: int | None = None
    givers: int = 0


@dataclass
class Secrecy:
    """The piles on a table of ``seats``, and the readers of each card."""

    seats: int
    piles: dict[str, list[Slot]] = field(default_factory=dict)
    versions: int = 0

    @property
    def everyone(self) -> int:
        return (1 << self.seats) - 1

    def public(self, face: int) -> Slot:
        """Return a card open to all."""
        self.versions += 1
        known = [self.everyone] * self.everyone
        version = Version(self.versions, self.versions, face, known)
        version.roots = [version] * self.everyone
        return Slot(version)

    def reads(self, coalition: int, version: Version) -> bool:
        return version.roots[coalition].known[coalition] | coalition == self.everyone

    def lay(self, piles: Mapping[str, Sequence[Slot | int]]) -> None:
        """Lay slots, and faces as public cards."""
        self.piles = {
            name: [self.public(item) if isinstance(item, int) else item for item in pile]
            for name, pile in piles.items()
        }

    def shuffle(
        self, pile: str, seat: int, order: Sequence[int], give: Sequence[int]
    ) -> list[Version]:
        """Let ``seat`` shuffle ``pile``: card i of the result is card order[i] before."""
        before, bit = self.piles[pile], 1 << seat
        among = frozenset(slot.version.card for slot in before)
        mixed = bit | self._mixed(before, among)
        kept = len(before) - len(give)
        after = []
        for place, slot in enumerate(before[i] for i in order):
            old = slot.version
            self.versions += 1
            new = Version(self.versions, old.card, old.face, [0] * self.everyone, among, mixed)
            new.roots = [
                root if coalition & bit else new for coalition, root in enumerate(old.roots)
            ]
            receiver = give[place - kept] if place >= kept else None
            after.append(self._owned(slot, new, seat, receiver))
        self.piles[pile] = after
        return [slot.version for slot in after]

    def _mixed(self, before: Iterable[Slot], among: frozenset[int]) -> int:
        mixed = self.everyone
        for slot in before:
            mixed &= slot.version.mixed if slot.version.among == among else 0
        return mixed

    def _owned(self, slot: Slot, new: Version, seat: int, receiver: int | None) -> Slot:
        if slot.owner == NOBODY or new.mixed == self.everyone:
            return Slot(new, NOBODY)
        if slot.owner != seat:
            return Slot(new, slot.owner, slot.givers)
        return Slot(new, seat) if receiver is None else Slot(new, receiver, 1 << seat)

    def asked(self, pile: str, place: int, reader: int | None) -> None:
        """Let a card be asked for, before any share is given."""
        slot = self.piles[pile][place]
        if self.reads(0, slot.version):
            return
        if slot.owner is None:
            raise BrokenPromiseError("a card is read that some have mixed, and others not")
        if reader is None:
            self.piles[pile][place] = Slot(slot.version)
        elif slot.owner == NOBODY:
            self.piles[pile][place] = replace(slot, owner=reader)

    def shared(self, version: Version, seat: int) -> None:
        """Let ``seat`` give a share of ``version`` to all."""
        version.mixed = 0
        for coalition, root in enumerate(version.roots):
            root.known[coalition] |= 1 << seat

    def check(self) -> None:
        """Check that all promises are kept.

        Raises:
            BrokenPromiseError: a coalition reads a forbidden card.
        """
        for slot in (slot for pile in self.piles.values() for slot in pile):
            if slot.owner is None:
                continue
            friends = slot.givers | (0 if slot.owner == NOBODY else 1 << slot.owner)
            for coalition in range(self.everyone):
                if not coalition & friends and self.reads(coalition, slot.version):
                    raise BrokenPromiseError(
                        f"coalition {coalition:b} reads a card of {slot.owner}"
                    )

    def check_ledger(self, out: Mapping[int, int], faces: Mapping[int, int]) -> None:
        """Check that the cards on the table and in ``out`` are the cards of the game.

        Raises:
            BrokenPromiseError: a card is lost or doubled.
        """
        there = Counter(slot.version.face for pile in self.piles.values() for slot in pile)
        if there + Counter(out) != Counter(faces):
            raise BrokenPromiseError("a card is lost, or lies on the table twice")
