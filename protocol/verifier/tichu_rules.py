"""Combinations and cards of Tichu (SPEC#tichu-cards)."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

from codec import refuse

MAH_JONG, DOG, PHOENIX, DRAGON = 52, 53, 54, 55
Made: TypeAlias = tuple[str, int, int]  # kind, size, strength
BOMBS = ("four", "flush")
TOP: Made = ("single", 1, 30)  # the Dragon


def number(face: int) -> int:
    """Return the number of a face, 0 for a face without a number."""
    return face % 13 + 2 if face < MAH_JONG else {MAH_JONG: 1}.get(face, 0)


def points(faces: Sequence[int]) -> int:
    """Return what faces count together."""
    special = {PHOENIX: -25, DRAGON: 25}
    return sum(special.get(f, {5: 5, 10: 10, 13: 10}.get(number(f), 0)) for f in faces)


def combine(faces: Sequence[int], wild: int, under: Made | None) -> Made | None:
    """Return the combination that the faces make, or None."""
    if wild and (PHOENIX not in faces or len(faces) == 1):
        return None
    if len(faces) == 1:
        return alone(faces[0], under)
    if {DOG, DRAGON} & {*faces} or (PHOENIX in faces and wild < 2):
        return None
    numbers = sorted(wild if face == PHOENIX else number(face) for face in faces)
    made = together(numbers)
    if made is None or (made[0] == "four" and wild):
        return None
    one_suit = len({face // 13 for face in faces}) == 1
    return ("flush", *made[1:]) if made[0] == "straight" and one_suit else made


def alone(face: int, under: Made | None) -> Made:
    """Return the combination of a single card."""
    match face:
        case 53:
            return "dog", 1, 0
        case 54:
            return "single", 1, under[2] + 1 if under and under[0] == "single" else 3
        case 55:
            return TOP
        case _:
            return "single", 1, 2 * number(face)


def together(numbers: list[int]) -> Made | None:
    """Return the combination of several cards with these numbers."""
    size, counts = len(numbers), Counter(numbers)
    run = len(counts) == numbers[-1] - numbers[0] + 1
    each = set(counts.values())
    if len(counts) == 1 and size <= 4:
        return {2: "pair", 3: "triple", 4: "four"}[size], size, 2 * numbers[0]
    if sorted(counts.values()) == [2, 3]:
        return "full house", 5, 2 * counts.most_common(1)[0][0]
    if run and each == {2}:
        return "stairs", size, 2 * numbers[-1]
    if run and each == {1} and size >= 5:
        return "straight", size, 2 * numbers[-1]
    return None


def follows(made: Made, under: Made | None) -> bool:
    """Tell whether a combination may lie on the one before."""
    if under is None:
        return True
    if made[0] in BOMBS:
        rank = (made[0] == "flush", *made[1:])
        return under[0] not in BOMBS or rank > (under[0] == "flush", *under[1:])
    return made[:2] == under[:2] and made[2] > under[2] and under != TOP


def bound(hand: Sequence[int], under: Made | None, wish: int) -> bool:
    """Tell whether the owner of a hand can lay the wished card: T21, by trying all plays."""
    if wish not in map(number, hand):
        return False
    if under is None:
        return True
    sizes = {under[1], 4, *range(5, len(hand) + 1)}
    for size in sorted(sizes):
        for faces in combinations(hand, size):
            if wish not in map(number, faces) or (size != under[1] and not bombs(faces)):
                continue
            for wild in range(2, 15) if PHOENIX in faces else (0,):
                made = combine(faces, wild, under)
                if made and follows(made, under):
                    return True
    return False


def bombs(faces: Sequence[int]) -> bool:
    """Tell whether faces can be a bomb at all, which is quickly seen."""
    same = len({number(face) for face in faces}) == 1
    return same or len({face // 13 for face in faces}) == 1


def require_combination(faces: Sequence[int], wild: int, under: Made | None) -> Made:
    """Return the combination of the faces; E_RULE if the combination may not lie there."""
    made = combine(faces, wild, under)
    if made is None or not follows(made, under):
        refuse("E_RULE")
    return made
