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
from matcha_p2p.review.analysis import page_mistakes
from matcha_p2p.review.steps import viewpoints
from matcha_p2p.seats import Seat
from matcha_p2p.store.home import Home

VALID: Final = Sentence("A valid game of {names}: {verdict}.")
NOTHING: Final = Sentence("In this game nobody has moved.")


def run(
    out: Output,
    home: Home,
    file: Path,
    view: str,
    start: int,
    **display: Unpack[DisplayOptions],
) -> int:
    """Show the game in ``file`` from step ``start`` on, counted from 1; return the exit code.

    home: the index may know our seat and our game key. view: whose cards are shown, in the
    words of the command. The full screen stays until the person closes the screen; line mode
    prints everything.

    Raises:
        TranscriptError: the file cannot be read.
        CommandError: the transcript is not valid, or a full screen is asked for without a
            terminal.
    """
    look = look_for(out, display)
    game = open_game(out, home, file)
    played, own = game_in(game.report), game.seat or Seat(0)
    replay = played.needed(Game.replay)(game.report, game.own)
    if not replay.steps:
        out.say(NOTHING())
    elif look is None:
        names = listed(replay.names)
        out.say(VALID(names=names, verdict=game.report.verdict.value))
        chosen = viewpoints(len(replay.names), own)[view]
        for at in range(start - 1, len(replay.steps)):
            for sentence in replay.sentences(at, chosen):
                out.say(sentence)
    else:
        import trio

        from matcha_p2p.app.command.signals import run_until_signal
        from matcha_p2p.console.review.replay import view as show

        chosen = viewpoints(len(replay.names), own)[view]
        place = played.needed(Game.watch)(replay, chosen, start - 1, own)
        judge = None
        if played.has(Game.analysis):
            judge = partial(page_mistakes, played, game.report, game.own, seat=game.seat)
        return trio.run(run_until_signal, partial(show, place, look, judge)) or Exit.DONE
    return Exit.DONE
