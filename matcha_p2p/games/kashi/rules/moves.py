"""The actions of a turn, and the choices of a seat."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.seats import Seat


@dataclass(frozen=True, slots=True)
class Go:
    """Goes to ``square``, in a step or over a chain of the seat ``over`` (K16, K17)."""

    square: int
    over: Seat | None = None


@dataclass(frozen=True, slots=True)
class Buy:
    """Buys the good of the square, and gives the good ``back`` before (K21, K23)."""

    back: int | None = None


@dataclass(frozen=True, slots=True)
class TakeGold:
    """Takes gold (K24)."""


@dataclass(frozen=True, slots=True)
class LayShop:
    """Lays a shop, from the hand or from the square ``taken`` (K31, K33)."""

    taken: int | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """Leaves the bonus of an order (K27)."""


@dataclass(frozen=True, slots=True)
class ChooseGoods:
    """Takes ``goods`` as a bonus, 0 to 4 each, ascending."""

    goods: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlaceShop:
    """Lays the shop of a bonus on ``square`` (K30)."""

    square: int


BonusWish: TypeAlias = Decline | ChooseGoods | PlaceShop


@dataclass(frozen=True, slots=True)
class Fulfil:
    """Fulfils an order. wish: about its bonus, None for a bonus without a choice (K27)."""

    order: int
    wish: BonusWish | None = None


TurnAction: TypeAlias = Go | Buy | TakeGold | LayShop | Fulfil


@dataclass(frozen=True, slots=True)
class StartAt:
    """Puts the person on a start square (K11)."""

    square: int


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """Makes ``actions`` in order, then ends the turn (K14)."""

    actions: tuple[TurnAction, ...] = ()


@dataclass(frozen=True, slots=True)
class PayUpkeep:
    """Pays ``gold`` of the upkeep (K42)."""

    gold: int


@dataclass(frozen=True, slots=True)
class AnswerIdle:
    """Answers the question of K39."""

    settle: bool


Move: TypeAlias = StartAt | TakeTurn | PayUpkeep | AnswerIdle

TAKE_GOLD: Final = TakeGold()
DECLINE: Final = Decline()
