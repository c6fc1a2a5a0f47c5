"""Starts the bot with a given name: a bot of ours, or a foreign program."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from matcha_p2p.app.bot_names import FOREIGN, called
from matcha_p2p.app.own_program import own_program
from matcha_p2p.games import USUAL, bots, part

if TYPE_CHECKING:
    from matcha_p2p.games.bot import Bot, Engine

_LIMIT: Final = 30.0
"""Seconds for a move: bots of ours need less, and a person may be waiting."""


def see_it_start(name: str) -> None:
    """Start and end the foreign program ``name``, or load the needs of our bot ``name``.

    Raises:
        BotError: the bot cannot be started, or does not speak the protocol of bots.
    """
    if name.startswith(FOREIGN):
        engine = _program(name, _LIMIT)
        try:
            engine.start()
        finally:
            engine.close()
    else:
        bots(USUAL).see_it_loads(name)


def opponent(name: str, limit: float = _LIMIT) -> "Bot":
    """Return the bot ``name``, in a process that starts at the first question.

    name: a bot's, or ``cmd:`` and a command line. limit: seconds for a move.
    """
    if name.startswith(FOREIGN):
        return _program(name, limit)
    return _engine(name, own_program("engine", name), limit)


def _program(name: str, limit: float) -> "Engine":
    return _engine(called(name), shlex.split(name.removeprefix(FOREIGN)), limit)


def _engine(name: str, command: Sequence[str], limit: float) -> "Engine":
    made = part(USUAL, "bots.engines.engine").Engine(name, command, limit)
    return cast("Engine", made)
