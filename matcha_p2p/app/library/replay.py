"""Replay a finished game, step by step or line by line."""

from functools import partial
from pathlib import Path
from typing import Final, Unpack

from matcha_p2p.app.command.front_end import DisplayOptions, look_for
from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library.transcripts import game_in, open_game
from matcha_p2p.games.game import Game
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed
from matcha_p2p.store.home import Home

VALID: Final = Sentence("A valid game of {names}: {verdict}.")
NOTHING: Final = Sentence("In this game nobody has moved.")


def run(
    out: Output,
    home: Home,
    file: Path,
    view: str | None,
    start: int,
    **display: Unpack[DisplayOptions],
) -> int:
    """Show the game in ``file`` from step ``start`` on, counted from 1; return the exit code.

    home: the index may know our seat and our game key. view: whose cards are shown, in the
    words of the command. None shows our own seat's cards if known, else all cards that the file
    opens. The full screen stays until the person closes the screen; line mode prints
    everything.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: the transcript is not valid, or a full screen is asked for without a
            terminal.
    """
    look = look_for(out, display)
    game = open_game(out, home, file)
    replay = game_in(game.report).needed(Game.opened)(game, view)
    if not replay.steps:
        out.say(NOTHING())
    elif look is None:
        names = listed(hello.name for hello in game.report.accepted[-1].state.hellos)
        out.say(VALID(names=names, verdict=game.report.verdict.value))
        for at in range(start - 1, replay.steps):
            for sentence in replay.sentences(at):
                out.say(sentence)
    else:
        import trio

        from matcha_p2p.app.command.signals import run_until_signal

        return trio.run(run_until_signal, partial(replay.show, look, start - 1)) or Exit.DONE
    return Exit.DONE
