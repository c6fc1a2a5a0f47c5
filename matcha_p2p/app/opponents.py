"""Finds the bot that a name stands for: one of ours, or another program."""

import shlex
import sys
from typing import Final

from matcha_p2p.bots import BOTS, Bot
from matcha_p2p.bots.engines.engine import Engine

FOREIGN: Final = "cmd:"
"""Before the command line of a bot that is another program."""

_LIMIT: Final = 30.0
"""Seconds for a move: no bot of ours needs one, and a person may be waiting."""


def opponent(name: str, limit: float = _LIMIT) -> Bot:
    """Return the bot of that name, in a process of its own that starts when it is first asked.

    name: of a bot, or ``cmd:`` and a command line. limit: seconds for a move.
    """
    if name.startswith(FOREIGN):
        return Engine(called(name), shlex.split(name.removeprefix(FOREIGN)), limit)
    return Engine(name, [sys.executable, "-m", "matcha_p2p", "engine", name], limit)


def called(name: str) -> str:
    """Return what a bot is called at the table: its name, or that of its program."""
    if not name.startswith(FOREIGN):
        return name
    program = shlex.split(name.removeprefix(FOREIGN))[0]
    return program.replace("\\", "/").rsplit("/", 1)[-1]


def is_known(name: str) -> bool:
    """Tell whether ``name`` is that of a bot, or a command line after ``cmd:``."""
    if not name.startswith(FOREIGN):
        return name in BOTS
    try:
        return bool(shlex.split(name.removeprefix(FOREIGN)))
    except ValueError:  # a quotation mark is missing
        return False
