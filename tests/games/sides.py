"""The rules of a game in the product and in protocol/verifier side by side, without proofs.

Both take the same moves, legal or not, on the same cards. After every move and step the state
array, the next step, the debts, the cards and every refusal must agree. Without cryptography
many rounds can be played, with what chance and bots seldom bring.
"""

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from typing import Any

from matcha_p2p.errors import CheckError
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from tests.told import Card, Piles, share


def lists(value: Any) -> Any:
    """Return ``value`` with lists for all sequences."""
    return [*map(lists, value)] if isinstance(value, list | tuple) else value


class Sides(ABC):
    """Two games on the same cards. met: how often rare things came up."""

    def __init__(self, ours: Any, theirs: Any, seed: str) -> None:
        self.chance = random.Random(seed)
        self.ours, self.piles = ours, dict[str, Any]()
        self.theirs, self.cards = theirs, Piles()
        self.step = theirs.begin(self.cards)
        self.met = Counter[str]()

    def play(self) -> Counter[str]:
        """Play to the end; return ``met``."""
        while not isinstance(asked := self.ours.next(self.piles), steps.Over):
            self.compare(asked)
            match asked:
                case steps.Coin():
                    value = self.chance.randbytes(32)
                    self.done(steps.Tossed(value), value)
                case steps.Shuffle(pile, _, label):
                    self.shuffle(pile, label)
                    self.done(steps.Mixed(), [])
                case steps.Share():
                    self.share(asked)
                case steps.Decide(seat):
                    self.decide(seat)
                case steps.Sealed(order):
                    self.seal(order)
        self.compare(asked)
        assert lists(self.ours.result()) == self.theirs.result()
        return self.met

    def compare(self, asked: Any) -> None:
        """See that both have the same state and ask for the same step."""
        if not isinstance(asked, steps.Coin):  # before the first coin the array is in no hash
            assert lists(self.ours.snapshot()) == lists(self.theirs.state())
        match asked:
            case steps.Coin(order):
                owing = [(seat, "COIN") for seat in order]
            case steps.Shuffle(_, order, _):
                owing = [(seat, "SHUF") for seat in order]
            case steps.Share(reads, order):
                cards = [(self.piles[read.pile][read.place], read.reader) for read in reads]
                assert cards == self.step.reads
                owing = [
                    (seat, "SHARE")
                    for seat in order
                    if any(card.lacks(seat, reader) for card, reader in cards)
                ]
            case steps.Decide(seat):
                owing = [(seat, "MOVE")]
            case steps.Sealed((*first, last)):
                owing = [(seat, "SEAL") for seat in first]
                owing += [(last, "MOVE"), *((seat, "UNSEAL") for seat in first)]
            case _:
                owing = [(seat, "RESULT") for seat in asked.order]
        assert self.step.owing == owing
        assert getattr(asked, "label", "") == self.step.label

    def shuffle(self, pile: str, label: str) -> None:
        """Put the cards of a pile into another order. label: of the step."""
        del label
        faces = [card.true for card in self.piles[pile]]
        self.chance.shuffle(faces)
        self.lay_over(pile, faces)

    def lay_over(self, pile: str, faces: list[int]) -> None:
        """Lay closed cards in the place of a pile."""
        self.piles[pile] = tuple(map(Card, faces))
        self.step.pile[:] = self.piles[pile]

    def share(self, asked: steps.Share) -> None:
        share(self.step.reads)
        faces = [self.open(read) for read in asked.reads if read.reader is None]
        self.done(steps.Shared(tuple(faces)), faces)

    def open(self, read: steps.Read) -> int:
        """Turn a card up; return the face."""
        card = self.piles[read.pile][read.place]
        card.face = card.true
        return card.true

    @abstractmethod
    def decide(self, seat: Seat) -> None:
        """Let the seat answer. A refused answer has changed nothing."""

    def seal(self, order: steps.Order) -> None:
        """Let the seats choose at the same time, which no seat does in most games."""
        raise ValueError(f"{order} seal a move")

    def judged(self, seat: Seat, move: steps.Wire) -> Any:
        """Return the product's judgement of a move, or the code of its check."""
        try:
            return self.ours.judge(seat, move, self.piles)
        except CheckError as refusal:
            return refusal.check.value

    def done(self, outcome: steps.Outcome, theirs: Any) -> None:
        """Give both sides the outcome of a step; see that they lay the same piles."""
        self.ours, new = self.ours.done(outcome, self.piles)
        self.step = self.step.then(theirs)
        laid = self.cards.piles
        assert trues(new) == trues(laid)
        self.piles = {name: tuple(cards) for name, cards in laid.items()}


def trues(piles: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the faces of the cards in piles, closed cards included."""
    return {name: [getattr(card, "true", card) for card in piles[name]] for name in piles}
