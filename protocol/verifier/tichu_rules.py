"""Cards and combinations of Tichu, a transcription of the boxes (SPEC#tichu-cards).

A numbered comment is the number of a line of the box.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

MAH_JONG, DOG, PHOENIX, DRAGON = 52, 53, 54, 55
Made: TypeAlias = tuple[str, int, int]  # kind, size, strength
Top: TypeAlias = Made | tuple[()]  # the combination on top, if any
BOMBS = ("four", "flush")
DRAGON_ITSELF: Made = ("single", 1, 30)


def number(face: int) -> int:
    """Return the NUMBER of a face."""
    return face % 13 + 2 if face < MAH_JONG else {MAH_JONG: 1}.get(face, 0)


def points(faces: Sequence[int]) -> int:
    """Return the POINTS of several faces."""
    special = {PHOENIX: -25, DRAGON: 25}
    return sum(special.get(f, {5: 5, 10: 10, 13: 10}.get(number(f), 0)) for f in faces)


def combine(faces: Sequence[int], wild: int, top: Top) -> Made | None:
    """Return the combination of COMBINE, or None."""
    if wild > 0 and (PHOENIX not in faces or len(faces) == 1):  # 1
        return None
    if len(faces) == 1:  # 2
        return alone(faces[0], top)
    if {DOG, DRAGON} & {*faces} or (PHOENIX in faces and wild < 2):  # 3
        return None
    numbers = [wild if face == PHOENIX else number(face) for face in faces]  # 4
    size, h, times = len(numbers), max(numbers), Counter(numbers)
    run = h - min(numbers) == len(times) - 1
    each = sorted({*times.values()})
    one_suit = len({face // 13 for face in faces}) == 1
    if len(times) == 1 and size <= 4:  # 5
        kind = {2: "pair", 3: "triple", 4: "four"}[size]
        return None if kind == "four" and PHOENIX in faces else (kind, size, 2 * h)
    if sorted(times.values()) == [2, 3]:
        return "full house", 5, 2 * times.most_common(1)[0][0]
    if run and each == [2]:
        return "stairs", size, 2 * h
    if run and each == [1] and size >= 5:
        return ("flush" if one_suit else "straight"), size, 2 * h
    return None  # 6


def alone(face: int, top: Top) -> Made:
    """Return the combination of one card, COMBINE 2."""
    match face:
        case 53:
            return "dog", 1, 0
        case 55:
            return DRAGON_ITSELF
        case 54:
            return "single", 1, top[2] + 1 if top and top[0] == "single" else 3
        case _:
            return "single", 1, 2 * number(face)


def beats(made: Made, top: Top) -> bool:
    """Tell whether ``made`` may lie on ``top``, BEATS."""
    if not top:  # 1
        return True
    if made[0] in BOMBS:  # 2
        rank = (made[0] == "flush", *made[1:])
        return top[0] not in BOMBS or rank > (top[0] == "flush", *top[1:])
    return made[:2] == top[:2] and made[2] > top[2] and top != DRAGON_ITSELF  # 3


def owes(faces: Sequence[int], w: int, t: Top) -> bool:
    """Tell whether OWES holds. Sizes that cannot beat ``t`` are left out, to save time."""
    if w not in map(number, faces):
        return False
    if not t:
        return True  # a single card can be led
    for size in sorted({t[1], 4, *range(5, len(faces) + 1)}):
        for some in combinations(faces, size):
            if w not in map(number, some) or (size != t[1] and not perhaps_bomb(some)):
                continue
            for wild in range(2, 15) if PHOENIX in some else (0,):
                made = combine(some, wild, t)
                if made and beats(made, t):
                    return True
    return False


def perhaps_bomb(faces: Sequence[int]) -> bool:
    """Tell whether faces can be a bomb at all, which is quickly seen."""
    same = len({number(face) for face in faces}) == 1
    return same or len({face // 13 for face in faces}) == 1
