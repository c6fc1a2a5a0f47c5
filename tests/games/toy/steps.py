"""A game that is not Matcha: three seats, nine cards, one sealed choice.

Each seat is dealt two cards, and all choose one of theirs at the same time; the highest wins.
It needs every verb of the table. Two or four seats can play it with the same cards.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.moves import Backs, MoveForms
from matcha_p2p.table.piles import NewPiles, Piles, find
from matcha_p2p.wire.encoding import Value

SEATS: Final = (Seat(0), Seat(1), Seat(2))


@dataclass(frozen=True, slots=True)
class Toy:
    """The public state: which stage comes next, who acts first, and what has come of it."""

    name: ClassVar = "toy"
    variant: ClassVar = "one"
    faces: ClassVar[Mapping[int, int]] = dict.fromkeys(range(9), 1)
    forms: ClassVar[MoveForms] = {"choose": (Backs(1, 1),)}
    seats: int = len(SEATS)
    first: Seat = SEATS[-1]
    stage: str = "toss"
    chosen: tuple[int, ...] = ()
    winner: Seat | None = None

    @property
    def order(self) -> steps.Order:
        return tuple([Seat((self.first + i) % self.seats) for i in range(self.seats)])

    def rules(self) -> Value:
        return [len(self.faces)]

    def next(self, piles: Piles) -> steps.Step:
        match self.stage:
            case "toss":
                return steps.Coin(self.order)
            case "mix":
                return steps.Shuffle("deck", self.order, "mix")
            case "deal":
                hands = {s: range(len(piles[f"hand {s}"])) for s in sorted(self.order)}
                read = [steps.Read(f"hand {s}", p, s) for s in hands for p in hands[s]]
                return steps.Share(tuple(read), self.order, "deal")
            case "choose":
                return steps.Sealed(self.order)
            case "show":
                shown = [steps.Read(f"hand {s}", p, None) for s, p in enumerate(self.chosen)]
                return steps.Share(tuple(shown), self.order, "show")
            case _:
                return steps.Over(self.order)

    def done(self, outcome: steps.Outcome, piles: Piles) -> tuple["Toy", NewPiles]:
        match outcome:
            case steps.Tossed(value):
                mixing = replace(self, stage="mix", first=Seat(value[0] % self.seats))
                return mixing, {"deck": [*self.faces]}
            case steps.Mixed():
                deck = piles["deck"]
                hands = {f"hand {s}": deck[2 * s : 2 * s + 2] for s in self.order}
                return replace(self, stage="deal"), {**hands, "rest": deck[2 * self.seats :]}
            case steps.Shared(()):
                return replace(self, stage="choose"), piles
            case steps.Unsealed(places):
                chosen = tuple(places[seat] for seat in sorted(places))
                return replace(self, stage="show", chosen=chosen), piles
            case steps.Shared(faces):
                return replace(self, stage="over", winner=Seat(faces.index(max(faces)))), piles
            case _:
                raise RuntimeError(f"{outcome} was not asked for")

    def judge(self, seat: Seat, move: steps.Wire, piles: Piles) -> int:
        _, back = move
        assert isinstance(back, bytes)
        return find(piles, f"hand {seat}", back)

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[steps.Wire]:
        return (self.write(seat, place, piles) for place in range(2))

    def write(self, seat: Seat, move: Any, piles: Piles) -> steps.Wire:
        return ("choose", piles[f"hand {seat}"][move].back)

    def snapshot(self) -> Value:
        return [self.stage, self.first, [*self.chosen], [*(self.result() or ())]]

    def result(self) -> tuple[Seat, ...] | None:
        return None if self.winner is None else (self.winner,)


class ToyOfTeams(Toy):
    """The toy game for four, in which seats that sit opposite are partners."""

    def partner(self, seat: Seat) -> Seat:
        return Seat((seat + 2) % 4)


def new_game(variant: str, seats: int) -> Toy | None:
    known = variant == Toy.variant and seats in (2, 3, 4)
    return Toy(seats, Seat(seats - 1)) if known else None
