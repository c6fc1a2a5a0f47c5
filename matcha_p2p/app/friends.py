"""Shows this player's key, and whom the player has met."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.output import Output
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.errors import EncodingError
from matcha_p2p.language import Sentence
from matcha_p2p.store.friends import (
    Friend,
    Outcome,
    by_name,
    read_friends,
    write_friends,
)
from matcha_p2p.store.home import Home
from matcha_p2p.store.identity import own_identity, words_of
from matcha_p2p.wire.text import NAME_LIMIT, check_name

_KEY: Final = Sentence("Your key: {words}")
_KEY_HEX: Final = Sentence("In full: {key}")
_NOBODY: Final = Sentence("You have met nobody yet whose key you know.")
_FRIEND: Final = Sentence(
    "{name}: {won} won, {lost} lost, {drawn} drawn; left unfinished {by_them} by {name}, "
    "{by_us} by you; first met {first}, last {last}; key {words}"
)
_FORGOTTEN: Final = Sentence("{name} is forgotten.")
_RENAMED: Final = Sentence("{name} is called {new} from now on.")


def show_own_key(out: Output, home: Home) -> int:
    """Show the key in words, in hex, and as a QR code where segno is installed.

    Raises:
        HomeError: the identity cannot be read or made.
    """
    key = public_key(own_identity(home))
    out.fact("me", key=key.hex(), words=words_of(key))
    out.say(_KEY(words=words_of(key)))
    out.say(_KEY_HEX(key=key.hex()))
    draw = _qr()
    if draw is not None:
        out.write(draw(key.hex().upper()))
    return Exit.DONE


def _qr() -> Callable[[str], str] | None:
    """Return what draws a text as a QR code; None if segno is not installed."""
    try:
        import segno
    except ImportError:
        return None
    from io import StringIO

    def draw(text: str) -> str:
        page = StringIO()
        segno.make(text, error="l", micro=False).terminal(page, compact=True)
        return page.getvalue()

    return draw


def show(out: Output, home: Home) -> int:
    """List the friends, those met last first.

    Raises:
        HomeError: the book of friends cannot be read.
    """
    friends = read_friends(home)
    for friend in friends:
        out.fact("friend", **_fields(friend))
        out.say(
            _FRIEND(
                name=friend.name,
                won=friend.count(Outcome.WON),
                lost=friend.count(Outcome.LOST),
                drawn=friend.count(Outcome.DRAWN),
                by_them=friend.count(Outcome.LEFT_BY_THEM),
                by_us=friend.count(Outcome.LEFT_BY_US),
                first=friend.first_met,
                last=friend.last_met,
                words=words_of(friend.identity),
            )
        )
    if not friends:
        out.say(_NOBODY())
    return Exit.DONE


def _fields(friend: Friend) -> dict[str, object]:
    counts = {outcome.name.lower(): friend.count(outcome) for outcome in Outcome}
    return {
        "name": friend.name,
        "says": friend.says,
        "key": friend.identity.hex(),
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
    friends = read_friends(home)
    friend = find(friends, name)
    write_friends(home, [each for each in friends if each is not friend])
    out.say(_FORGOTTEN(name=friend.name))
    return Exit.DONE


def rename(out: Output, home: Home, name: str, new: str) -> int:
    """Call the friend ``name`` otherwise.

    Raises:
        CommandError: nobody is called so, somebody else has that name, or it cannot be one.
        HomeError: the book of friends cannot be read or written.
    """
    friends = read_friends(home)
    friend = find(friends, name)
    try:
        check_name(new)
    except (EncodingError, UnicodeError):
        raise CommandError(
            Exit.USAGE,
            "This cannot be a name: a name has 1 to {limit} characters, single spaces between "
            "words, and only characters that can be shown safely.",
            code="friend-name",
            limit=NAME_LIMIT,
        ) from None
    if by_name(friends, new) not in (None, friend):
        raise CommandError(
            Exit.USAGE, "Somebody else is called {name}.", code="friend-taken", name=new
        )
    write_friends(home, [replace(friend, name=new), *(e for e in friends if e is not friend)])
    out.say(_RENAMED(name=friend.name, new=new))
    return Exit.DONE


def find(friends: tuple[Friend, ...], name: str) -> Friend:
    """Return the friend called ``name``.

    Raises:
        CommandError: nobody is called so.
    """
    friend = by_name(friends, name)
    if friend is None:
        raise CommandError(
            Exit.USAGE,
            "You have met nobody called {name}. You have met: {names}.",
            code="friend-unknown",
            name=name,
            names=", ".join(each.name for each in friends) or "-",
        )
    return friend
