"""The board of a file, its variant, and the board of a variant in words."""

from pathlib import Path
from typing import Final

from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.board.board_file import BoardError, read_board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.steps import VARIANT
from matcha_p2p.games.kashi.words.names import shown
from matcha_p2p.games.kashi.written import board_of, digest, is_name, text_of
from matcha_p2p.language import Sentence, translated
from matcha_p2p.narration.sentences import listed

_OWN_BOARD: Final = Sentence(
    "A board of the host's own. Rows: {rows}; columns: {columns}; goods: {goods}; guests: "
    "{guests}; points of the areas: {areas}. Its digest is {digest}."
)
_AREA: Final = Sentence("{area} {points}")


def board_in(file: Path) -> Board:
    """Return the board in ``file``.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: the file has faults.
    """
    try:
        return read_board(read_file(file), is_name)
    except BoardError as error:
        raise CommandError(
            Exit.INVALID,
            "{file} is no board. {fault}",
            code="no-board",
            file=file,
            fault=error.faults[0].said(translated),
        ) from error


def variant_of(file: Path) -> str:
    """Return the variant with the board in ``file``.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: the file has faults.
    """
    text = text_of(board_in(file))
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
