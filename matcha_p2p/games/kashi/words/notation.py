"""Places, goods and players as a person types them."""

import re
from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.words.names import shown
from matcha_p2p.seats import Seat

_SQUARE: Final = re.compile(r"(\d{1,2}) ?[, ] ?(\d{1,2})", re.ASCII)
_LOGGED: Final = re.compile("(go|fill):|(buy|shop)=")


def is_logged(text: str) -> bool:
    """Tell whether ``text`` is meant as an action of a log (K49)."""
    return _LOGGED.match(text) is not None


def find_square(board: Board, text: str) -> int | None:
    """Return the square that is typed as "2,3" or "2 3"."""
    found = _SQUARE.fullmatch(text)
    return board.named(int(found[1]), int(found[2])) if found else None


def find_place(board: Board, text: str) -> int | None:
    """Return the square that is typed, or the square of the good or guest."""
    square = find_square(board, text)
    if square is not None:
        return square
    found = _find([*board.goods, *board.guests], text)
    return None if found is None else (*board.wholesalers, *board.destinations)[found]


def find_good(board: Board, text: str) -> int | None:
    """Return the good that is typed: its name or its beginning, or 1 to 5."""
    return int(text) - 1 if re.fullmatch("[1-5]", text) else _find(board.goods, text)


def find_seat(names: Sequence[str], text: str) -> Seat | None:
    """Return the player that is typed: the name or its beginning. names: by seat."""
    found = _find(names, text)
    return None if found is None else Seat(found)


def _find(names: Sequence[str], text: str) -> int | None:
    low = text.casefold()
    for place, name in enumerate(names):
        words = name, shown(name)
        if low and any(word.casefold().startswith(low) for word in words):
            return place
    return None
