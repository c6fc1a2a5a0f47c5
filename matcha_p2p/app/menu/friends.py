"""Friends in the menu: wait for a call, call a friend or a whole table, compare words."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import trio

from matcha_p2p.app.command.outcomes import CANCELLED
from matcha_p2p.app.friends.friends import COMPARED, counted, names_of, note_compared, own_key
from matcha_p2p.app.menu.choices import ChosenTable, ask_table
from matcha_p2p.app.menu.user import MenuAction, MenuUser
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.games import game_of
from matcha_p2p.language import Sentence
from matcha_p2p.narration.evening import group_words
from matcha_p2p.narration.news import GroupCounted
from matcha_p2p.narration.sentences import listed
from matcha_p2p.store.friends import Friend, read_book
from matcha_p2p.store.groups import PlayedTable, groups_of
from matcha_p2p.store.identity import key_words, own_identity

FRIENDS: Final = Sentence("Friends")
NOBODY: Final = Sentence(
    "You have met nobody yet. After a game to its end you can call its players here."
)
WAIT: Final = Sentence("Wait for a call from friends")
CALL_TABLE: Final = Sentence("Call the table: {game} with {names}")
CALL: Final = Sentence('Call "{name}"')
COMPARE: Final = Sentence('Compare words with "{name}"')
HOW: Final = Sentence("One of you waits, the other calls; no invite is needed.")
THEIR_WORDS: Final = Sentence('"{name}" reads these words aloud: {words}')
OUR_WORDS: Final = Sentence("You read these words aloud: {words}")
SAME: Final = Sentence("The words are the same")
NOT_SAME: Final = Sentence("The words differ, or I am not sure")

_PAIR: Final = 2
_MOST_GROUPS: Final = 5


async def choose_friend(asker: Asker, user: MenuUser) -> MenuAction | None:
    """Ask whether to wait, to call a table or a friend, or to compare words with a friend."""
    friends, tables = await trio.to_thread.run_sync(read_book, user.home)
    groups = await trio.to_thread.run_sync(_groups, user, friends, tables)
    able = [friend for friend in friends if friend.shared]
    others = [friend for friend in friends if friend.begun and not friend.shared]
    if not (able or others):
        user.out.last = NOBODY()
        return None
    labels = (
        *([WAIT()] if able else []),
        *(
            CALL_TABLE(game=game_of(each.game).title, names=listed(each.names))
            for each in groups
        ),
        *(CALL(name=friend.name) for friend in able),
        *(COMPARE(name=friend.name) for friend in others),
    )
    at, first = 0, len(groups) + 1
    said = (HOW(), *map(group_words, groups))
    while True:
        match await asker.ask(Menu(FRIENDS(), said, labels, at)):
            case Chosen(0) if able:
                at = 0
                table = await ask_table(asker, user.game, user.settings.edition)
                if table is not None:
                    user.remember_game(table.game)
                    return partial(_back_if_left, partial(_wait, table, user), user)
            case Chosen(at) if at <= len(groups) and able:
                group = groups[at - 1]
                return partial(_back_if_left, partial(_call_table, group, user), user)
            case Chosen(at) if at < first + len(able) and able:
                return partial(_back_if_left, partial(_call, able[at - first].name, user), user)
            case Chosen(at):
                if await _compare(others[at - len(labels)], asker, user):
                    return None
            case _:
                return None


def _back_if_left(action: MenuAction, user: MenuUser) -> int:
    """Do ``action``; if the person leaves it, show this menu again, not the first menu."""
    code = action()
    if code == CANCELLED:
        user.left = choose_friend
    return code


def _wait(table: ChosenTable, user: MenuUser) -> int:
    from matcha_p2p.app.friends import wait

    wish = wait.WaitWish(router=user.settings.asks_routers)
    return wait.run(user.set_up_seat(table, opens=True), user.asker, wish)


def _groups(
    user: MenuUser, friends: Sequence[Friend], tables: Sequence[PlayedTable]
) -> tuple[GroupCounted, ...]:
    """Return the latest groups of three or four, if all others can be called."""
    found = groups_of(tables)
    own = own_key(user.home) if found else b""
    names = names_of([friend for friend in friends if friend.shared])
    told = [counted(group, own, names) for group in found if len(group.last.people) > _PAIR]
    return tuple(each for each in told if each is not None)[:_MOST_GROUPS]


def _call_table(group: GroupCounted, user: MenuUser) -> int:
    from matcha_p2p.app.friends import groups, wait

    groups.see_it_listens(user.servers.proxy)
    game, variant, seats, called = groups.table_to_call(user.home, group.names, group.game)
    wish = wait.WaitWish(router=user.settings.asks_routers)
    setup = user.set_up_seat(ChosenTable(game, variant, seats), opens=True)
    return wait.run(setup, user.asker, wish, called)


def _call(name: str, user: MenuUser) -> int:
    from matcha_p2p.app.friends import call

    router, proxy = user.settings.asks_routers, user.servers.proxy
    setup = user.set_up_seat(opens=True)
    return call.run(setup, user.asker, name, call.CallWish(router, proxy))


async def _compare(friend: Friend, asker: Asker, user: MenuUser) -> bool:
    """Let the person compare the words of both keys; return whether the words are equal."""
    theirs = key_words(friend.identity)
    ours = public_key(await trio.to_thread.run_sync(own_identity, user.home))
    said = (
        THEIR_WORDS(name=friend.name, words=theirs),
        OUR_WORDS(words=key_words(ours)),
    )
    asked = Menu(COMPARE(name=friend.name), said, (SAME(), NOT_SAME()), at=1)
    same = await asker.ask(asked) == Chosen(0)
    if same:
        await trio.to_thread.run_sync(note_compared, user.home, friend.name)
        user.out.last = COMPARED(name=friend.name, words=theirs)
    return same
