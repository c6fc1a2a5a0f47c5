"""The answers of a seat to a question. Cards are named by their places in its hand."""

from typing import NamedTuple, TypeAlias

from matcha_p2p.seats import Seat


class AnswerGrand(NamedTuple):
    """Call Grand Tichu, or do not (T8)."""

    called: bool


class GiveCards(NamedTuple):
    """Give a card each to the next seat, the partner and the seat before (T11).

    tichu: call Tichu first (T10), here and in all other answers.
    """

    places: tuple[int, int, int]
    tichu: bool = False


class ShowMahJong(NamedTuple):
    """Show the Mah Jong before the first lead, which it gives (T13)."""

    place: int
    tichu: bool = False


class Lay(NamedTuple):
    """Lay cards. wild: the number of the Phoenix, or 0. wish: the wished number, or 0."""

    places: tuple[int, ...]
    wild: int = 0
    wish: int = 0
    tichu: bool = False


class Hold(NamedTuple):
    """Lay no bomb now (T24), or have nothing to say before the first lead."""

    tichu: bool = False


class Pass(NamedTuple):
    """Pass (T22)."""

    tichu: bool = False


class GiveTrick(NamedTuple):
    """Give the trick that the Dragon has won to an opponent (T27)."""

    receiver: Seat


TichuMove: TypeAlias = AnswerGrand | GiveCards | ShowMahJong | Lay | Hold | Pass | GiveTrick
"""One of these."""


def calls_tichu(move: TichuMove) -> bool:
    """Tell whether the seat calls Tichu with ``move``."""
    return not isinstance(move, AnswerGrand | GiveTrick) and move.tichu
