"""Print the rules, or judge a log by the rules."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.edited_text import FaultyLineError, lines_in
from matcha_p2p.errors import TranscriptError
from matcha_p2p.games import USUAL, game_of
from matcha_p2p.games.game import Game

_WIDEST: Final = 80


def run(out: Output, game: str, edition: str) -> int:
    """Show the rules: page by page on most terminals, else a paragraph a line."""
    text = game_of(game).needed(Game.rulebook).paragraphs(edition)
    editions = {"edition": edition} if game == USUAL else {}
    written = [line for line in text if line]
    out.fact("rules", game=game, **editions, paragraphs=written)
    if out.facts or not sys.stdout.isatty():
        out.say("\n".join(text))
    else:
        from matcha_p2p.console.terminal.cells import wrapped

        cells = min(shutil.get_terminal_size().columns, _WIDEST)
        show = click.echo_via_pager
        if sys.platform == "win32":  # click looks for ``more`` in the current folder first
            show = out.write
        show("".join(f"{row}\n" for line in text for row in wrapped(line, cells)))
    return Exit.DONE


def judge(out: Output, game: str, file: Path, board: Path | None) -> int:
    """Play the log in ``file`` by the rules of ``game``, and print where each line leads.

    board: the file of a board, for a log on another board than the shipped board.

    Raises:
        MissingPartError: the game has no logs, or no boards.
        CommandError: the board has faults.
        TranscriptError: a file cannot be read, or a line is malformed.
    """
    played = game_of(game)
    play_log = played.needed(Game.log)
    boards: tuple[object, ...] = ()
    if board is not None:
        from matcha_p2p.app.rules.boards import board_in  # with all that verifies files

        boards = (board_in(played, board),)
    for told in play_log(_lines(file), *boards):
        out.fact("log", **told)
        if not out.facts:
            out.say(json.dumps(told, separators=(",", ":")))
    return Exit.DONE


def _lines(file: Path) -> Iterator[str]:
    try:
        yield from lines_in(_opened(file))
    except FaultyLineError as error:
        raise TranscriptError(
            "{file} is no log. {why}", code="log-malformed", file=file, why=error
        ) from error


def _opened(file: Path) -> Iterator[bytes]:
    try:
        with file.open("rb") as lines:
            yield from lines
    except OSError as error:
        from matcha_p2p.app.library.transcripts import (
            unreadable,  # with all that verifies files
        )

        raise unreadable(file, error) from error
