"""The names of bots: as players at a table, as our own bots, and as lines of other programs."""

import shlex
import sys
from collections.abc import Iterable
from typing import Final

from matcha_p2p.games import USUAL, game_of, names
from matcha_p2p.narration.names import can_be_a_name, look_alike

PEOPLE: Final = {
    "beginner": ("Pia", "Tomi", "Lulu", "Benno"),
    "casual": ("Milo", "Suki", "Oskar", "Nina"),
    "club": ("Nori", "Hugo", "Vera", "Otto"),
    "keen": ("Ines", "Emil", "Hana", "Juri"),
    "expert": ("Sora", "Greta", "Leon", "Akira"),
}
"""The names of bots at a table, by level: a list of games shows the level by the name."""

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


def name_at_table(name: str, taken: Iterable[str], *, among_bots: bool) -> str:
    """Return a person's name for the bot ``name``; among people with its level, Nori (club).

    taken: the names at the table; the new name looks like none of the first words. among_bots:
    whether all others at the table are bots, except a person who has chosen the level.
    """
    first = [each.partition(" (")[0] for each in taken]
    own = PEOPLE.get(name, ())
    people = (*own, *(person for level in PEOPLE.values() for person in level))
    person = next(it for it in people if not any(look_alike(it, each) for each in first))
    full = f"{person} ({called(name)})"
    return person if (own and among_bots) or not can_be_a_name(full) else full


def called(name: str) -> str:
    """Return a bot's own name; for a foreign bot, the program's name."""
    if not name.startswith(FOREIGN):
        return name
    program = command_of(name)[0]
    return program.replace("\\", "/").rsplit("/", 1)[-1]


def is_known(game: str, name: str) -> bool:
    """Tell whether ``name`` is a bot of ours for ``game``, or a command line after ``cmd:``."""
    if not name.startswith(FOREIGN):
        return name in game_of(game).bots.names
    try:
        return bool(command_of(name))
    except ValueError:  # a quotation mark is missing
        return False


def game_of_bot(name: str | None) -> str:
    """Return the first game that has the bot ``name``, or the usual game."""
    return next((game for game in names() if name is not None and is_known(game, name)), USUAL)
