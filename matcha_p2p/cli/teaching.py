"""Three minutes for somebody who has never played."""

import math
import shutil
from functools import partial
from typing import Final

import trio

from matcha_p2p.cli.attending import Chooser
from matcha_p2p.cli.facts import FactTeller
from matcha_p2p.cli.front import Tastes, front_for
from matcha_p2p.cli.looking_over import look_over
from matcha_p2p.cli.outcomes import Exit
from matcha_p2p.cli.output import Output
from matcha_p2p.cli.settings import login_name
from matcha_p2p.cli.signals import until_stopped
from matcha_p2p.console.keyboard import Keyboard
from matcha_p2p.console.lessons import BY_LINE, ON_SCREEN, Ways
from matcha_p2p.console.lines import LineMode
from matcha_p2p.console.tutorial import teach
from matcha_p2p.session.news import News, Wish

_COLUMNS: Final = 80
_ROWS: Final = 24
"""The smallest terminal on which a lesson fits below the table."""


def run(out: Output, tastes: Tastes, keyboard: Keyboard, name: str | None) -> int:
    """Teach the game; return the exit code."""
    size = shutil.get_terminal_size()
    if tastes.get("ui", "auto") == "auto" and (size.columns < _COLUMNS or size.lines < _ROWS):
        tastes = {**tastes, "ui": "line"}
    front = front_for(out, tastes, keyboard)
    ways = BY_LINE if isinstance(front, LineMode) else ON_SCREEN
    return trio.run(until_stopped, partial(lead, out, front, name or login_name(), ways))


async def lead(out: Output, front: Chooser, name: str, ways: Ways) -> int:
    """Take ``front`` through the lessons; return the exit code."""
    told, news = trio.open_memory_channel[News](math.inf)
    forward, seen = trio.open_memory_channel[News](math.inf)
    chosen, choices = trio.open_memory_channel[Wish](math.inf)
    async with trio.open_nursery() as lesson:
        lesson.start_soon(look_over, FactTeller(0), out, news, forward)
        lesson.start_soon(front.play, 0, seen, chosen)
        async with told:
            await teach(told, choices, name, ways)
    return Exit.DONE
