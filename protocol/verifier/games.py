"""The games that are known here."""

from matcha import REMATCH, Matcha
from matcha_rules import EDITIONS
from steps import Game
from toy import Toy


def find_game(name: str, variant: str, seats: int) -> Game | None:
    """Return the game that a HELLO names, None if it is unknown."""
    match name, seats:
        case "matcha", 2 if variant.removesuffix(REMATCH) in EDITIONS:
            return Matcha(variant)
        case "toy", 3 if variant == "one":
            return Toy()
        case _:
            return None
