"""A table of friends to call: the people, the last game together, and the places."""

from collections.abc import Sequence
from typing import NamedTuple

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.friends.friends import find, own_key
from matcha_p2p.app.friends.wait import CalledFriends
from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.store.friends import read_book
from matcha_p2p.store.groups import groups_of
from matcha_p2p.store.home import Home
from matcha_p2p.transport.servers import Server


class TableToCall(NamedTuple):
    """A table of ours, and the friends to call. variant: None for the usual one."""

    game: str
    variant: str | None
    seats: int
    called: CalledFriends


def see_it_listens(proxy: Server | None) -> None:
    """Do nothing without a proxy.

    Raises:
        CommandError: the guests of a table could not come back through ``proxy``.
    """
    if proxy is not None:
        raise CommandError(
            Exit.USAGE,
            "A table cannot be called through a proxy, where nobody reaches the host. Wait for "
            "a call, or call one friend.",
            code="call-proxy",
        )


def table_to_call(home: Home, names: Sequence[str], game: str | None = None) -> TableToCall:
    """Return the table for the friends called ``names``: as in the last game together.

    Without an earlier game, return the first game with a table for all friends. game: the
    only game to play, None for any.

    Raises:
        CommandError: a name is no friend's, a friend cannot be called, or no game has a table
            for all.
        HomeError: the book of friends cannot be read, or the identity.
    """
    friends, tables = read_book(home)
    called = tuple(dict.fromkeys(find(friends, name).identity for name in names))
    guests = [friend for key in called for friend in friends if friend.identity == key]
    for friend in guests:
        if not friend.shared:
            raise CommandError(
                Exit.USAGE,
                'You cannot call "{name}" yet. Play a game to its end together, or compare '
                "your six words.",
                code="call-unshared",
                name=friend.name,
            )
    own = own_key(home)
    people = frozenset((own, *called))
    for group in groups_of(tables):
        last = group.last
        if last.people == people and game in (None, last.game):
            places = CalledFriends(guests, last.places(own))
            return TableToCall(last.game, last.variant, len(last.seats), places)
    for name in FOLDERS if game is None else (game,):
        for seats in sorted(game_of(name).tables):
            if seats > len(guests):
                return TableToCall(name, None, seats, CalledFriends(guests))
    raise CommandError(
        Exit.USAGE,
        "There is no table for {count} players.",
        code="call-seats",
        count=len(guests) + 1,
    )
