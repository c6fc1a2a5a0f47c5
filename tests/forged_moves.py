"""Moves that the rules of protocol/verifier may well allow, and that no bot would choose."""

import random
from collections.abc import Callable
from typing import Any, TypeAlias

from tests.judges import VERIFIER

CODEC = VERIFIER["codec"]
DRAGON_ITSELF = VERIFIER["tichu_rules"].DRAGON_ITSELF
NUMBER = VERIFIER["tichu_rules"].number
Move: TypeAlias = list[Any]
Hand: TypeAlias = Callable[[int], list[Any]]
"""Returns the cards of a hand."""
Face: TypeAlias = Callable[[Any], int]
"""Returns the true face of a card."""


def _matcha(game: Any, seat: int, hand: Hand, _: Face, chance: random.Random) -> Move:
    """Lay any card at a mat, pass, or keep any cards."""
    held = game.hands[seat]
    if game.phase == ["keep"]:
        slots = sorted(chance.sample(held, chance.randint(0, len(held))))
        return ["keep", b"".join(hand(seat)[slot].back for slot in slots)]
    if not held or chance.random() < 0.2:
        return ["pass"]
    mat = chance.choice((*game.mats, *game.mats, chance.randint(0, 5)))
    return ["lay", mat, hand(seat)[chance.choice(held)].back]


def _tichu(game: Any, seat: int, cards: Hand, true: Face, chance: random.Random) -> Move:
    """Answer a question; hold and pass at times, otherwise lay cards."""
    call = int(chance.random() < 0.05)
    hand = {place: true(cards(seat)[place]) for place in game.held[seat]}
    match game.asked[0][1]:
        case "grand":
            return ["grand", int(chance.random() < 0.2)]
        case "push":
            return ["give", call]
        case "call":
            mah_jong = [place for place, face in hand.items() if face == 52]
            shows = mah_jong and chance.random() < 0.95
            return ["open", call, mah_jong[0]] if shows else ["hold", call]
        case "gift":
            return ["gift", chance.randint(0, 3)]
        case "hold" if game.top != DRAGON_ITSELF and chance.random() < 0.5:
            return ["hold", call]
        case "turn" if game.top and chance.random() < 0.2:
            return ["pass", call]
    return _play(game, hand, chance, call)


def _play(game: Any, hand: dict[int, int], chance: random.Random, call: int) -> Move:
    """Lay cards of one number, or of a few numbers that follow each other."""
    by_number: dict[int, list[int]] = {}
    for place, face in hand.items():
        by_number.setdefault(NUMBER(face), []).append(place)
    fours = [places for places in by_number.values() if len(places) == 4]
    if game.top == DRAGON_ITSELF and fours:  # chance seldom lays a bomb there
        return _lay(fours[0])
    dragon = [place for place, face in hand.items() if face == 55]
    if dragon and not game.top:
        return _lay(dragon)
    fits = game.top and chance.random() < 0.6
    size = game.top[1] if fits else chance.choice((1, 1, 2, 3, 4, 5))
    first = chance.choice(sorted(by_number))
    if size >= 5:
        each = 2 if game.top and game.top[0] == "stairs" else 1
        numbers = range(first, first + size // each)
        places = [place for n in numbers for place in by_number.get(n, [])[:each]]
    else:
        places = chance.sample(by_number[first], min(size, len(by_number[first])))
    phoenix = [place for place, face in hand.items() if face == 54 and place not in places]
    wild = 0
    if phoenix and places and chance.random() < 0.5:
        wild, places = chance.choice((first, chance.randint(2, 14))), [*places[1:], *phoenix]
    wish = chance.choice((0, chance.randint(2, 14))) if 52 in map(hand.get, places) else 0
    return _lay(places, call, wild if len(places) > 1 else 0, wish)


def _lay(places: list[int], call: int = 0, wild: int = 0, wish: int = 0) -> Move:
    return ["lay", call, wild, wish, sum(1 << place for place in places)]


def _kashi(game: Any, seat: int, _: Hand, __: Face, chance: random.Random) -> Move:
    """Make a turn of actions that are each allowed, or give any other answer."""
    match game.phase:
        case ["start", *_]:
            return ["start", chance.choice(game.board.starts)]
        case ["pay", *_]:
            return ["upkeep", chance.randint(0, 3)]
        case ["idle", *_]:
            return [chance.choice(("on", "settle"))]
    turn: Move = ["turn"]
    squares = sorted(game.board.grid)
    for _attempt in range(chance.randint(0, 40)):
        square = chance.choice(squares)
        wish = chance.choice((0, 10_000, 20_000 + square, chance.randint(1, 5)))
        action = chance.choice(
            (
                *(0, 1, chance.randint(1, 7), 10_000, 10_000 + square),
                *(100_000 + 10 * square + chance.choice((0, 0, 1, 2, 3, 4)),) * 3,
                *(1_000_000 * order + wish for order in game.row[:3]),
            )
        )
        try:
            game.judge(seat, [*turn, action])
            turn.append(action)
        except CODEC.CheckError:
            continue
    return turn


def likely(name: str, *seen: Any) -> Move:
    """Return a move in a game. seen: the rules, the seat, hands, faces of cards, chance."""
    return {"matcha": _matcha, "tichu": _tichu, "kashi": _kashi}[name](*seen)


IDLE: dict[str, list[Move]] = {
    "matcha": [["pass"], ["keep", b""]],
    "tichu": [
        *(["hold", 0], ["pass", 0], ["grand", 0], ["give", 0], ["gift", 0], ["gift", 1]),
        *(["lay", 0, 0, 0, 1 << place] for place in range(14)),
    ],
    "kashi": [["turn"], ["upkeep", 0], ["on"], *(["start", n] for n in range(100, 1000))],
}
"""In each phase one of these moves is legal."""
