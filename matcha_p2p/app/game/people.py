"""Recognises players by their keys, and remembers and counts the games with them.

Every function here that takes the setup of a seat blocks.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from matcha_p2p import wall_clock
from matcha_p2p.app.friends.friends import counted, names_of
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.errors import HandshakeError
from matcha_p2p.games import game_of
from matcha_p2p.narration.news import GroupCounted, Recognised, Recognition, Renamed
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.store import friends as stored_friends
from matcha_p2p.store import groups
from matcha_p2p.table.messages import Hello
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.names import Psk

_FRIEND: Final = b"matcha/v1 friend"


Recognise: TypeAlias = Callable[[Chain], tuple[Renamed | Recognised, ...]]
"""Returns who sits at a table: this player, if renamed, then the others in order of seats."""

CountGroup: TypeAlias = Callable[[Chain], GroupCounted | None]
"""Returns the counted games of the people at a table, or None."""


class People(NamedTuple):
    """Knows the people at a table."""

    recognise: Recognise
    score: CountGroup


def people_of(setup: SeatSetup) -> People:
    """Return both functions by the present book of friends; raise the errors of either."""
    return People(recogniser(setup), counter(setup))


def recogniser(setup: SeatSetup) -> Recognise:
    """Return a function that recognises players by the present book of friends.

    Without a key of our own, the function recognises no other player.

    Raises:
        HomeError: the book of friends cannot be read.
    """
    known = setup.terms.identity is not None
    friends = stored_friends.read_friends(setup.home) if known else ()

    def recognise(chain: Chain) -> tuple[Renamed | Recognised, ...]:
        own = chain.name_of(chain.seat)
        named = () if own == setup.terms.name else (Renamed(own),)
        return *named, *(found for _, found in _recognised(setup, friends, chain))

    return recognise


def counter(setup: SeatSetup) -> CountGroup:
    """Return a function that counts the finished games of a table, with the present game.

    Without a key of our own, or of another person, the function counts none.

    Raises:
        HomeError: the book of friends cannot be read.
    """
    known = setup.terms.identity is not None
    book = stored_friends.read_book(setup.home) if known else stored_friends.Book()
    games = book.tables

    def count(chain: Chain) -> GroupCounted | None:
        nonlocal games
        game = _table_game(setup, book.friends, chain)
        if game is None:
            return None
        games = groups.with_game(games, game)
        hellos = chain.table.hellos
        names = {hello.identity: hello.name for hello in hellos if hello.identity is not None}
        names |= names_of(book.friends)
        return counted(groups.groups_of(games)[0], hellos[chain.seat].identity, names)

    return count


def _table_game(
    setup: SeatSetup, friends: Sequence[stored_friends.Friend], chain: Chain
) -> groups.PlayedTable | None:
    """Return the finished game, if every person has shown an own key."""
    found = [who.standing for _, who in _recognised(setup, friends, chain)]
    kept = {Recognition.KNOWN, Recognition.NEW}
    if chain.ended is None or not found or not kept.issuperset(found):
        return None
    game, seats = chain.table.game, len(chain.seats)
    rules = game_of(game.name).rules
    number = {seat: at for at, team in enumerate(rules.teams(seats)) for seat in team}
    return groups.PlayedTable(
        chain.table.gid.hex(),
        game.name,
        rules.called(game.variant),
        tuple(hello.identity for hello in chain.table.hellos),
        tuple(number[seat] for seat in chain.seats),
        chain.ended.winners,
    )


def remember(setup: SeatSetup, chain: Chain) -> None:
    """Note the game of ``chain`` with each other person, as far as the game has come.

    A player with the name of a friend and another key is not noted: playing on does not make
    this player the friend.

    Raises:
        HomeError: the book of friends cannot be read or written.
    """

    def note(book: stored_friends.Book) -> stored_friends.Book:
        friends, tables = book
        noted = [
            _noted(friends, chain, seat, secret)
            for seat, found in _recognised(setup, friends, chain)
            if found.standing in (Recognition.KNOWN, Recognition.NEW)
            and (secret := friend_secret(chain, seat)) is not None
        ]
        met = {friend.identity for friend in noted}
        game = _table_game(setup, friends, chain)
        others = [each for each in friends if each.identity not in met]
        return stored_friends.Book(
            (*noted, *others), tables if game is None else groups.with_game(tables, game)
        )

    if _shows_key(setup, chain):
        stored_friends.change_book(setup.home, note)


def friend_secret(chain: Chain, seat: Seat) -> Psk | None:
    """Return the secret shared with ``seat`` after this game (PEER#friends).

    No other seat of the table can compute the secret. If the link key of ``seat`` is worthless,
    return None.
    """
    low, high = sorted((chain.seat, seat))
    identities = sorted(chain.table.hellos[each].identity or b"" for each in (low, high))
    info = _FRIEND + chain.table.gid + b"".join(identities)
    try:
        shared = chain.link_psk(low, high)
    except HandshakeError:
        return None
    return Psk(HKDF(SHA256(), 32, salt=None, info=info).derive(shared))


def _shows_key(setup: SeatSetup, chain: Chain) -> bool:
    """Tell whether this player shows a key in the game, and wants to know others by theirs."""
    shown = chain.table.hellos[chain.seat].identity
    return setup.terms.identity is not None and shown is not None


def _recognised(
    setup: SeatSetup, friends: Sequence[stored_friends.Friend], chain: Chain
) -> Iterator[tuple[Seat, Recognised]]:
    """Yield the seat and the standing of each other person, unless this player shows no key."""
    if _shows_key(setup, chain):
        own = chain.table.hellos[chain.seat].identity
        for seat in chain.persons:
            yield seat, _standing(own, friends, chain.table.hellos[seat])


def _standing(
    own: bytes | None, friends: Sequence[stored_friends.Friend], hello: Hello
) -> Recognised:
    """Return the standing of the player who says ``hello``. own: the key that we show."""
    if hello.identity is not None and hello.identity == own:
        return Recognised(Recognition.OWN_KEY, hello.name)
    known = (
        None if hello.identity is None else stored_friends.by_identity(friends, hello.identity)
    )
    if known is not None:
        return Recognised(Recognition.KNOWN, hello.name, known.name, known.last_met)
    namesake = stored_friends.by_name(friends, hello.name)
    if namesake is not None:
        standing = Recognition.MISSING_KEY if hello.identity is None else Recognition.OTHER_KEY
        return Recognised(standing, hello.name, namesake.name, namesake.last_met)
    return Recognised(
        Recognition.KEYLESS if hello.identity is None else Recognition.NEW, hello.name
    )


def _noted(
    friends: Sequence[stored_friends.Friend], chain: Chain, seat: Seat, secret: Psk
) -> stored_friends.Friend:
    """Return the player at ``seat`` after the game. secret: shared by the game."""
    hello = chain.table.hellos[seat]
    if hello.identity is None:
        raise RuntimeError("only a player with a key is known or new")
    today = wall_clock.now().date()
    before = stored_friends.by_identity(friends, hello.identity)
    friend = before or stored_friends.Friend(
        hello.identity, hello.name, hello.name, today, today
    )
    friend = friend.met(hello.name, today, chain.table.gid.hex(), _outcome(chain, seat))
    way = chain.ways.get(seat)
    if way is not None:
        friend = replace(friend, endpoints=way.endpoints)
    return friend.moved_on(secret) if chain.finished else friend.left(secret)


def _outcome(chain: Chain, seat: Seat) -> stored_friends.GameResult | None:
    """Return our result of the game with the player at ``seat``.

    If the game stopped at the turn of a third seat, return None.
    """
    ended = chain.ended
    if ended is not None:
        if not ended.winners:
            return stored_friends.GameResult.DRAWN
        return (
            stored_friends.GameResult.WON
            if chain.seat in ended.winners
            else stored_friends.GameResult.LOST
        )
    due = next_due(chain.table)
    left = {
        chain.seat: stored_friends.GameResult.LEFT_BY_US,
        seat: stored_friends.GameResult.LEFT_BY_THEM,
    }
    return None if due is None else left.get(due.seat)
