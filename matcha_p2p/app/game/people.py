"""Recognises players by their keys, and remembers the results of games with them.

Every function here blocks.
"""

from dataclasses import replace
from datetime import datetime
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.narration.news import Recognised, Recognition
from matcha_p2p.session.chain import Chain
from matcha_p2p.store import friends as stored_friends
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.names import Psk

_FRIEND: Final = b"matcha/v1 friend"


def recognise(setup: SeatSetup, chain: Chain) -> Recognised | None:
    """Return who the peer is by this home's book, or None if this player shows no key.

    Raises:
        HomeError: the book of friends cannot be read.
    """
    if setup.terms.identity is None:
        return None
    hello = chain.table.hellos[chain.peer]
    friends = stored_friends.read_friends(setup.home)
    if hello.identity == public_key(setup.terms.identity):
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


def remember(setup: SeatSetup, chain: Chain) -> None:
    """Note the game of ``chain`` in the book of friends, as far as the game has come.

    A player with the name of a friend and another key is not noted: playing on does not make
    this player the friend.

    Raises:
        HomeError: the book of friends cannot be read or written.
    """
    recognised = recognise(setup, chain)
    outcome = _outcome(chain)
    hello = chain.table.hellos[chain.peer]
    noted = recognised is not None and recognised.standing in (
        Recognition.KNOWN,
        Recognition.NEW,
    )
    if not noted or outcome is None or hello.identity is None:
        return
    identity = hello.identity

    def note(friends: tuple[stored_friends.Friend, ...]) -> list[stored_friends.Friend]:
        today = datetime.now().astimezone().date()
        before = stored_friends.by_identity(friends, identity)
        friend = before or stored_friends.Friend(identity, hello.name, hello.name, today, today)
        friend = friend.met(hello.name, today, chain.table.gid.hex(), outcome)
        way = chain.ways.get(chain.peer)
        if way is not None:
            friend = replace(friend, endpoints=way.endpoints)
        secret = friend_secret(chain)
        friend = friend.moved_on(secret) if chain.finished else friend.left(secret)
        return [friend, *(each for each in friends if each.identity != identity)]

    stored_friends.change_friends(setup.home, note)


def friend_secret(chain: Chain) -> Psk:
    """Return the secret that the two players of a game share (SPEC#friends)."""
    identities = sorted(hello.identity or b"" for hello in chain.table.hellos)
    info = _FRIEND + chain.table.gid + b"".join(identities)
    return Psk(HKDF(SHA256(), 32, salt=None, info=info).derive(chain.psk))


def _outcome(chain: Chain) -> stored_friends.GameResult | None:
    """Return the result of the game, or None if nobody owes a message."""
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
    if due is None:
        return None
    return (
        stored_friends.GameResult.LEFT_BY_US
        if due.seat == chain.seat
        else stored_friends.GameResult.LEFT_BY_THEM
    )
