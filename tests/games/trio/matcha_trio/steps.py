"""Trio as steps of the table (``matcha_p2p/table/game.py``)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Final, TypeAlias, cast

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.plain import choice
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.moves import Backs, MoveForms
from matcha_p2p.table.piles import NewPiles, Piles, find
from matcha_p2p.wire.encoding import Value

RULES_VERSION: Final = 1
"""Part of the digest on which all seats agree: raise it with each change of the rules."""
SEATS: Final = (Seat(0), Seat(1), Seat(2))
HAND: Final = 8
RANKS: Final = 6
TEXTS: Final = tuple(suit + str(rank) for suit in "abcd" for rank in range(1, RANKS + 1))
Face: TypeAlias = Annotated[int, choice({text: face for face, text in enumerate(TEXTS)})]
Trick: TypeAlias = tuple[tuple[Seat, Face], ...]


def best(trick: Trick) -> tuple[Seat, Face]:
    """Return the seat that takes a trick as the trick stands, and the card."""
    led = trick[0][1] // RANKS
    return max((each for each in trick if each[1] // RANKS == led), key=lambda each: each[1])


@dataclass(frozen=True, slots=True)
class Trio:
    """The public state. place: of the card that is being opened. held: the places not laid."""

    name: ClassVar = "trio"
    variant: ClassVar = "one"
    seats: ClassVar = len(SEATS)
    faces: ClassVar[Mapping[int, int]] = dict.fromkeys(range(len(TEXTS)), 1)
    forms: ClassVar[MoveForms] = {"lay": (Backs(1, 1),)}
    stage: str = "toss"
    mover: Seat = SEATS[0]
    place: int | None = None
    held: tuple[tuple[int, ...], ...] = (tuple(range(HAND)),) * len(SEATS)
    trick: Trick = ()
    won: tuple[int, ...] = (0, 0, 0)

    def rules(self) -> Value:
        return [RULES_VERSION, HAND, RANKS]

    def next(self, piles: Piles) -> steps.Step:
        order = tuple([Seat((self.mover + n) % len(SEATS)) for n in range(len(SEATS))])
        match self.stage:
            case "toss":
                return steps.Coin((SEATS[2], *SEATS[:2]))  # the first: the last seat begins
            case "mix":
                return steps.Shuffle("deck", order, "mix")
            case "deal":
                reads = [steps.Read(f"hand {s}", p, s) for s in SEATS for p in range(HAND)]
                return steps.Share(tuple(reads), order, "deal")
            case "play" if self.place is not None:
                shown = steps.Read(f"hand {self.mover}", self.place, None)
                return steps.Share((shown,), order, "show")
            case "play":
                return steps.Decide(self.mover)
            case _:
                return steps.Over(order)

    def done(self, outcome: steps.Outcome, piles: Piles) -> tuple["Trio", NewPiles]:
        match outcome:
            case steps.Tossed(value):
                mixing = replace(self, stage="mix", mover=Seat(value[0] % len(SEATS)))
                return mixing, {"deck": [*self.faces]}
            case steps.Mixed():
                hands = {f"hand {s}": piles["deck"][s :: len(SEATS)] for s in SEATS}
                return replace(self, stage="deal"), hands
            case steps.Shared(()):
                return replace(self, stage="play"), piles
            case steps.Moved(place):
                return replace(self, place=place), piles
            case steps.Shared((face,)):
                return self._laid(face), piles
            case _:
                raise RuntimeError(f"{outcome} was not asked for")

    def _laid(self, face: int) -> "Trio":
        held = list(self.held)
        held[self.mover] = tuple(p for p in held[self.mover] if p != self.place)
        trick = (*self.trick, (self.mover, face))
        after = replace(self, place=None, held=tuple(held), trick=trick)
        if len(trick) < len(SEATS):
            return replace(after, mover=Seat((self.mover + 1) % len(SEATS)))
        taker, _ = best(trick)
        won = tuple(count + (seat == taker) for seat, count in enumerate(self.won))
        stage = "over" if sum(won) == HAND else "play"
        return replace(after, trick=(), won=won, mover=taker, stage=stage)

    def judge(self, seat: Seat, move: steps.Wire, piles: Piles) -> int:
        place = find(piles, f"hand {seat}", cast("bytes", move[1]))
        if place not in self.held[seat]:
            raise IllegalMoveError("T1", "the card is laid already")
        return place

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[steps.Wire]:
        return iter(())

    def write(self, seat: Seat, move: Any, piles: Piles) -> steps.Wire:
        return ("lay", piles[f"hand {seat}"][move].back)

    def snapshot(self) -> Value:
        place = HAND if self.place is None else self.place
        known = [[*each] for each in (*self.held, self.won, *self.trick)]
        return [self.stage, self.mover, place, *known]

    def result(self) -> tuple[Seat, ...] | None:
        most = max(self.won)
        return tuple(s for s in SEATS if self.won[s] == most) if self.stage == "over" else None


def new_game(variant: str, seats: int) -> Trio | None:
    return Trio() if (variant, seats) == (Trio.variant, Trio.seats) else None
