"""The games known to the verifier."""

from kashi import Kashi
from matcha import REMATCH, Matcha
from matcha_rules import EDITIONS
from steps import Game
from tichu import Tichu, variants
from toy import Toy


def find_game(name: str, variant: str, seats: int) -> Game | None:
    """Return the game named in a HELLO, or None if unknown."""
    match name, seats:
        case "kashi", 3 | 4:
            return Kashi(variant, seats)
        case "matcha", 2 if variant.removesuffix(REMATCH) in EDITIONS:
            return Matcha(variant)
        case "tichu", 4 if variant in variants():
            return Tichu(variant)
        case "toy", 3 if variant == "one":
            return Toy()
        case _:
            return None
