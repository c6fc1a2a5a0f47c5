"""The main menu: its entries, and the questions that an action needs.

Actions are imported when they are chosen, so that the menu is there quickly.
"""

from typing import Final

import trio

from matcha_p2p.app.menu.settings import change_settings
from matcha_p2p.app.menu.user import Action, MenuStep, MenuUser
from matcha_p2p.app.outcomes import Exit
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu, TextField, TextPage, Written
from matcha_p2p.errors import InviteError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.rules.edition import EDITIONS
from matcha_p2p.store.home import Home

TITLE: Final = Sentence("Matcha")
ABOUT: Final = Sentence("David Harding's game of tea and bluff, for two.")
HOST: Final = Sentence("Host a table, edition {edition}")
JOIN: Final = Sentence("Join a table")
PRACTISE: Final = Sentence("Practise against a bot")
GAMES: Final = Sentence("Finished games, to look at again")
RULES: Final = Sentence("The rules")
TUTORIAL: Final = Sentence("Learn the game in three minutes")
SETTINGS: Final = Sentence("Settings")
QUIT: Final = Sentence("Quit")

JOIN_TITLE: Final = Sentence("Join a table")
BY_INVITE: Final = Sentence("I have an invite")
INVITE_HOW: Final = Sentence("Paste what the host has sent you; it begins with matcha1.")
INVITE: Final = Sentence("Invite:")
WHICH_BOT: Final = Sentence("Against which bot?")
WHICH_EDITION: Final = Sentence("Which edition of the rules?")
EDITION: Final = Sentence("Edition {edition}")
RULES_TITLE: Final = Sentence("The rules, edition {edition}")
BOT_NAMES: Final = {
    "uniform": Sentence("uniform: lays any card anywhere, easy to beat"),
    "greedy": Sentence("greedy: weighs every mat, hard to beat"),
}


async def choose_action(asker: Asker, user: MenuUser) -> Action | int:
    """Ask what to do and what has to be known for it; return the action, or 0 to leave."""
    at = 0
    while True:
        entries = await trio.to_thread.run_sync(_entries, user)
        said = user.out.last or ABOUT()
        labels = tuple(label for label, _ in entries)
        match await asker.ask(Menu(TITLE(), (said,), labels, at)):
            case Chosen(at) if (step := entries[at][1]) is not None:
                user.out.last = ""
                action = await step(asker, user)
                if action is not None:
                    return action
            case _:
                return Exit.DONE


def _entries(user: MenuUser) -> list[tuple[str, MenuStep | None]]:
    """Return the entries, each with the step that follows; None leaves."""
    return [
        *_unfinished(user.home),
        (HOST(edition=user.edition), _host),
        (JOIN(), _join),
        (PRACTISE(), _practise),
        *_finished(user.home),
        (RULES(), _read_rules),
        (TUTORIAL(), _learn),
        (SETTINGS(), _change_settings),
        (QUIT(), None),
    ]


async def _host(_: Asker, user: MenuUser) -> Action:
    from matcha_p2p.app.game import host

    wish = host.HostWish(
        router=user.settings.router != "off",
        keyboard=user.keyboard if user.keyboard.echoes else None,
        announce=user.settings.announce != "off" and user.keyboard.echoes,
    )
    return lambda: host.run(user.set_up_seat(user.edition), wish)


async def _join(asker: Asker, user: MenuUser) -> Action | None:
    """Ask at which table of this network to knock, or for an invite; that, if there is none."""
    from matcha_p2p.app.game import join
    from matcha_p2p.app.game.tables import find_tables
    from matcha_p2p.meeting.nearby import Surroundings

    tables = await find_tables(Surroundings.of(None)) if user.keyboard.echoes else ()
    if not tables:
        return await _join_by_invite(asker, user)
    labels = (*(table.label for table in tables), BY_INVITE())
    match await asker.ask(Menu(JOIN_TITLE(), (), labels)):
        case Chosen(at) if at < len(tables):
            table = tables[at]
            return lambda: join.run_at_table(user.set_up_seat(None), table, user.keyboard)
        case Chosen():
            return await _join_by_invite(asker, user)
        case _:
            return None


async def _join_by_invite(asker: Asker, user: MenuUser) -> Action | None:
    from matcha_p2p.app.game import join
    from matcha_p2p.transport.invite import Invite

    wrong: tuple[str, ...] = ()
    while True:
        match await asker.ask(TextField(JOIN_TITLE(), (*wrong, INVITE_HOW()), INVITE())):
            case Written(text) if text:
                try:
                    Invite.parse(text)
                except InviteError as error:
                    wrong = (sentence_of(error),)
                else:
                    router = user.settings.router != "off"
                    return lambda: join.run(user.set_up_seat(None), text, router=router)
            case _:
                return None


async def _practise(asker: Asker, user: MenuUser) -> Action | None:
    from matcha_p2p.bots import BOTS

    bots = tuple(BOTS)
    labels = tuple(BOT_NAMES[bot]() if bot in BOT_NAMES else bot for bot in bots)
    answer = await asker.ask(Menu(WHICH_BOT(), (), labels, len(bots) - 1))
    if not isinstance(answer, Chosen):
        return None
    bot, editions = bots[answer.at], tuple(EDITIONS)
    labels = tuple(EDITION(edition=edition) for edition in editions)
    answer = await asker.ask(Menu(WHICH_EDITION(), (), labels, editions.index(user.edition)))
    if not isinstance(answer, Chosen):
        return None
    from matcha_p2p.app.practice import practice

    edition = editions[answer.at]
    return lambda: practice.run(user.set_up_seat(edition, practice.advise), bot, None)


def _unfinished(home: Home) -> list[tuple[str, MenuStep]]:
    """Return the entries for unfinished games. Reading games loads most of the program."""
    if not any(home.unfinished.glob("*/journal")):
        return []
    from matcha_p2p.app.menu.past_games import to_go_on

    return to_go_on(home)


def _finished(home: Home) -> list[tuple[str, MenuStep]]:
    return [(GAMES(), _look_again)] if any(home.games.glob("*.matcha")) else []


async def _look_again(asker: Asker, user: MenuUser) -> Action | None:
    from matcha_p2p.app.menu.past_games import look_again

    return await look_again(asker, user)


async def _read_rules(asker: Asker, user: MenuUser) -> None:
    from matcha_p2p.console.learn.rulebook import rules_text

    edition = EDITIONS[user.edition]
    await asker.ask(TextPage(RULES_TITLE(edition=edition.name), rules_text(edition)))


async def _learn(_: Asker, user: MenuUser) -> Action:
    return user.learn


async def _change_settings(asker: Asker, user: MenuUser) -> Action | None:
    changed = await change_settings(asker, user)
    return _look_anew if changed else None


def _look_anew() -> int:
    """Do nothing: the menu opens again, with the look that was chosen."""
    return Exit.DONE
