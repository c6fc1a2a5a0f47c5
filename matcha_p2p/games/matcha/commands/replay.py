"""Replay a finished game, step by step or line by line."""

from functools import partial
from pathlib import Path
from typing import Final, Unpack

from matcha_p2p.app.front_end import DisplayOptions, look_for
from matcha_p2p.app.library.transcripts import read_file, read_game
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.games.matcha.replay.steps import Replay, View, replay_of
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.language import Sentence
from matcha_p2p.store.home import Home, Note

VALID: Final = Sentence("A valid game between {first} and {second}: {verdict}.")
NOTHING: Final = Sentence("No table was laid in this game: there is nothing to look at.")


def run(
    out: Output,
    home: Home,
    file: Path,
    view: str | None,
    start: int,
    **display: Unpack[DisplayOptions],
) -> int:
    """Show the game in ``file`` from step ``start`` on, counted from 1; return the exit code.

    home: its index may know which seat was ours, and our game key. view: the value of a View;
    None for that of our own seat if it is known, else with all cards that the file opens. The
    full screen is shown until it is closed; line mode prints everything.

    Raises:
        TranscriptError: the file cannot be read. CommandError: its transcript is not valid, or
        a full screen is asked for and there is none.
    """
    look = look_for(out, display)
    note = home.notes().get(file.name, Note(None, None))
    replay = replay_of(read_game(out, file), home.own_key(file))
    chosen = _usual(note.seat) if view is None else View(view)
    if not replay.steps:
        out.say(NOTHING())
        return Exit.DONE
    if look is None:
        _print(out, replay, chosen, start)
        return Exit.DONE
    import trio

    from matcha_p2p.app.signals import run_until_signal
    from matcha_p2p.games.matcha.commands.analyst import Judge
    from matcha_p2p.games.matcha.replay import screen
    from matcha_p2p.games.matcha.replay.state import watch
    from matcha_p2p.games.matcha.screen.analysis import Analyse

    seat = note.seat or Seat(0)
    state = watch(replay, chosen, start - 1, seat)
    game = Analyse(read_file(file), seat, replay.hands_of(seat))
    showing = partial(screen.view, state, look, game, Judge())
    return trio.run(run_until_signal, showing) or Exit.DONE


def _usual(seat: Seat | None) -> View:
    return View.BOTH if seat is None else (View.FIRST, View.SECOND)[seat]


def _print(out: Output, replay: Replay, view: View, start: int) -> None:
    """Print the events, one sentence a line."""
    first, second = replay.names
    out.say(VALID(first=first, second=second, verdict=replay.verdict.value))
    for at in range(start - 1, len(replay.steps)):
        for sentence in replay.sentences(at, view):
            out.say(sentence)
