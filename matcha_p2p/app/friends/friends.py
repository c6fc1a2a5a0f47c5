"""Shows this player's key, and the friends."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from typing import Final

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.language import Sentence
from matcha_p2p.narration.evening import group_words
from matcha_p2p.narration.facts import group_fields
from matcha_p2p.narration.names import quoted, refusal_of
from matcha_p2p.narration.news import GroupCounted, TeamScore
from matcha_p2p.store.friends import (
    Friend,
    GameResult,
    by_name,
    change_friends,
    read_book,
)
from matcha_p2p.store.groups import PeopleGroup, groups_of
from matcha_p2p.store.home import Home
from matcha_p2p.store.identity import key_words, own_identity

_KEY: Final = Sentence("Your key: {words}")
_KEY_HEX: Final = Sentence("In full: {key}")
_NOBODY: Final = Sentence(
    "You do not know the key of any player yet. Play a game to its end first."
)
_FRIEND: Final = Sentence(
    '"{name}": {won} won, {lost} lost, {drawn} drawn; left unfinished {by_them} by "{name}", '
    "{by_us} by you; first met {first}, last {last}; key {words}"
)
COMPARED: Final = Sentence(
    'You have compared the words of "{name}": {words}. When "{name}" has done the same, you '
    "can call each other."
)
_FORGOTTEN: Final = Sentence('"{name}" is forgotten.')
_RENAMED: Final = Sentence('"{name}" is now called "{new}".')


def show_own_key(out: Output, home: Home) -> int:
    """Show the key in words, in hex, and as a QR code.

    Raises:
        HomeError: the identity cannot be read or made.
    """
    import segno  # only this function needs segno

    key = own_key(home)
    out.fact("me", key=key.hex(), words=key_words(key))
    out.say(_KEY(words=key_words(key)))
    out.say(_KEY_HEX(key=key.hex()))
    page = StringIO()
    segno.make(key.hex().upper(), error="l", micro=False).terminal(page, compact=True)
    out.write(page.getvalue())
    return Exit.DONE


def show(out: Output, home: Home) -> int:
    """List the friends, the latest met first, and the games of each group.

    Raises:
        HomeError: the book of friends cannot be read.
    """
    friends, tables = read_book(home)
    for friend in friends:
        out.fact("friend", **_fields(friend))
        out.say(
            _FRIEND(
                name=friend.name,
                won=friend.count(GameResult.WON),
                lost=friend.count(GameResult.LOST),
                drawn=friend.count(GameResult.DRAWN),
                by_them=friend.count(GameResult.LEFT_BY_THEM),
                by_us=friend.count(GameResult.LEFT_BY_US),
                first=friend.first_met,
                last=friend.last_met,
                words=key_words(friend.identity),
            )
        )
    for group in groups_of(tables):
        told = counted(group, own_key(home), names_of(friends))
        if told is not None:
            out.fact("group", **group_fields(told))
            out.say(group_words(told))
    if not friends:
        out.say(_NOBODY())
    return Exit.DONE


def own_key(home: Home) -> bytes:
    """Return this player's key; raise HomeError if the identity cannot be read or made."""
    return public_key(own_identity(home))


def names_of(friends: Sequence[Friend]) -> dict[bytes, str]:
    """Return this player's name for each of ``friends``, by key."""
    return {friend.identity: friend.name for friend in friends}


def counted(
    group: PeopleGroup, own: bytes | None, names: Mapping[bytes, str]
) -> GroupCounted | None:
    """Return the games of ``group``, or None if a name is unknown.

    own: our key. names: of all others, by key.
    """
    others = group.last.people - {own}
    if not others <= names.keys():
        return None
    sides = [
        TeamScore(tuple(sorted(names[key] for key in team - {own})), own in team, won)
        for team, won in group.won.items()
    ]
    told = tuple(sorted(names[key] for key in others))
    ours_first = tuple(sorted(sides, key=lambda side: not side.ours))
    return GroupCounted(group.last.game, told, group.games, ours_first, group.drawn)


def _fields(friend: Friend) -> dict[str, object]:
    counts = {outcome.name.lower(): friend.count(outcome) for outcome in GameResult}
    return {
        "name": friend.name,
        "says": friend.says,
        "key": friend.identity.hex(),
        "compared": friend.compared,
        "first_met": friend.first_met.isoformat(),
        "last_met": friend.last_met.isoformat(),
        **counts,
    }


def forget(out: Output, home: Home, name: str) -> int:
    """Forget the friend called ``name``.

    Raises:
        CommandError: nobody is called so.
        HomeError: the book of friends cannot be read or written.
    """

    def nobody(_: Friend, _all: Sequence[Friend]) -> None:
        return None

    friend = _change(home, name, nobody)
    for heard in (home.calls_of(friend.identity), home.queries_of(friend.identity)):
        with suppress(OSError):  # without the secret it says nothing
            heard.unlink(missing_ok=True)
    out.say(_FORGOTTEN(name=friend.name))
    return Exit.DONE


def compare(out: Output, home: Home, name: str) -> int:
    """Note that this player has compared the words of the friend called ``name``.

    Raises:
        CommandError: no friend has this name.
        HomeError: the book of friends cannot be read or written.
    """
    friend = note_compared(home, name)
    out.say(COMPARED(name=friend.name, words=key_words(friend.identity)))
    return Exit.DONE


def note_compared(home: Home, name: str) -> Friend:
    """Note that the words of the friend called ``name`` were compared; return the friend.

    Raises:
        CommandError: no friend has this name.
        HomeError: the book of friends cannot be read or written.
    """
    return _change(home, name, lambda friend, _: replace(friend, compared=True))


def rename(out: Output, home: Home, name: str, new: str) -> int:
    """Give the friend ``name`` the name ``new``.

    Raises:
        CommandError: no friend is called ``name``, another friend has the name ``new``, or
            ``new`` is no valid name.
        HomeError: the book of friends cannot be read or written.
    """
    refusal = refusal_of(new)
    if refusal is not None:
        raise CommandError(Exit.USAGE, refusal.sentence, code="friend-name", **refusal.fields)

    def call_otherwise(friend: Friend, friends: Sequence[Friend]) -> Friend:
        if by_name(friends, new) not in (None, friend):
            raise CommandError(
                Exit.USAGE,
                'Another player is called "{name}" already. Choose another name.',
                code="friend-taken",
                name=new,
            )
        return replace(friend, name=new)

    friend = _change(home, name, call_otherwise)
    out.say(_RENAMED(name=friend.name, new=new))
    return Exit.DONE


def _change(
    home: Home, name: str, change: Callable[[Friend, Sequence[Friend]], Friend | None]
) -> Friend:
    """Apply ``change`` to the friend called ``name``; return the friend as before.

    change: takes the friend and all friends; returns None to forget the friend.

    Raises:
        CommandError: no friend has this name.
        HomeError: the book of friends cannot be read or written.
    """
    found: list[Friend] = []

    def of_all(friends: tuple[Friend, ...]) -> list[Friend]:
        friend = find(friends, name)
        found.append(friend)
        changed = change(friend, friends)
        others = [each for each in friends if each is not friend]
        return others if changed is None else [changed, *others]

    change_friends(home, of_all)
    return found[0]


def find(friends: Sequence[Friend], name: str) -> Friend:
    """Return the friend called ``name``.

    Raises:
        CommandError: nobody is called so.
    """
    if not friends:
        raise CommandError(
            Exit.USAGE,
            'You have not met "{name}", and know the key of no other player. Play a game to '
            "its end first.",
            code="friend-unknown",
            name=name,
        )
    friend = by_name(friends, name)
    if friend is None:
        raise CommandError(
            Exit.USAGE,
            'You have not met "{name}". You have met: {names}.',
            code="friend-unknown",
            name=name,
            names=", ".join(quoted(each.name) for each in friends),
        )
    return friend
