"""Answers in faces, as bots think (T8 to T24); ``rules/actions.py`` has them in places."""

from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.games.tichu.rules.moves import Play
from matcha_p2p.seats import Seat


class SayGrand(NamedTuple):
    """Call Grand Tichu, or not (T8)."""

    called: bool


class GiveFaces(NamedTuple):
    """Give a card each to the next seat, the partner and the seat before (T11)."""

    faces: tuple[int, int, int]


class SayTichu(NamedTuple):
    """Call Tichu. The same question is asked again then (T10)."""


class HoldBombs(NamedTuple):
    """Lay no bomb now, or do not call before the first lead (T10, T24)."""


class PassTurn(NamedTuple):
    """Pass in turn (T22)."""


class LayFaces(NamedTuple):
    """Lay cards, in turn or as a bomb (T16 to T23). wish: of the Mah Jong, or 0."""

    play: Play
    wish: int = 0


class GiveDragon(NamedTuple):
    """Give the trick of the Dragon to an opponent (T27)."""

    receiver: Seat


Move: TypeAlias = SayGrand | GiveFaces | SayTichu | HoldBombs | PassTurn | LayFaces | GiveDragon

HOLD: Final = HoldBombs()
PASS: Final = PassTurn()
TICHU: Final = SayTichu()
