"""A game for two to four seats, in which each gives a card to every other.

Nobody sees a gift before all have given. Then each seat mixes its new hand and reads it, and
every program says by itself whether the zero is in it. Who holds the zero wins.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.game import FacesOf
from matcha_p2p.table.moves import Backs, MoveForms, Number
from matcha_p2p.table.piles import Card, NewPiles, Piles, find
from matcha_p2p.wire.encoding import Value

HAND = 4


@dataclass(frozen=True, slots=True)
class Passing:
    """The public state: which stage comes next, whose turn it is in it, and what was said.

    said: by each seat, a word with its gift. holder: the seat and the place of the zero.
    """

    name: ClassVar = "passing"
    variant: ClassVar = "one"
    forms: ClassVar[MoveForms] = {"give": (Number(0, 9),), "zero": (Backs(1, 1),), "none": ()}
    seats: int
    stage: str = "toss"
    turn: int = 0
    first: Seat | None = None
    said: tuple[int, ...] = ()
    holder: tuple[Seat, int] | None = None

    @property
    def faces(self) -> Mapping[int, int]:
        return dict.fromkeys(range(HAND * self.seats), 1)

    @property
    def order(self) -> steps.Order:
        first = self.seats - 1 if self.first is None else self.first
        return tuple([Seat((first + i) % self.seats) for i in range(self.seats)])

    @property
    def seat(self) -> Seat:
        """Whose turn it is: who looks last tells first, and so in one message."""
        return self.order[-1 - self.turn if self.stage == "tell" else self.turn]

    def rules(self) -> Value:
        return [HAND]

    def next(self, piles: Piles) -> steps.Step:
        hand = f"hand {self.seat}"
        match self.stage:
            case "toss":
                return steps.Coin(self.order)
            case "mix":
                return steps.Shuffle("deck", self.order, "mix")
            case "deal" | "look":
                hands = {seat: range(len(piles[f"hand {seat}"])) for seat in self.order}
                read = [steps.Read(f"hand {s}", place, s) for s in hands for place in hands[s]]
                return steps.Share(tuple(read), self.order, self.stage)
            case "choose":
                return steps.Decide(self.seat)
            case "give":
                others = tuple(seat for seat in sorted(self.order) if seat != self.seat)
                return steps.Shuffle(hand, (self.seat,), "give", others)
            case "own":
                return steps.Shuffle(hand, (self.seat,), "own")
            case "tell":
                return steps.Decide(self.seat, auto=True)
            case "show":
                assert self.holder is not None
                seat, place = self.holder
                return steps.Share(
                    (steps.Read(f"hand {seat}", place, None),), self.order, "show"
                )
            case _:
                return steps.Over(self.order)

    def done(self, outcome: steps.Outcome, piles: Piles) -> tuple["Passing", NewPiles]:
        match self.stage, outcome:
            case "toss", steps.Tossed(value):
                mixing = replace(self, stage="mix", first=Seat(value[0] % self.seats))
                return mixing, {"deck": [*self.faces]}
            case "mix", _:
                deck = piles["deck"]
                hands = {f"hand {s}": deck[HAND * s : HAND * s + HAND] for s in self.order}
                return replace(self, stage="deal"), hands
            case "deal", _:
                return replace(self, stage="choose"), piles
            case "choose", steps.Moved(word):
                return replace(self, stage="give", said=(*self.said, word)), piles
            case "give", _:
                kept, gifts = _parted(piles, self.seat, self.order)
                laid = {**piles, f"hand {self.seat}": kept, **gifts}
                after = self._turned("choose", "own")
                return after, laid if after.stage == "choose" else _received(laid, self.order)
            case "own", _:
                return self._turned("own", "look"), piles
            case "look", _:
                return replace(self, stage="tell"), piles
            case "tell", steps.Moved(place):
                found = self if place is None else replace(self, holder=(self.seat, place))
                return found._turned("tell", "show"), piles
            case _:
                return replace(self, stage="over"), piles

    def _turned(self, stage: str, then: str) -> "Passing":
        """Return the game at the next turn of ``stage``, or after its last one at ``then``."""
        last = self.turn == self.seats - 1
        return replace(self, stage=then if last else stage, turn=(self.turn + 1) % self.seats)

    def judge(self, seat: Seat, move: steps.Wire, piles: Piles) -> int | None:
        match move:
            case ("zero", bytes(back)):
                return find(piles, f"hand {seat}", back)
            case ("give", int(word)):
                return word
            case _:
                return None

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[steps.Wire]:
        del seat, piles
        return iter(())

    def write(self, seat: Seat, move: Any, piles: Piles) -> steps.Giving:
        del seat, piles
        word, *places = move
        return steps.Giving(("give", word), tuple(places))

    def answer(self, seat: Seat, faces: FacesOf, piles: Piles) -> steps.Wire:
        hand = f"hand {seat}"
        known = faces(hand)
        return ("zero", piles[hand][known.index(0)].back) if 0 in known else ("none",)

    def snapshot(self) -> Value:
        holder = [*(self.holder or ())]
        return [self.stage, self.turn, [*self.order], [*self.said], holder]

    def result(self) -> tuple[Seat, ...] | None:
        return (self.holder[0],) if self.stage == "over" and self.holder else None


def new_game(variant: str, seats: int) -> Passing | None:
    return Passing(seats) if variant == Passing.variant else None


def _parted(
    piles: Piles, giver: Seat, order: steps.Order
) -> tuple[tuple[Card, ...], dict[str, tuple[Card, ...]]]:
    """Return what ``giver`` keeps, and a pile for each gift."""
    hand, others = piles[f"hand {giver}"], [seat for seat in sorted(order) if seat != giver]
    kept = len(hand) - len(others)
    gifts = {f"{giver} to {q}": hand[kept + i : kept + i + 1] for i, q in enumerate(others)}
    return hand[:kept], gifts


def _received(piles: NewPiles, order: steps.Order) -> NewPiles:
    """Return the hands, with what each seat was given."""
    return {
        f"hand {seat}": [
            *piles[f"hand {seat}"],
            *(piles[f"{giver} to {seat}"][0] for giver in sorted(order) if giver != seat),
        ]
        for seat in order
    }
