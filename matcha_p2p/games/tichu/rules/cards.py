"""The 56 cards: what they are called, their numbers, suits and points (T2, T3, T15)."""

from collections.abc import Iterable
from typing import Annotated, Final, TypeAlias

from matcha_p2p.games.plain import choice, number

MAH_JONG: Final = 52
DOG: Final = 53
PHOENIX: Final = 54
DRAGON: Final = 55
FACES: Final = range(56)
"""A card of a suit is 13 * suit + number - 2."""

LOWEST: Final = 2
ACE: Final = 14

NUMBERS: Final = (*(face % 13 + LOWEST for face in range(52)), 1, 0, 0, 0)
"""The number of each face. The Mah Jong is 1; the other special cards have none."""
SUITS: Final = (*(face // 13 for face in range(52)), None, None, None, None)
"""The suit of each face, 0 to 3; special cards have none."""
POINTS: Final = (*({5: 5, 10: 10, 13: 10}.get(number, 0) for number in NUMBERS[:54]), -25, 25)
"""What each face counts."""

TEXTS: Final[tuple[str, ...]] = (
    *(suit + rank for suit in "RGBK" for rank in "23456789TJQKA"),
    *"MHPD",
)
"""What each face is called in files and commands."""


_BY_TEXT: Final = {text: face for face, text in enumerate(TEXTS)}
Face: TypeAlias = Annotated[int, choice(_BY_TEXT, "Card")]
"""A card; its plain form is its text."""
Rank: TypeAlias = Annotated[int, number(0, ACE)]
"""The number of a card, or 0 for none."""


def in_order(faces: Iterable[int], wild: int = 0) -> list[int]:
    """Return ``faces`` by number. wild: the number of the Phoenix, or 0."""
    return sorted(faces, key=lambda face: (wild if face == PHOENIX else NUMBERS[face], face))


def points(faces: Iterable[int]) -> int:
    """Return what ``faces`` count together."""
    return sum(POINTS[face] for face in faces)
