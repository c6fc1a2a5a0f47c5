"""Starts the bot with a given name: a bot of ours, or a foreign program."""

from typing import TYPE_CHECKING, Final

from matcha_p2p.app.bots.bot_names import FOREIGN, called, command_of
from matcha_p2p.app.command.own_program import own_program
from matcha_p2p.games import game_of
from matcha_p2p.games.bots.engine import Engine
from matcha_p2p.games.game import Game

if TYPE_CHECKING:
    from matcha_p2p.games.bots.bot import Bot

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
        game_of(game).bots.see_it_loads(name)


def opponent(game: str, name: str, limit: float = _LIMIT) -> "Bot":
    """Return the bot ``name`` of ``game``; a program starts at the first question.

    A bot of ours that thinks long has a process of its own: a person's screen never waits for
    the bot.

    name: a bot's, or ``cmd:`` and a command line. limit: seconds for a move.
    """
    if name.startswith(FOREIGN):
        return _program(game, name, limit)
    if name in game_of(game).bots.thinkers:
        command = own_program("engine", name, "--game", game)
        return Engine(game_of(game).needed(Game.exchange), name, command, limit)
    return game_of(game).roster[name]


def _program(game: str, name: str, limit: float) -> Engine:
    protocol = game_of(game).needed(Game.exchange)
    return Engine(protocol, called(name), command_of(name), limit)
