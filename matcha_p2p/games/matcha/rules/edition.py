"""The two editions as values: the package reads the values, never the name of the edition."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Edition(NamedTuple):
    """The values in which the rule books differ.

    suits_alike, whisks_alike: how many tokens of one kind win (R18). turns: of each player in
    a round, or None if a player goes on until passing (R10). keeps: whether cards left over
    may be kept for the next set (R16). sets: the number of sets before the comparison decides,
    or None for no limit (R21, R22). further_rounds: whether a full tie is played on instead of
    being a draw (R20, R21).
    """

    name: str
    suits_alike: int
    whisks_alike: int
    turns: int | None
    keeps: bool
    sets: int | None
    further_rounds: bool


EDITION_2015: Final = Edition(
    name="2015",
    suits_alike=4,
    whisks_alike=4,
    turns=None,
    keeps=True,
    sets=None,
    further_rounds=True,
)
EDITION_2020: Final = Edition(
    name="2020",
    suits_alike=3,
    whisks_alike=4,
    turns=2,
    keeps=False,
    sets=2,
    further_rounds=False,
)
EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {edition.name: edition for edition in (EDITION_2015, EDITION_2020)}
)
