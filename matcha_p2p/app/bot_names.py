"""The names of bots: our own bots, and command lines of other programs."""

import shlex
from typing import Final

from matcha_p2p.games import bots

FOREIGN: Final = "cmd:"
"""The prefix of a command line that starts a foreign bot."""


def called(name: str) -> str:
    """Return a bot's name at the table; for a foreign bot, the program's name."""
    if not name.startswith(FOREIGN):
        return name
    program = shlex.split(name.removeprefix(FOREIGN))[0]
    return program.replace("\\", "/").rsplit("/", 1)[-1]


def is_known(game: str, name: str) -> bool:
    """Tell whether ``name`` is a bot of ours for ``game``, or a command line after ``cmd:``."""
    if not name.startswith(FOREIGN):
        return name in bots(game).BOT_NAMES
    try:
        return bool(shlex.split(name.removeprefix(FOREIGN)))
    except ValueError:  # a quotation mark is missing
        return False
