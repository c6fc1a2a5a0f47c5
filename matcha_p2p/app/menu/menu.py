"""The main menu: the entries, and the questions before an action.

Actions are imported when chosen, so the menu appears quickly.
"""

import os
import secrets
from functools import partial
from typing import Final

import trio

from matcha_p2p.app.command.front_end import look_for
from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.menu.settings import change_settings
from matcha_p2p.app.menu.user import MenuAction, MenuStep, MenuUser
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu, Pressed, TextPage
from matcha_p2p.games import FOLDERS, USUAL, game_of, having
from matcha_p2p.games.game import Game
from matcha_p2p.language import Sentence
from matcha_p2p.store.home import Home

TITLE: Final = Sentence("Matcha")
ABOUT: Final = Sentence("Games for two to four, without a server: {games}.")
HOST: Final = Sentence("Host a table")
JOIN: Final = Sentence("Join a table")
FRIENDS: Final = Sentence("Friends: call, or wait for a call")
WATCH: Final = Sentence("Watch the game of other players")
PRACTISE: Final = Sentence("Practise against bots")
NO_UNFINISHED: Final = Sentence("Unfinished games: none")
NONE_UNFINISHED: Final = Sentence("There are no unfinished games here.")
GAMES: Final = Sentence("Finished games: look at one again")
RULES: Final = Sentence("The rules")
TUTORIAL: Final = Sentence("Learn a game in a few minutes")
SETTINGS: Final = Sentence("Settings")
QUIT: Final = Sentence("Quit")
REPLAY: Final = Sentence("replay")
_REPLAY: Final = "l"

RULES_TITLE: Final = Sentence("The rules: {variant}")


async def choose_action(asker: Asker, user: MenuUser) -> MenuAction | int:
    """Ask for an action, and for its options; return the action, or 0 to leave."""
    if user.left is not None:
        asks_again, user.left = user.left, None
        action = await asks_again(asker, user)
        if action is not None:
            return action
    user.look_for_games()
    taught = await trio.to_thread.run_sync(_one_rule, user)
    while True:
        entries = await trio.to_thread.run_sync(_entries, user)
        titles = ", ".join(game_of(name).title for name in FOLDERS)
        said = user.out.last or ABOUT(games=titles)
        labels = tuple(label for label, _ in entries)
        saved = user.out.saved
        keys = () if saved is None else ((_REPLAY, REPLAY()),)
        match await asker.ask(Menu(TITLE(), (said,), labels, user.at, taught, keys=keys)):
            case Pressed() if saved is not None:
                return partial(user.replay, saved)
            case Chosen(at) if (step := entries[at][1]) is not None:
                user.out.last, user.at = "", at
                action = await step(asker, user)
                if action is not None:
                    return action
            case _:
                return Exit.DONE


def _one_rule(user: MenuUser) -> str:
    """Return a random rule of the usual edition, new at each start."""
    return secrets.choice(game_of(USUAL).needed(Game.rulebook).tips(user.edition))


def _entries(user: MenuUser) -> list[tuple[str, MenuStep | None]]:
    """Return the entries, each with the following step; None leaves.

    Each entry has the same number even before the entry leads anywhere; but friends, once there
    are any, come first.
    """
    begins: list[tuple[str, MenuStep | None]] = [(HOST(), _host), (JOIN(), _join)]
    begins.insert(0 if os.path.lexists(user.home.friends) else 2, (FRIENDS(), _friends))
    return [
        *begins,
        (WATCH(), _watch),
        (PRACTISE(), _practise),
        _unfinished(user.home),
        (GAMES(), _look_again),
        (RULES(), _read_rules),
        (TUTORIAL(), _learn),
        (SETTINGS(), _change_settings),
        (QUIT(), None),
    ]


async def _host(asker: Asker, user: MenuUser) -> MenuAction | None:
    from matcha_p2p.app.invite import host
    from matcha_p2p.app.menu.choices import ask_table

    table = await ask_table(asker, user.game, user.settings.edition)
    if table is None:
        return None
    user.remember_game(table.game)

    wish = host.HostWish(
        router=user.settings.asks_routers,
        announce=user.settings.announce != "off" and user.keyboard.echoes,
        answers=user.keyboard.echoes,
        stun=user.servers.stun,
    )
    return lambda: host.run(user.set_up_seat(table, opens=True), user.asker, wish)


async def _join(_: Asker, user: MenuUser) -> MenuAction:
    from matcha_p2p.app.invite import join

    router = user.settings.asks_routers
    at_terminal = user.keyboard.echoes
    wish = join.JoinWish(at_terminal, at_terminal, router=router, servers=user.servers)
    return lambda: join.run(user.set_up_seat(), user.asker, None, wish)


async def _friends(asker: Asker, user: MenuUser) -> MenuAction | None:
    from matcha_p2p.app.menu.friends import choose_friend

    return await choose_friend(asker, user)


async def _watch(_: Asker, user: MenuUser) -> MenuAction:
    from matcha_p2p.app.watching import watch

    wish = watch.WatchWish(proxy=user.servers.proxy)
    return lambda: watch.run(
        user.out, user.home, user.name, user.asker, look_for(user.out, user.display()), wish
    )


async def _practise(asker: Asker, user: MenuUser) -> MenuAction | None:
    from matcha_p2p.app.menu.choices import (
        WHICH_RULES,
        ChosenTable,
        ask_game,
        ask_seats,
        ask_variant,
    )
    from matcha_p2p.app.menu.levels import ask_bot

    async def against(game: str, bot: str) -> MenuAction | None:
        variant = await ask_variant(asker, game, WHICH_RULES(), user.variant(game))
        seats = None if variant is None else await ask_seats(asker, game)
        if seats is None:
            return None
        from matcha_p2p.app.practice import practice

        talks = user.settings.banter != "off"
        return lambda: practice.run(
            user.set_up_seat(ChosenTable(game, variant, seats), practice.adviser(game)),
            bot,
            None,
            seats,
            talks=talks,
        )

    while (game := await ask_game(asker, user.game)) is not None:
        user.remember_game(game)
        action = await ask_bot(asker, game, partial(against, game))
        if action is not None:
            return action
    return None


def _unfinished(home: Home) -> tuple[str, MenuStep]:
    """Return the entry for unfinished games. Reading games loads most of the program."""
    if not home.unfinished_journals():
        return NO_UNFINISHED(), _say_there_is_none
    from matcha_p2p.app.menu.past_games import to_go_on

    return to_go_on(home)


async def _say_there_is_none(_: Asker, user: MenuUser) -> None:
    user.out.last = NONE_UNFINISHED()


async def _look_again(asker: Asker, user: MenuUser) -> MenuAction | None:
    from matcha_p2p.app.menu.past_games import look_again

    return await look_again(asker, user)


async def _read_rules(asker: Asker, user: MenuUser) -> None:
    from matcha_p2p.app.menu.choices import ask_game

    offered = having(Game.rulebook)
    while (game := await ask_game(asker, user.game, offered)) is not None:
        rules, variant = game_of(game).needed(Game.rulebook), user.variant(game)
        title = RULES_TITLE(variant=game_of(game).label(variant))
        await asker.ask(TextPage(title, rules.paragraphs(variant), rules.titles(variant)))


async def _learn(asker: Asker, user: MenuUser) -> MenuAction | None:
    from matcha_p2p.app.menu.choices import ask_game

    game = await ask_game(asker, user.game, having(Game.tutorial))
    return None if game is None else partial(user.learn, game)


async def _change_settings(asker: Asker, user: MenuUser) -> MenuAction | None:
    changed = await change_settings(asker, user)
    return _look_anew if changed else None


def _look_anew() -> int:
    """Do nothing: the menu then opens again, with the new look."""
    return Exit.DONE
