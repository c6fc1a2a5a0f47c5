"""The part ``boards`` (``games/front.py``): boards of players."""

from typing import Final

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.board.board_file import read_board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.table.steps import VARIANT
from matcha_p2p.games.kashi.table.written import board_of, digest, is_name, text_of
from matcha_p2p.games.kashi.trials import trials
from matcha_p2p.games.kashi.words.names import shown
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed

__all__ = ["described", "read", "trials", "variant_of"]

_OWN_BOARD: Final = Sentence(
    "A board of the host's own. Rows: {rows}; columns: {columns}; goods: {goods}; guests: "
    "{guests}; points of the areas: {areas}. Its digest is {digest}."
)
_AREA: Final = Sentence("{area} {points}")


def read(data: bytes) -> Board:
    """Return the board in a file; ``read_board`` raises its errors."""
    return read_board(data, is_name)


def variant_of(board: Board) -> str:
    """Return the variant with ``board``."""
    text = text_of(board)
    return VARIANT if text == text_of(shipped_board()) else f"{VARIANT} {text}"


def described(variant: str) -> str:
    """Return the board of a variant in words, for a guest who has not seen the board's file.

    variant: with the text of a board.
    """
    board = board_of(variant.removeprefix(VARIANT).strip())
    if board is None:
        raise ValueError("the variant has no board")
    areas = (
        _AREA(area=area.letter, points="/".join(map(str, area.values))) for area in board.areas
    )
    return _OWN_BOARD(
        rows=len(board.grid),
        columns=len(board.grid[0]),
        goods=listed(map(shown, board.goods)),
        guests=listed(map(shown, board.guests)),
        areas=listed(areas),
        digest=digest(board).hex()[:16],
    )
