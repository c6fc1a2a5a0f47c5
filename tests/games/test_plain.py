"""Values in their plain form, and back; lies are refused with their place."""

import enum
import json
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import pytest

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.games.plain import Form, Natural, PlainError, choice, form_of, number, sized
from matcha_p2p.seats import Seat
from matcha_p2p.wire.names import GameId


class Suit(enum.Enum):
    RED = "red"
    BLACK = "black"


class Card(NamedTuple):
    """A card. rank: its number."""

    suit: Suit
    rank: Annotated[int, number(1, 9)]


@dataclass(frozen=True)
class HandSeen:
    seat: Seat
    cards: tuple[Card, ...]


class Over(NamedTuple):
    points: tuple[int, bool]
    names: Annotated[tuple[str, ...], sized(2)]
    places: frozenset[int]
    worth: Annotated[int, choice({0: 0, 100: 100})]
    game: bytes


class Wrapped(NamedTuple):
    card: Card | None
    event: HandSeen | Over
    turns: Natural = 0


CARD = Card(Suit.BLACK, 9)
SEEN = Wrapped(CARD, HandSeen(Seat(3), (CARD, Card(Suit.RED, 1))), 7)
OVER = Wrapped(None, Over((-1, True), ("a", "b"), frozenset({3, 1, 2}), 100, b"\x01\xff"))
FORM = form_of(Wrapped)
CARD_PLAIN = {"suit": "black", "rank": 9}
SEEN_PLAIN = {
    "card": CARD_PLAIN,
    "event": {
        "kind": "hand-seen",
        "seat": 3,
        "cards": [CARD_PLAIN, {"suit": "red", "rank": 1}],
    },
    "turns": 7,
}
OVER_PLAIN = {
    "card": None,
    "event": {
        "kind": "over",
        "points": [-1, True],
        "names": ["a", "b"],
        "places": [1, 2, 3],
        "worth": 100,
        "game": "01ff",
    },
    "turns": 0,
}


@pytest.mark.parametrize(("value", "plain"), [(SEEN, SEEN_PLAIN), (OVER, OVER_PLAIN)])
def test_value_is_written_and_read_back(value, plain):
    assert FORM.write(value) == plain
    assert FORM.read(json.loads(json.dumps(plain))) == value
    assert FORM.read({**plain, "more": 1}) == value


def changed(plain, path, value):
    """Return the plain value with ``value`` at ``path``."""
    copy = json.loads(json.dumps(plain))
    *way, last = path
    inner = copy
    for key in way:
        inner = inner[key]
    inner[last] = value
    return copy


HUGE = 10**4000
DEEP: list[Any] = [[]]
for _ in range(900):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("plain", "path", "value", "place"),
    [
        (SEEN_PLAIN, ("card", "rank"), True, "card.rank"),
        (SEEN_PLAIN, ("card", "rank"), 0, "card.rank"),
        (SEEN_PLAIN, ("card", "rank"), 9.0, "card.rank"),
        (SEEN_PLAIN, ("card", "rank"), float("nan"), "card.rank"),
        (SEEN_PLAIN, ("card", "rank"), HUGE, "card.rank"),
        (SEEN_PLAIN, ("card", "suit"), "\ud800", "card.suit"),
        (SEEN_PLAIN, ("card", "suit"), ["red"], "card.suit"),
        (SEEN_PLAIN, ("card",), DEEP, "card"),
        (SEEN_PLAIN, ("card",), {"suit": "red"}, "card"),
        (SEEN_PLAIN, ("event", "cards", 1, "suit"), None, "event.cards[1].suit"),
        (SEEN_PLAIN, ("event", "cards"), {}, "event.cards"),
        (SEEN_PLAIN, ("event", "seat"), 4, "event.seat"),
        (SEEN_PLAIN, ("event", "kind"), "Over", "event"),
        (SEEN_PLAIN, ("event", "kind"), {}, "event"),
        (SEEN_PLAIN, ("event",), "over", "event"),
        (SEEN_PLAIN, ("turns",), 1 << 21, "turns"),
        (OVER_PLAIN, ("event", "points", 1), 1, "event.points[1]"),
        (OVER_PLAIN, ("event", "points"), [1], "event.points"),
        (OVER_PLAIN, ("event", "names"), ["a"], "event.names"),
        (OVER_PLAIN, ("event", "names", 0), 1, "event.names[0]"),
        (OVER_PLAIN, ("event", "places", 2), "3", "event.places[2]"),
        (OVER_PLAIN, ("event", "worth"), False, "event.worth"),
        (OVER_PLAIN, ("event", "game"), "0g", "event.game"),
        (OVER_PLAIN, ("event", "game"), 1, "event.game"),
    ],
)
def test_wrong_value_is_refused_with_its_place(plain, path, value, place):
    with pytest.raises(PlainError) as caught:
        FORM.read(changed(plain, path, value))
    assert caught.value.place == f".{place}"
    assert str(caught.value).startswith(f"{place}: ")
    assert len(str(caught.value)) < 300


def test_error_of_a_leaf_gets_its_place():
    def read(plain):
        if plain == 1:
            raise EncodingError(Check.ENCODING, "no text")
        raise ValueError("no number")

    leaves = {Suit: Form(str, read, {})}
    form = form_of(tuple[Suit, ...], leaves)
    for plain, words in (([1], "[0]: no text"), ([2], "[0]: no number")):
        with pytest.raises(PlainError) as caught:
            form.read(plain)
        assert str(caught.value) == words


class Kinded(NamedTuple):
    kind: str


@pytest.mark.parametrize("kind", [object, float, list[int], Kinded | Card])
def test_type_without_a_form_is_a_bug(kind):
    with pytest.raises(TypeError):
        form_of(kind)


def test_new_type_has_the_form_of_its_base():
    assert form_of(GameId).write(GameId(b"\x01")) == "01"
