"""The 18 cards, the five kinds of token, and the order and matching of cards (R1 to R3, R5)."""

import enum
from dataclasses import dataclass
from typing import Final, TypeAlias


class Token(enum.IntEnum):
    """A tea utensil.

    The first four are the suits; the order is the order of comparison (R19).
    """

    LEAF = 0
    BOWL = 1
    WATER = 2
    SCOOP = 3
    WHISK = 4

    @property
    def letter(self) -> str:
        """Return the letter of the token: T, B, W, S or K."""
        return "TBWSK"[self]


SUITS: Final = (Token.LEAF, Token.BOWL, Token.WATER, Token.SCOOP)


@dataclass(frozen=True, slots=True, eq=False)  # each is made once, here
class Face:
    """The print of a card.

    index: 0..15 is 4 * suit + number - 1, 16 is a zero. suit: None on a zero. number: 1..4, or
    0 on a zero.
    """

    index: int
    suit: Token | None
    number: int

    @property
    def name(self) -> str:
        """Return the suit's letter and the number, as T3, or Z for a zero."""
        return "Z" if self.suit is None else f"{self.suit.letter}{self.number}"


ZERO: Final = Face(16, None, 0)
FACES: Final[tuple[Face, ...]] = (
    *(Face(4 * suit + number - 1, suit, number) for suit in SUITS for number in range(1, 5)),
    ZERO,
)
DECK: Final[tuple[Face, ...]] = (*FACES, ZERO)  # two cards show the zero

Hand: TypeAlias = tuple[Face, ...]  # by slot
Hands: TypeAlias = tuple[Hand, Hand]  # by seat


class Demand(enum.Enum):
    """The demand of a mat: a card must share the table card's number or suit."""

    NUMBER = "number"
    SUIT = "suit"


DEMANDS: Final = (Demand.NUMBER, Demand.SUIT) * 3  # of the mats 0..5 (R5)


def suit_beats(suit: Token, other: Token) -> bool:
    """Tell whether ``suit`` outranks ``other`` (R2): leaf > bowl > water > scoop > leaf."""
    return _higher_in_loop(suit, other)


def number_beats(number: int, other: int) -> bool:
    """Tell whether ``number``, 1..4, outranks ``other`` (R2): 4 > 3 > 2 > 1 > 4."""
    return _higher_in_loop(4 - number, 4 - other)


def _higher_in_loop(place: int, other: int) -> bool:
    """Compare two places of a loop, 0 the top and 3 the bottom.

    The order is linear, except that the bottom beats the top.
    """
    if {place, other} == {0, 3}:
        return place == 3
    return place < other


def matches(demand: Demand, shown: Face, card: Face) -> bool:
    """Tell whether ``card`` fulfils the demand of a mat that shows ``shown`` (R12).

    A zero never matches: no table card is a zero.
    """
    if demand is Demand.NUMBER:
        return card.number == shown.number
    return card.suit == shown.suit


def beats(demand: Demand, card: Face, other: Face) -> bool:
    """Tell whether ``card`` is better than ``other``, two cards that fulfil the demand.

    Cards of one number are compared by suit, cards of one suit by number (R12). A zero loses
    to every other card (R3).
    """
    if card.suit is None or other.suit is None:
        return card.suit is not None
    if demand is Demand.NUMBER:
        return suit_beats(card.suit, other.suit)
    return number_beats(card.number, other.number)
