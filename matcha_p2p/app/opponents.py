"""Starts the bot with a given name: a bot of ours, or a foreign program."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from matcha_p2p.app.bot_names import FOREIGN, called
from matcha_p2p.app.own_program import own_program
from matcha_p2p.errors import BotError
from matcha_p2p.games import bots, optional_part, part

if TYPE_CHECKING:
    from matcha_p2p.games.bot import Bot, Engine

_ENGINE: Final = "bots.engines.engine"
_LIMIT: Final = 30.0
"""Seconds for a move: bots of ours need less, and a person may be waiting."""


def see_it_start(game: str, name: str) -> None:
    """Start and end the foreign program ``name``, or load the needs of our bot ``name``.

    Raises:
        BotError: the bot cannot be started, or does not speak the protocol of bots.
    """
    if name.startswith(FOREIGN):
        engine = _program(game, name, _LIMIT)
        try:
            engine.start()
        finally:
            engine.close()
    else:
        bots(game).see_it_loads(name)


def opponent(game: str, name: str, limit: float = _LIMIT) -> "Bot":
    """Return the bot ``name`` of ``game``; a program starts at the first question.

    If programs can play the game, our bot has a process of its own, and the person's screen
    never waits for a bot that thinks.

    name: a bot's, or ``cmd:`` and a command line. limit: seconds for a move.

    Raises:
        BotError: the bot is a program, and programs cannot play the game.
    """
    if name.startswith(FOREIGN):
        return _program(game, name, limit)
    if optional_part(game, _ENGINE) is None:
        return cast("Bot", part(game, "bots.roster").BOTS[name])
    return _engine(game, name, own_program("engine", name), limit)


def _program(game: str, name: str, limit: float) -> "Engine":
    command = shlex.split(name.removeprefix(FOREIGN))
    return _engine(game, called(name), command, limit)


def _engine(game: str, name: str, command: Sequence[str], limit: float) -> "Engine":
    engine = optional_part(game, _ENGINE)
    if engine is None:
        raise BotError(
            "Programs cannot play {game} yet. Choose a bot by its name.",
            code="bot-not-of-game",
            game=game,
        )
    return cast("Engine", engine.Engine(name, command, limit))
