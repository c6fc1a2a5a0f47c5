"""Replay a finished game, step by step or line by line."""

from functools import partial
from typing import Final

from matcha_p2p.app.library.transcripts import OpenedGame, read_file
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.matcha.replay.steps import Replay, Viewpoint, replay_of
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.language import Sentence

VALID: Final = Sentence("A valid game between {first} and {second}: {verdict}.")
NOTHING: Final = Sentence("No table was laid in this game, so there is nothing to look at.")


def run(out: Output, game: OpenedGame, view: str | None, start: int, look: Look | None) -> int:
    """Show the game from step ``start`` on, counted from 1; return the exit code.

    view: the value of a Viewpoint. If None, the view of our own seat; if our seat is unknown,
    the view with all cards that the file opens. look: the look of the full screen, shown until
    the person closes the screen; None to print everything.
    """
    replay = replay_of(game.report, game.own)
    chosen = _usual(game.seat) if view is None else Viewpoint(view)
    if not replay.steps:
        out.say(NOTHING())
        return Exit.DONE
    if look is None:
        _print(out, replay, chosen, start)
        return Exit.DONE
    import trio

    from matcha_p2p.app.signals import run_until_signal
    from matcha_p2p.games.matcha.replay import screen
    from matcha_p2p.games.matcha.replay.analyst import Judge
    from matcha_p2p.games.matcha.replay.state import watch
    from matcha_p2p.games.matcha.screen.analysis import Analyse

    seat = game.seat or Seat(0)
    state = watch(replay, chosen, start - 1, seat)
    asked = Analyse(read_file(game.file), seat, replay.hands_of(seat))
    showing = partial(screen.view, state, look, asked, Judge())
    return trio.run(run_until_signal, showing) or Exit.DONE


def _usual(seat: Seat | None) -> Viewpoint:
    return Viewpoint.BOTH if seat is None else (Viewpoint.FIRST, Viewpoint.SECOND)[seat]


def _print(out: Output, replay: Replay, view: Viewpoint, start: int) -> None:
    """Print the events, one sentence a line."""
    first, second = replay.names
    out.say(VALID(first=first, second=second, verdict=replay.verdict.value))
    for at in range(start - 1, len(replay.steps)):
        for sentence in replay.sentences(at, view):
            out.say(sentence)
