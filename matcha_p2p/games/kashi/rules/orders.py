"""The orders, with their goods and bonuses (K5, K6)."""

import enum
import re
from typing import Annotated, Final, NamedTuple, TypeAlias

from matcha_p2p.games.plain import Natural, number

GOODS: Final = 5
GUESTS: Final = 3
ORDERS: Final = 30
SETTLEMENTS: Final = 3
"""How many settlements a game has, and how many orders bring a settlement."""

OrderNumber: TypeAlias = Annotated[int, number(1, ORDERS)]

Goods: TypeAlias = tuple[Natural, Natural, Natural, Natural, Natural]
"""How many of each good, 0 to 4."""

NO_GOODS: Final[Goods] = (0, 0, 0, 0, 0)


class ShopBonus(enum.Enum):
    """A shop that comes with an order (K30); the value is the word of the board file."""

    HALF_EMPTY = "shop/2"
    HALF_ANY = "shop/2 any"
    FREE_ANY = "shop free any"


class Bonus(NamedTuple):
    """The immediate gains of an order.

    named: the goods that the order names. chosen: how many goods the player chooses.
    """

    ap: int = 0
    gold: int = 0
    named: Goods = NO_GOODS
    chosen: int = 0
    shop: ShopBonus | None = None

    @property
    def asks(self) -> bool:
        """Whether the player has a choice."""
        return self.chosen > 0 or self.shop is not None


class OrderCard(NamedTuple):
    """An order. number: 1..30. guest: 0..2. settle: whether it brings a settlement (K37)."""

    number: int
    goods: Goods
    guest: int
    points: int
    bonus: Bonus
    settle: bool


_PART: Final = re.compile(
    r"(?P<ap>2ap)|(?P<gold>[1-9][0-9]?)g|(?P<count>[1-4]) good(?::(?P<good>[1-5]))?"
    r"|(?P<shop>shop/2 any|shop/2|shop free any)"
)


def parse_bonus(text: str) -> Bonus | None:
    """Return the bonus of the words in a board file; None for unknown words.

    Each kind of part comes at most once; goods of several names may come.
    """
    bonus, place, seen = Bonus(), 0, set[str]()
    while found := _PART.match(text, place):
        kind = found.lastgroup or ""
        if kind in seen - {"good"}:
            return None
        seen.add(kind)
        bonus = _with_part(bonus, found)
        place = found.end()
        if place == len(text):
            return bonus
        if text[place] != " ":
            return None
        place += 1
    return None


def _with_part(bonus: Bonus, part: re.Match[str]) -> Bonus:
    if part["ap"]:
        return bonus._replace(ap=2)
    if part["gold"]:
        return bonus._replace(gold=int(part["gold"]))
    if part["shop"]:
        return bonus._replace(shop=ShopBonus(part["shop"]))
    if part["good"]:
        return bonus._replace(named=add(bonus.named, int(part["good"]) - 1, int(part["count"])))
    return bonus._replace(chosen=int(part["count"]))


def add(goods: Goods, good: int, count: int = 1) -> Goods:
    """Return ``goods`` and ``count`` more of ``good``."""
    counts = list(goods)
    counts[good] += count
    return _goods(counts)


def plus(goods: Goods, others: Goods) -> Goods:
    """Return both together."""
    return _goods([one + other for one, other in zip(goods, others, strict=True)])


def minus(goods: Goods, others: Goods) -> Goods:
    """Return ``goods`` without ``others``."""
    return _goods([one - other for one, other in zip(goods, others, strict=True)])


def missing(wanted: Goods, held: Goods) -> Goods:
    """Return the goods still to be bought."""
    pairs = zip(wanted, held, strict=True)
    return _goods([one - other if one > other else 0 for one, other in pairs])


def _goods(counts: list[int]) -> Goods:
    rice, chestnut, plum, honey, tea = counts
    return rice, chestnut, plum, honey, tea
