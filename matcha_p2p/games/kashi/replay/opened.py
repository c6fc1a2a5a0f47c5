"""Replay a finished game, step by step or line by line."""

from functools import partial
from typing import Final

from matcha_p2p.app.library.transcripts import OpenedGame
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat

VALID: Final = Sentence("A valid game of {names}: {verdict}.")
NOTHING: Final = Sentence("In this game nobody has moved.")


_FRONTS: Final = {"first": Seat(0), "second": Seat(1)}
"""The seats that a view puts in front."""


def run(out: Output, game: OpenedGame, view: str | None, start: int, look: Look | None) -> int:
    """Show the game from step ``start`` on, counted from 1; return the exit code.

    view: names the player in front; otherwise all seats see the same. look: the look of the
    full screen, shown until the person closes the screen; None to print everything.
    """
    replay = replay_of(game.report)
    if not replay.steps:
        out.say(NOTHING())
        return Exit.DONE
    if look is None:
        out.say(VALID(names=listed(replay.names), verdict=game.report.verdict.value))
        for at in range(start - 1, len(replay.steps)):
            for sentence in replay.sentences(at):
                out.say(sentence)
        return Exit.DONE
    import trio

    from matcha_p2p.app.signals import run_until_signal
    from matcha_p2p.console.table.replay import view as show
    from matcha_p2p.games.kashi.replay.mistakes import page_mistakes
    from matcha_p2p.games.kashi.replay.state import SEAT_IN_FRONT, watch

    place = watch(replay, start - 1, _FRONTS.get(view or "", game.seat or SEAT_IN_FRONT))
    showing = partial(show, place, look, partial(page_mistakes, game.report))
    return trio.run(run_until_signal, showing) or Exit.DONE
