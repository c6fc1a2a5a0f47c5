"""The toy game: three seats get two of nine cards each and show one; the highest wins."""

from typing import ClassVar, cast

from cards import Cards
from codec import Packable
from messages import Forms
from steps import Move, Step, coin, over, sealed, share, shuffle

SEATS = (0, 1, 2)


class Toy:
    """The state of a toy game. stage: the next stage."""

    name: ClassVar = "toy"
    teams: ClassVar = False
    seats: ClassVar = len(SEATS)
    faces: ClassVar = range(9)
    forms: ClassVar[Forms] = {"choose": [(bytes, 1, 1)]}
    cards: Cards

    def __init__(self) -> None:
        self.variant = "one"
        self.values = [len(self.faces)]
        self.stage = "toss"
        self.first = 2
        self.chosen: list[int] = []
        self.winner: list[int] = []

    def begin(self, cards: Cards) -> Step:
        """Toss for the first seat to act."""
        self.cards = cards
        return coin(self._order(), self._tossed)

    def _order(self) -> tuple[int, ...]:
        return SEATS[self.first :] + SEATS[: self.first]

    def _tossed(self, value: bytes) -> Step:
        self.stage, self.first = "mix", value[0] % 3
        deck = self.cards.public(*self.faces)
        self.cards.piles = {"deck": deck}
        return shuffle(deck, self._order(), "mix", self._mixed)

    def _mixed(self, _: list[int]) -> Step:
        self.stage = "deal"
        deck = self.cards.piles["deck"]
        hands = {f"hand {seat}": deck[2 * seat : 2 * seat + 2] for seat in SEATS}
        self.cards.piles = {**hands, "rest": deck[6:]}
        reads = [(card, seat) for seat in SEATS for card in hands[f"hand {seat}"]]
        return share([*reads], self._order(), "deal", self._dealt)

    def _dealt(self, _: list[int]) -> Step:
        self.stage = "choose"
        return sealed(self._order(), self._chose)

    def _chose(self, moves: dict[int, Move]) -> Step:
        self.stage = "show"
        self.chosen = [self._place(seat, moves[seat]) for seat in SEATS]
        hands = [self.cards.piles[f"hand {seat}"] for seat in SEATS]
        shown = [hand[place] for hand, place in zip(hands, self.chosen, strict=True)]
        return share([(card, None) for card in shown], self._order(), "show", self._shown)

    def _shown(self, faces: list[int]) -> Step:
        self.stage, self.winner = "over", [faces.index(max(faces))]
        return over(self._order())

    def _place(self, seat: int, move: Move) -> int:
        return self.cards.find(f"hand {seat}", cast("bytes", move[1]))

    def judge(self, seat: int, move: Move) -> None:
        """Refuse a back outside the hand."""
        self._place(seat, move)

    def state(self) -> Packable:
        """Return stage, first seat, places chosen, winner."""
        return self.stage, self.first, self.chosen, self.winner

    def result(self) -> list[int] | None:
        """Return the winner, or None before the end."""
        return self.winner if self.stage == "over" else None

    def winners(self, resigned: int | None) -> list[int]:
        """Return the winner, or all seats but ``resigned``."""
        if resigned is None:
            return self.winner
        return [seat for seat in SEATS if seat != resigned]
