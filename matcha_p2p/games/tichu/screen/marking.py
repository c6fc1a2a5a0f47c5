"""What the marked cards are, what else fits, and in which order the hand is shown."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from matcha_p2p.games.tichu.answers import bombs_of
from matcha_p2p.games.tichu.rules import cards, combinations
from matcha_p2p.games.tichu.rules.moves import Play, legal_plays, plays
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Scene, order_of
from matcha_p2p.games.tichu.words.notation import CardsRead, marked_lays

RANK_KEYS: Final = {
    **dict(zip("23456789", range(cards.LOWEST, 10), strict=True)),
    "0": 10,
    "J": 11,
    "Q": 12,
    "K": 13,
    "A": cards.ACE,
}
"""The number that a key marks."""

SPECIAL_KEYS: Final = {
    "1": cards.MAH_JONG,
    "M": cards.MAH_JONG,
    "H": cards.DOG,
    "P": cards.PHOENIX,
    "D": cards.DRAGON,
}
"""The face that a key marks."""


def in_order(scene: Scene) -> list[int]:
    """Return the places of the hand in the order in which the cards are shown."""
    held = scene.held
    places = sorted(held, key=lambda place: order_of(held[place]))
    if not scene.by_plays:
        return places
    at = {face: place for place, face in held.items()}
    ordered: list[int] = []
    for play in _split(held.values()):
        ordered += [at[face] for face in play]
    return ordered + [place for place in places if place not in ordered]


def _split(hand: Collection[int]) -> list[tuple[int, ...]]:
    """Return the hand in plays: each time the longest of what is left, the lowest first."""
    left, parts = set(hand), list[tuple[int, ...]]()
    while left:
        longest = max(plays(left), key=lambda play: (len(play.faces), -play.made.strength))
        parts.append(tuple(sorted(longest.faces, key=order_of)))
        left -= set(longest.faces)
    return sorted(parts, key=lambda part: order_of(part[0]))


def toggled(scene: Scene, place: int) -> Scene:
    """Return the scene with the card at ``place`` marked, or not marked any more."""
    return replace(scene, marked=scene.marked ^ {place}) if place in scene.held else scene


def marked_by(scene: Scene, key: str) -> Scene:
    """Return the scene after the key of a rank: one more card of it is marked, then none."""
    held = scene.held
    if key in SPECIAL_KEYS:
        places = [place for place, face in held.items() if face == SPECIAL_KEYS[key]]
    else:
        number = RANK_KEYS[key]
        places = [place for place in in_order(scene) if cards.NUMBERS[held[place]] == number]
    fresh = [place for place in places if place not in scene.marked]
    marked = scene.marked | {fresh[0]} if fresh else scene.marked - {*places}
    return replace(scene, marked=marked)


def fitting(scene: Scene) -> list[Play]:
    """Return what fits here, the weakest first; bombs, and what breaks them, come last."""
    seen = scene.due
    if seen is None or seen.asked not in (Ask.TURN, Ask.HOLD):
        return []
    found = legal_plays(seen.state, seen.held.values())
    bombs = [set(play.faces) for play in bombs_of(seen.held.values())]

    def weight(play: Play) -> tuple[bool, bool, int, int]:
        breaks = any(bomb & set(play.faces) for bomb in bombs)
        return play.made.is_bomb, breaks, play.made.strength, len(play.faces)

    return sorted(found, key=weight)


def next_fitting(scene: Scene, step: int) -> Scene:
    """Return the scene with the next play that fits marked. step: -1 for the one before."""
    found = fitting(scene)
    if not found:
        return scene
    at = {face: place for place, face in scene.held.items()}
    sets = [frozenset(at[face] for face in play.faces) for play in found]
    begin = sets.index(scene.marked) if scene.marked in sets else -1 if step > 0 else 0
    return replace(scene, marked=sets[(begin + step) % len(sets)])


def judged(scene: Scene) -> CardsRead:
    """Return the plays that the marked cards can be, else the rule that forbids them."""
    if scene.due is None:
        return CardsRead((), None)
    return marked_lays(sorted(scene.marked), scene.due)


def named(scene: Scene) -> tuple[tuple[int, ...], int] | None:
    """Return the marked faces and what the Phoenix is, if they are a combination at all."""
    faces = tuple(scene.held[place] for place in sorted(scene.marked) if place in scene.held)
    free = cards.PHOENIX in faces and len(faces) > 1
    for wild in range(cards.ACE, cards.LOWEST - 1, -1) if free else (0,):
        try:
            combinations.combination(faces, wild, None)
        except RefusedError:
            continue
        return faces, wild
    return None


def is_bomb(scene: Scene) -> bool:
    """Tell whether the marked cards are a bomb."""
    made = named(scene)
    return made is not None and combinations.combination(*made, None).is_bomb


def bomb_marked(scene: Scene) -> Scene | None:
    """Return the scene with the weakest bomb of the hand marked; None if there is no bomb."""
    bombs = bombs_of(scene.held.values())
    if not bombs:
        return None
    return replace(
        scene, marked=frozenset(p for p, face in scene.held.items() if face in bombs[0].faces)
    )


def given(question: GiftChoice) -> frozenset[int]:
    """Return the places of the gifts that are chosen."""
    return frozenset(place for place in question.gifts if place is not None)
