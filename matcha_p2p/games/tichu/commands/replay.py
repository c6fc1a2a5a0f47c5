"""Replay a game line by line."""

import sys
from typing import Final

import click

from matcha_p2p.app.library.transcripts import OpenedGame
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.tichu.replay.steps import replay_of
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.language import Sentence

VALID: Final = Sentence(
    "A valid game of {first} and {partner} against {right} and {left}: {verdict}."
)
NOTHING: Final = Sentence("This game ended before its first round: nothing can be shown.")

_SHOWN: Final = {"public": (), "first": SEATS[:1], "second": SEATS[1:2]}
"""The seats whose hands a view shows; all others show all hands."""


def run(out: Output, game: OpenedGame, view: str | None, start: int, look: Look | None) -> int:
    """Print the game from step ``start`` on, counted from 1; return the exit code.

    view: the value of ``--view``; None shows all hands, which lie open once a round is over.
    look: of a full screen, which this game does not have for a replay: a pager shows the lines.
    """
    replay = replay_of(game.report)
    if not replay.steps:
        out.say(NOTHING())
        return Exit.DONE
    first, right, partner, left = replay.names
    names = {"first": first, "partner": partner, "right": right, "left": left}
    told = [VALID(**names, verdict=replay.verdict.value)]
    shown = _SHOWN.get(view or "", SEATS)
    for at in range(start - 1, len(replay.steps)):
        told += replay.sentences(at, shown)
    if look is None or sys.platform == "win32":  # there click looks for ``more`` in this folder
        out.say("\n".join(told))
    else:
        click.echo_via_pager("".join(f"{line}\n" for line in told))
    return Exit.DONE
