"""Read boards of players, and check them."""

from functools import partial
from pathlib import Path

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library.transcripts import read_file
from matcha_p2p.app.workers import in_order
from matcha_p2p.edited_text import FaultyTextError
from matcha_p2p.games.front import CommandOutput, OwnBoard
from matcha_p2p.games.game import Game
from matcha_p2p.language import sentence_of


def board_in(game: Game, file: Path) -> OwnBoard:
    """Return the board of ``game`` in ``file``.

    Raises:
        MissingPartError: the game has no boards.
        TranscriptError: the file cannot be read.
        CommandError: the file has faults.
    """
    boards = game.needed(Game.boards)
    try:
        return boards.read(read_file(file))
    except FaultyTextError as error:
        raise CommandError(
            Exit.INVALID,
            "{file} is no board. {fault}",
            code="no-board",
            file=file,
            fault=error.faults[0],
        ) from error


def check(out: Output, game: Game, file: Path, games: int | None, seed: int) -> int:
    """Tell each fault of the board in ``file``, or how fair the board is; return the exit code.

    games: how many games bots play for each number of seats, None for no games. All chance in
    the games comes from ``seed``.

    Raises:
        MissingPartError: the game has no boards.
        TranscriptError: the file cannot be read.
    """
    boards = game.needed(Game.boards)
    try:
        board = boards.read(read_file(file))
    except FaultyTextError as error:
        for fault in error.faults:
            said = sentence_of(fault)
            out.tell(CommandOutput("fault", {"line": fault.line, "message": said}, said))
        return Exit.INVALID
    for told in boards.trials(board, file.name, games, seed, partial(in_order, many=3)):
        out.tell(told)
    return Exit.DONE
