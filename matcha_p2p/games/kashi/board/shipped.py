"""The shipped board; its data are our own."""

from functools import cache
from importlib.resources import files

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.board.board_file import read_board


@cache
def shipped_board() -> Board:
    """Return the board of ``board.toml``."""
    return read_board(files("matcha_p2p.games.kashi.board").joinpath("board.toml").read_bytes())
