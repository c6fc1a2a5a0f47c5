"""The words for cards, and for cards that are laid together."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from matcha_p2p.games.tichu.rules import cards as card_rules
from matcha_p2p.games.tichu.rules.combinations import Shape, combination
from matcha_p2p.language import Sentence, translated
from matcha_p2p.narration.sentences import NONE

ONE: Final[Mapping[int, Sentence]] = MappingProxyType(
    {
        2: Sentence("a two"),
        3: Sentence("a three"),
        4: Sentence("a four"),
        5: Sentence("a five"),
        6: Sentence("a six"),
        7: Sentence("a seven"),
        8: Sentence("an eight"),
        9: Sentence("a nine"),
        10: Sentence("a ten"),
        11: Sentence("a jack"),
        12: Sentence("a queen"),
        13: Sentence("a king"),
        14: Sentence("an ace"),
    }
)
"""A card of each number."""
MANY: Final[Mapping[int, Sentence]] = MappingProxyType(
    {
        2: Sentence("twos"),
        3: Sentence("threes"),
        4: Sentence("fours"),
        5: Sentence("fives"),
        6: Sentence("sixes"),
        7: Sentence("sevens"),
        8: Sentence("eights"),
        9: Sentence("nines"),
        10: Sentence("tens"),
        11: Sentence("jacks"),
        12: Sentence("queens"),
        13: Sentence("kings"),
        14: Sentence("aces"),
    }
)
"""What a pair, a triple, a full house or a bomb is of."""
HIGHEST: Final[Mapping[int, Sentence]] = MappingProxyType(
    {
        3: Sentence("to the three"),
        4: Sentence("to the four"),
        5: Sentence("to the five"),
        6: Sentence("to the six"),
        7: Sentence("to the seven"),
        8: Sentence("to the eight"),
        9: Sentence("to the nine"),
        10: Sentence("to the ten"),
        11: Sentence("to the jack"),
        12: Sentence("to the queen"),
        13: Sentence("to the king"),
        14: Sentence("to the ace"),
    }
)
"""Where stairs and straights end."""
SPECIAL: Final[Mapping[int, Sentence]] = MappingProxyType(
    {
        card_rules.MAH_JONG: Sentence("the Mah Jong"),
        card_rules.DOG: Sentence("the Dog"),
        card_rules.PHOENIX: Sentence("the Phoenix"),
        card_rules.DRAGON: Sentence("the Dragon"),
    }
)
PAIR: Final = Sentence("a pair of {numbers}")
TRIPLE: Final = Sentence("a triple of {numbers}")
FULL_HOUSE: Final = Sentence("a full house of {numbers} with {others}")
STAIRS: Final = Sentence("stairs of {pairs} pairs {highest}")
STRAIGHT: Final = Sentence("a straight of {size} {highest}")
FOUR: Final = Sentence("a bomb of {numbers}")
FLUSH: Final = Sentence("a straight bomb of {size} {highest}")
KINDS: Final[Mapping[Shape, Sentence]] = MappingProxyType(
    {
        Shape.FULL_HOUSE: Sentence("a full house"),
        Shape.STAIRS: Sentence("stairs"),
        Shape.STRAIGHT: Sentence("a straight"),
        Shape.FLUSH: Sentence("a straight bomb"),
    }
)
"""Combinations with long names, beside cards that show the rest."""
WITH_CARDS: Final = Sentence("{name} ({cards})")
GAP: Final = Sentence(", ")
MARKS: Final = Sentence("✦ ◉ ⌂ ⍏ 1 Dog Phx Drg")
"""Of the four suits, star, jade, pagoda and sword, then of the four special cards."""
CARD: Final = Sentence("{rank}{suit}")
"""A card of a suit, with the mark of the suit."""

_TYPED: Final = "RGBSMHPD"
"""The letters that are typed for the marks."""


def card_text(face: int) -> str:
    """Return a card by its rank and the mark of its suit, as the table shows it."""
    return spelt(face, MARKS(), translated(CARD.english))


def spelt(face: int, marks: str, card: str = CARD.english) -> str:
    """Return a card by one of ``marks``, which are separated by spaces.

    card: how the rank and the mark of the suit follow each other.
    """
    suit = card_rules.SUITS[face]
    if suit is None:
        return marks.split()[face - card_rules.MAH_JONG + 4]
    return card.format(rank=rank_text(card_rules.NUMBERS[face]), suit=marks.split()[suit])


def rank_text(number: int) -> str:
    """Return a number from 2 to 14 as cards show it: 2 to 10, J, Q, K or A."""
    return "JQKA"[number - 11] if number > 10 else str(number)


def typed(text: str) -> str:
    """Return ``text`` in capitals, with a letter in the place of each mark, and T for ten."""
    text = text.upper().replace("10", "T")
    for marks in (MARKS(), MARKS.english):
        for mark, letter in zip(marks.upper().split(), _TYPED, strict=True):
            text = text.replace(mark, letter)
    return text


def play_words(faces: Iterable[int], wild: int = 0) -> str:
    """Return what the cards of a legal play are together, and which they are.

    The name of a special card says it all.
    """
    faces = tuple(faces)
    if len(faces) == 1 and faces[0] in SPECIAL:
        return SPECIAL[faces[0]]()
    return WITH_CARDS(name=shape_words(faces, wild), cards=laid_text(faces, wild))


def shape_words(faces: tuple[int, ...], wild: int) -> str:
    """Return what the cards of a legal play are together: a pair of nines."""
    made = combination(faces, wild, None)
    number = made.strength // 2
    match made.kind:
        case Shape.SINGLE | Shape.DOG:
            (face,) = faces
            return SPECIAL[face]() if face in SPECIAL else ONE[number]()
        case Shape.PAIR:
            return PAIR(numbers=MANY[number]())
        case Shape.TRIPLE:
            return TRIPLE(numbers=MANY[number]())
        case Shape.FULL_HOUSE:
            (other,) = {card_rules.NUMBERS[face] or wild for face in faces} - {number}
            return FULL_HOUSE(numbers=MANY[number](), others=MANY[other]())
        case Shape.STAIRS:
            return STAIRS(pairs=made.size // 2, highest=HIGHEST[number]())
        case Shape.STRAIGHT:
            return STRAIGHT(size=made.size, highest=HIGHEST[number]())
        case Shape.FOUR:
            return FOUR(numbers=MANY[number]())
        case Shape.FLUSH:
            return FLUSH(size=made.size, highest=HIGHEST[number]())


def laid_text(faces: Iterable[int], wild: int = 0) -> str:
    """Return cards as the table shows them, the Phoenix where it stands."""
    return " ".join(map(card_text, card_rules.in_order(faces, wild)))


def hand_text(faces: Iterable[int]) -> str:
    """Return the cards of a hand, sorted: cards of a number together, special cards last."""
    by_number: dict[int, list[str]] = {}
    for face in sorted(faces, key=lambda face: (_rank(face), card_rules.SUITS[face] or 0)):
        by_number.setdefault(_rank(face), []).append(card_text(face))
    return GAP().join(" ".join(cards) for cards in by_number.values()) or NONE()


def _rank(face: int) -> int:
    return card_rules.NUMBERS[face] or face
