"""The games known to the verifier."""

from kashi import Kashi
from matcha import EDITIONS, Matcha, split_variant
from steps import Game
from tichu import Tichu, variants
from toy import Toy

FOR_TESTS: set[str] = set()
"""Games for tests alone: --toy adds the toy game (TOY#toy)."""


def find_game(name: str, variant: str, seats: int) -> Game | None:
    """Return the game named in a HELLO, or None if unknown."""
    match name, seats:
        case "kashi", 3 | 4:
            return Kashi(variant, seats)
        case "matcha", 2 if split_variant(variant)[0] in EDITIONS:
            return Matcha(variant)
        case "tichu", 4 if variant in variants():
            return Tichu(variant)
        case _, 3 if name in FOR_TESTS and variant == "one":
            return Toy()
        case _:
            return None
