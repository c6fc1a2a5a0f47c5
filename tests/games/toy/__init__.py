"""The toy game, in a folder as ``matcha_p2p.games`` finds games."""

from typing import Final

from tests.games.toy.steps import Toy, new_game

FOLDERS: Final = {"toy": __name__}
"""What the registry has to know of it."""


def find_toy(name: str, variant: str, seats: int) -> Toy | None:
    """Return the toy game before its first step, and no other game."""
    return new_game(variant, seats) if name == "toy" else None
