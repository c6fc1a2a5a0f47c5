"""The toy in sentences and as facts (``matcha_p2p/games/game.py``)."""

from typing import Any

from matcha_p2p.games.game import Event
from matcha_p2p.games.game_facts import GameFacts
from matcha_p2p.games.plain import form_of
from matcha_p2p.seats import Seat
from tests.games.toy.seated import Choice, Drawn, Greeted, Won
from tests.games.toy.steps import Toy


class ToyWords:
    """name: of all others."""

    hides = True

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.name = ""
        self._names: tuple[str, ...] = ()

    def name_of(self, seat: Seat) -> str:
        return self._names[seat]

    def tell(self, event: Event, game: Toy) -> list[str]:
        del game
        match event:
            case Greeted(names):
                return self._meet(names)
            case Drawn(cards):
                return [_held(cards)]
            case Won((winner,), how):
                who = "You win" if winner == self.seat else f"{self._names[winner]} wins"
                return [f"{who}: {how}."]
            case Won(winners, how):  # a seat has resigned
                return [f"{' and '.join(self._names[seat] for seat in winners)} win: {how}."]
            case _:
                raise TypeError(event)

    def take_up(self, game: Toy, names: tuple[str, ...], hand: tuple[int, ...]) -> list[str]:
        del game
        return [*self._meet(names), *([_held(hand)] if hand else [])]

    def uncover(self, cards: Any) -> list[str]:
        del cards
        return []

    def _meet(self, names: tuple[str, ...]) -> list[str]:
        self._names = names
        self.name = " and ".join(name for n, name in enumerate(names) if n != self.seat)
        return [f"You play {self.name}."]


def _held(cards: tuple[int, ...]) -> str:
    return f"Your cards: {' and '.join(map(str, cards))}."


def words(seat: Seat) -> ToyWords:
    return ToyWords(seat)


def facts(seat: Seat | None) -> GameFacts:
    return GameFacts(seat, lambda _: EVENT, _listed, form_of(tuple[int, ...]))


def _listed(view: Choice) -> list[str]:
    return [str(place + 1) for place in view.legal_moves()]


EVENT = form_of(Greeted | Drawn | Won)
