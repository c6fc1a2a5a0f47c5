"""Replay a finished game, step by step or line by line."""

from pathlib import Path
from typing import Unpack

from matcha_p2p.app.front_end import DisplayOptions, look_for
from matcha_p2p.app.library.transcripts import command_of, open_game
from matcha_p2p.app.output import Output
from matcha_p2p.store.home import Home


def run(
    out: Output,
    home: Home,
    file: Path,
    view: str | None,
    start: int,
    **display: Unpack[DisplayOptions],
) -> int:
    """Show the game in ``file`` from step ``start`` on, counted from 1; return the exit code.

    home: its index may know which seat was ours, and our game key. view: whose cards are seen,
    as the command names it; None for our own seat if it is known, else all that the file opens.
    The full screen is shown until it is closed; line mode prints everything.

    Raises:
        TranscriptError: the file cannot be read. CommandError: its transcript is not valid, or
        a full screen is asked for and there is none.
    """
    look = look_for(out, display)
    game = open_game(out, home, file)
    return int(command_of(game.report, "replay").run(out, game, view, start, look))
