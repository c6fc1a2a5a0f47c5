"""The board of a file, and its variant."""

from pathlib import Path

from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.board.board_file import BoardError, read_board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.steps import VARIANT
from matcha_p2p.games.kashi.written import text_of
from matcha_p2p.language import translated


def board_in(file: Path) -> Board:
    """Return the board in ``file``.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: the file has faults.
    """
    try:
        return read_board(read_file(file))
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
