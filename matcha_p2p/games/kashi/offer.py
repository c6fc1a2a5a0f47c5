"""The offers of Kashi-ichi for menus and settings: its board and the levels of its bots."""

from collections.abc import Mapping
from typing import Final

from matcha_p2p.language import Sentence

__all__ = [
    "described",
    "entry",
    "label",
    "level_names",
    "named",
    "tables",
    "temper_names",
    "title",
    "variants",
]

title: Final = "Kashi-ichi"
entry: Final = Sentence("Kashi-ichi: a market of sweets, for three or four")
BOARD: Final = Sentence("The board of this program")
SHIPPED: Final = Sentence("A board and orders of our own, for three or four.")
level_names: Final = {
    "careless": Sentence("careless: walks and lays shops at random"),
    "greedy": Sentence("greedy: takes the order with the most points for an action point"),
}
temper_names: Final[Mapping[str, Sentence]] = {}

tables: Final = (3, 4)
variants: Final = ("ichi",)


def label(variant: str) -> str:
    """Return whose board the only variant has."""
    del variant
    return BOARD()


def named(variant: str) -> str:
    """Return the name of the game alone: there is a single variant."""
    del variant
    return title


def described(variant: str) -> str:
    """Return where the board of the only variant comes from."""
    del variant
    return SHIPPED()
