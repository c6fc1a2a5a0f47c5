"""The tutorials: a few minutes for a new player of a game."""

import math
from functools import partial
from typing import Any, TypeAlias

import trio

from matcha_p2p.app.command.front_end import DisplayOptions, front_end_for
from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.command.signals import run_until_signal
from matcha_p2p.app.game.run_game import facts_of
from matcha_p2p.console.lines.lines import LineMode
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.games import game_of
from matcha_p2p.games.front import FrontEnd
from matcha_p2p.games.game import Game
from matcha_p2p.narration.news import News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.store.settings import login_name

AnswerHints: TypeAlias = Any
"""How keys are named on the full screen or in line mode, a value of the game's own."""


def run(
    out: Output, display: DisplayOptions, keyboard: Keyboard, name: str | None, game: str
) -> int:
    """Teach ``game``; return the exit code."""
    front = front_end_for(out, display, keyboard, game)
    lessons = game_of(game).needed(Game.lessons)
    key_hints = lessons.BY_LINE if isinstance(front, LineMode) else lessons.ON_SCREEN
    return trio.run(
        run_until_signal, partial(lead, out, front, (name or login_name(), game), key_hints)
    )


async def lead(
    out: Output, front: FrontEnd, student: tuple[str, str], key_hints: AnswerHints
) -> int:
    """Take ``front`` through the lessons; return the exit code.

    student: the name, and the game to learn.
    """
    name, game = student
    told, news = trio.open_memory_channel[News](math.inf)
    chosen, choices = trio.open_memory_channel[Wish](math.inf)
    async with trio.open_nursery() as lesson:
        lesson.start_soon(
            front.play, Seat(0), facts_of(game, Seat(0), out, news), chosen.send_nowait
        )
        async with told:
            teach = game_of(game).needed(Game.tutorial)
            await teach(told.send_nowait, choices, name, key_hints)
    return Exit.DONE
