"""``matcha`` without a command: the first run, then the menu."""

import signal
from dataclasses import replace
from functools import partial
from typing import Final

import trio

from matcha_p2p.app.command.front_end import DisplayOptions
from matcha_p2p.app.command.outcomes import SIGNALLED, Exit, perform
from matcha_p2p.app.command.signals import run_until_signal
from matcha_p2p.app.menu.menu import choose_action
from matcha_p2p.app.menu.own_name import ask_name
from matcha_p2p.app.menu.user import MenuAction, MenuUser
from matcha_p2p.console.menu.asker import Asker, InputClosedError
from matcha_p2p.console.menu.menu import Chosen, Menu
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.games import game_of, having
from matcha_p2p.games.game import Game
from matcha_p2p.language import LANGUAGES, Sentence, spoken
from matcha_p2p.store.home import Home

WELCOME: Final = Sentence("Welcome")
SPOKEN: Final = Sentence("Language: {language}. The settings in the menu change it.")
KEPT: Final = Sentence("Settings are saved in {config}, games in {games}.")
NEW: Final = Sentence("New here?")
NEW_HOW: Final = Sentence(
    "Learn a game in a few minutes. You can leave at any time, and find the tutorials in the "
    "menu."
)
SKIP: Final = Sentence("Go to the menu")


def run(home: Home, given: DisplayOptions, keyboard: Keyboard) -> int:
    """Ask for an action and do the action, until the person leaves; return the exit code.

    given: options of the command line. If a signal other than Ctrl-C has stopped an action, the
    program ends with the action's code.

    Raises:
        CommandError: the full screen is asked for, and there is no terminal.
    """
    user = MenuUser(home, given, keyboard)
    first = user.new
    while True:
        step = trio.run(run_until_signal, partial(_ask, user, first=first))
        first = False
        if isinstance(step, int):
            return step
        user.out.forget()
        code = perform(user.out, home, step)
        if code > SIGNALLED and code != SIGNALLED + signal.SIGINT:
            return code


async def _ask(user: MenuUser, *, first: bool) -> MenuAction | int:
    """Return the chosen action, or the exit code if the person leaves."""
    async with user.asker() as asker:
        try:
            return await _ask_on(asker, user, first=first)
        except InputClosedError:
            return Exit.DONE


async def _ask_on(asker: Asker, user: MenuUser, *, first: bool) -> MenuAction | int:
    game = await _welcome(asker, user) if first else None
    return partial(user.learn, game) if game else await choose_action(asker, user)


async def _welcome(asker: Asker, user: MenuUser) -> str | None:
    """Ask a new player's name; return the game to learn first, or None for the menu."""
    said = (
        SPOKEN(language=LANGUAGES[spoken()]),
        KEPT(config=user.home.config, games=user.home.games),
    )
    name = await ask_name(asker, WELCOME(), said, user.name)
    wrong = user.change_settings(replace(user.settings, name=name or user.name))
    games = having(Game.tutorial)
    entries = (*(game_of(game).entry() for game in games), SKIP())
    match await asker.ask(Menu(NEW(), (*wrong, NEW_HOW()), entries)):
        case Chosen(at) if at < len(games):
            return games[at]
        case _:
            return None
