"""Replay a finished game, step by step or line by line."""

from functools import partial
from typing import Final

from matcha_p2p.app.library.transcripts import OpenedGame
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.tichu.replay.steps import Replay, replay_of
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat

VALID: Final = Sentence(
    "A valid game of {first} and {partner} against {right} and {left}: {verdict}."
)
NOTHING: Final = Sentence("This game ended before its first round: nothing can be shown.")

_SEATS: Final = {"first": SEATS[0], "second": SEATS[1]}
"""The seats whose hands alone a view shows."""


def run(out: Output, game: OpenedGame, view: str | None, start: int, look: Look | None) -> int:
    """Show the game from step ``start`` on, counted from 1; return the exit code.

    view: the value of ``--view``; None shows all hands, which lie open once a round is over.
    look: the look of the full screen, shown until the person closes the screen; None to print
    everything.
    """
    replay = replay_of(game.report)
    if not replay.steps:
        out.say(NOTHING())
        return Exit.DONE
    own = game.seat or SEATS[0]
    if look is None:
        _print(out, replay, _shown(view), start)
        return Exit.DONE
    import trio

    from matcha_p2p.app.signals import run_until_signal
    from matcha_p2p.console.table.replay import view as show
    from matcha_p2p.games.tichu.replay.mistakes import page_mistakes
    from matcha_p2p.games.tichu.replay.state import ShownHands, watch

    front = _SEATS.get(view or "", own)
    place = watch(replay, ShownHands(front, _shown(view)), start - 1, own)
    find = partial(page_mistakes, game.report, game.own)
    return trio.run(run_until_signal, partial(show, place, look, find)) or Exit.DONE


def _shown(view: str | None) -> tuple[Seat, ...]:
    """Return the seats whose hands a view shows."""
    match view:
        case "public":
            return ()
        case "first" | "second":
            return (_SEATS[view],)
        case _:
            return SEATS


def _print(out: Output, replay: Replay, shown: tuple[Seat, ...], start: int) -> None:
    """Print the events, one sentence a line."""
    first, right, partner, left = replay.names
    names = {"first": first, "partner": partner, "right": right, "left": left}
    out.say(VALID(**names, verdict=replay.verdict.value))
    for at in range(start - 1, len(replay.steps)):
        for sentence in replay.sentences(at, shown):
            out.say(sentence)
