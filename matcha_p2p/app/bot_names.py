"""What names stand for a bot: those of ours, and command lines of other programs."""

import shlex
from typing import Final

from matcha_p2p.games import USUAL, bots

FOREIGN: Final = "cmd:"
"""Before the command line of a bot that is another program."""


def called(name: str) -> str:
    """Return what a bot is called at the table: its name, or that of its program."""
    if not name.startswith(FOREIGN):
        return name
    program = shlex.split(name.removeprefix(FOREIGN))[0]
    return program.replace("\\", "/").rsplit("/", 1)[-1]


def is_known(name: str) -> bool:
    """Tell whether ``name`` is that of a bot, or a command line after ``cmd:``."""
    if not name.startswith(FOREIGN):
        return name in bots(USUAL).BOT_NAMES
    try:
        return bool(shlex.split(name.removeprefix(FOREIGN)))
    except ValueError:  # a quotation mark is missing
        return False
