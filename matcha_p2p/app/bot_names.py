"""The names of bots: our own bots, and command lines of other programs."""

import shlex
import sys
from typing import Final

from matcha_p2p.games import USUAL, game_of, names

FOREIGN: Final = "cmd:"
"""The prefix of a command line that starts a foreign bot."""


def command_of(name: str) -> list[str]:
    """Return the words after ``cmd:``; on Windows a backslash belongs to a path.

    Raises:
        ValueError: a quotation mark is missing.
    """
    words = shlex.shlex(name.removeprefix(FOREIGN), posix=True, punctuation_chars=False)
    words.whitespace_split = True
    words.commenters = ""
    if sys.platform == "win32":
        words.escape = ""
    return list(words)


def called(name: str) -> str:
    """Return a bot's name at the table; for a foreign bot, the program's name."""
    if not name.startswith(FOREIGN):
        return name
    program = command_of(name)[0]
    return program.replace("\\", "/").rsplit("/", 1)[-1]


def is_known(game: str, name: str) -> bool:
    """Tell whether ``name`` is a bot of ours for ``game``, or a command line after ``cmd:``."""
    if not name.startswith(FOREIGN):
        return name in game_of(game).bots.BOT_NAMES
    try:
        return bool(command_of(name))
    except ValueError:  # a quotation mark is missing
        return False


def game_of_bot(name: str | None) -> str:
    """Return the first game that has the bot ``name``, or the usual game."""
    return next((game for game in names() if name is not None and is_known(game, name)), USUAL)
