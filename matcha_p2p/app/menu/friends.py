"""Friends in the menu: wait for a call, call a friend, compare words."""

from functools import partial
from typing import Final

import trio

from matcha_p2p.app.friends.friends import COMPARED, note_compared
from matcha_p2p.app.menu.choices import ChosenTable, ask_table
from matcha_p2p.app.menu.user import MenuAction, MenuUser
from matcha_p2p.app.outcomes import CANCELLED
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.language import Sentence
from matcha_p2p.store.friends import Friend, read_friends
from matcha_p2p.store.identity import key_words, own_identity

FRIENDS: Final = Sentence("Friends")
NOBODY: Final = Sentence(
    "You have met nobody yet. After a game to its end you can call its players here."
)
WAIT: Final = Sentence("Wait for a call from friends")
CALL: Final = Sentence('Call "{name}"')
COMPARE: Final = Sentence('Compare words with "{name}"')
HOW: Final = Sentence("One of you waits, the other calls; no invite is needed.")
THEIR_WORDS: Final = Sentence('"{name}" reads these words aloud: {words}')
OUR_WORDS: Final = Sentence("You read these words aloud: {words}")
SAME: Final = Sentence("The words are the same")
NOT_SAME: Final = Sentence("The words differ, or I am not sure")


async def choose_friend(asker: Asker, user: MenuUser) -> MenuAction | None:
    """Ask whether to wait, to call a friend, or to compare words with a friend."""
    friends = await trio.to_thread.run_sync(read_friends, user.home)
    able = [friend for friend in friends if friend.shared]
    others = [friend for friend in friends if friend.begun and not friend.shared]
    if not (able or others):
        user.out.last = NOBODY()
        return None
    labels = (
        *([WAIT()] if able else []),
        *(CALL(name=friend.name) for friend in able),
        *(COMPARE(name=friend.name) for friend in others),
    )
    at = 0
    while True:
        match await asker.ask(Menu(FRIENDS(), (HOW(),), labels, at)):
            case Chosen(0) if able:
                at = 0
                table = await ask_table(asker, user.game, user.settings.edition)
                if table is not None:
                    user.remember_game(table.game)
                    return partial(_back_if_left, partial(_wait, table, user), user)
            case Chosen(at) if at <= len(able) and able:
                return partial(_back_if_left, partial(_call, able[at - 1].name, user), user)
            case Chosen(at):
                if await _compare(others[at - len(able) - bool(able)], asker, user):
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

    wish = wait.WaitWish(router=user.settings.router != "off")
    return wait.run(user.set_up_seat(table, opens=True), user.asker, wish)


def _call(name: str, user: MenuUser) -> int:
    from matcha_p2p.app.friends import call

    router, proxy = user.settings.router != "off", user.servers.proxy
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
