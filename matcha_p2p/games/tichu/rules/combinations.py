"""What cards are together, and which combination is stronger (T14 to T18, T23)."""

import enum
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

from matcha_p2p.games.plain import number
from matcha_p2p.games.tichu.rules import cards
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.language import Sentence


class Shape(enum.Enum):
    """The kinds of combinations."""

    DOG = "dog"
    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    FULL_HOUSE = "full house"
    STAIRS = "stairs"
    STRAIGHT = "straight"
    FOUR = "four"
    FLUSH = "flush"


class Combination(NamedTuple):
    """Cards that are laid together.

    size: the number of cards. strength: twice the deciding number, because the Phoenix alone is
    half a number higher.
    """

    kind: Shape
    size: Annotated[int, number(0, cards.ACE)]
    strength: Annotated[int, number(0, 2 * cards.ACE + 2)]

    @property
    def is_bomb(self) -> bool:
        """Whether it beats everything but a stronger bomb."""
        return self.kind in (Shape.FOUR, Shape.FLUSH)


DRAGON_ALONE: Final = Combination(Shape.SINGLE, 1, 2 * (cards.ACE + 1))
_DOG_ALONE: Final = Combination(Shape.DOG, 1, 0)
_PHOENIX_LED: Final = Combination(Shape.SINGLE, 1, 3)
_ALIKE: Final = {
    1: Shape.SINGLE,
    2: Shape.PAIR,
    3: Shape.TRIPLE,
    4: Shape.FOUR,
}
SHORTEST: Final = 5
"""The cards of the shortest straight."""


def combination(faces: Sequence[int], wild: int, under: Combination | None) -> Combination:
    """Return the combination of ``faces``, which are all different.

    wild: the number that the Phoenix stands for, or 0. under: the combination on the table; it
    gives the Phoenix alone its strength.

    Raises:
        RefusedError: T14, T15, T17 or T18: the cards are no combination.
    """
    if wild and cards.PHOENIX not in faces:
        raise RefusedError("T17", Sentence("A number is named only for the Phoenix."))
    if len(faces) == 1:
        if wild:
            raise RefusedError("T17", Sentence("The Phoenix alone has no number."))
        return _alone(faces[0], under)
    if cards.DOG in faces:
        raise RefusedError("T18", Sentence("The Dog is laid alone."))
    if cards.DRAGON in faces:
        raise RefusedError("T15", Sentence("The Dragon is laid alone."))
    if cards.PHOENIX in faces and not cards.LOWEST <= wild <= cards.ACE:
        raise RefusedError("T17", Sentence("The Phoenix needs a number from 2 to 14."))
    made = _together([cards.NUMBERS[face] or wild for face in faces])
    if made is None:
        raise RefusedError("T14", Sentence("These cards are no combination."))
    if made.kind is Shape.FOUR and wild:
        raise RefusedError("T17", Sentence("The Phoenix is never part of a bomb."))
    if made.kind is Shape.STRAIGHT and is_one_suit(faces):
        return made._replace(kind=Shape.FLUSH)
    return made


def is_one_suit(faces: Sequence[int]) -> bool:
    """Tell whether all ``faces`` have the same suit; special cards have none."""
    suit = cards.SUITS[faces[0]]
    return suit is not None and all(cards.SUITS[face] == suit for face in faces)


def _alone(face: int, under: Combination | None) -> Combination:
    if face == cards.DOG:
        return _DOG_ALONE
    if face == cards.DRAGON:
        return DRAGON_ALONE
    if face != cards.PHOENIX:
        return Combination(Shape.SINGLE, 1, 2 * cards.NUMBERS[face])
    if under is None or under.kind is not Shape.SINGLE:
        return _PHOENIX_LED
    return under._replace(strength=under.strength + 1)


def _together(numbers: list[int]) -> Combination | None:
    counts = Counter(numbers)
    size, low, high = len(numbers), min(numbers, default=0), max(numbers, default=0)
    if len(counts) == 1 and size in _ALIKE:
        return Combination(_ALIKE[size], size, 2 * high)
    if sorted(counts.values()) == [2, 3]:
        (triple,) = (number for number, count in counts.items() if count == 3)
        return Combination(Shape.FULL_HOUSE, 5, 2 * triple)
    if len(counts) != high - low + 1:
        return None
    if size == len(counts) >= SHORTEST:
        return Combination(Shape.STRAIGHT, size, 2 * high)
    if len(counts) >= 2 and set(counts.values()) == {2}:
        return Combination(Shape.STAIRS, size, 2 * high)
    return None


def beats(made: Combination, under: Combination) -> bool:
    """Tell whether ``made`` can be laid on ``under``."""
    if made.is_bomb and under.is_bomb:
        return _rank_of_bomb(made) > _rank_of_bomb(under)
    if made.is_bomb or made[:2] != under[:2]:
        return made.is_bomb
    return made.strength > under.strength and under != DRAGON_ALONE


def _rank_of_bomb(bomb: Combination) -> tuple[bool, int, int]:
    return bomb.kind is Shape.FLUSH, bomb.size, bomb.strength


def check_follows(faces: Sequence[int], made: Combination, under: Combination | None) -> None:
    """Check that ``faces``, which form ``made``, may be laid. under: None at a lead.

    Raises:
        RefusedError: T16, T17, T18 or T23.
    """
    if under is None or beats(made, under):
        return
    if made.kind is Shape.DOG:
        raise RefusedError("T18", Sentence("The Dog can only be led."))
    if under == DRAGON_ALONE and cards.PHOENIX in faces and made.kind is Shape.SINGLE:
        raise RefusedError("T17", Sentence("The Phoenix does not beat the Dragon."))
    if made.is_bomb:
        raise RefusedError("T23", Sentence("A stronger bomb lies there."))
    if made[:2] == under[:2]:
        raise RefusedError("T16", Sentence("This is not stronger than what lies there."))
    raise RefusedError(
        "T16", Sentence("Follow with the same kind and number of cards, or with a bomb.")
    )
