"""Watching a game: what seats allow, and the messages of a watcher and a host (PEER#watching).

The messages are unsigned, in COME, SIGHT and BYE frames, and stand in no transcript.
"""

import enum
from dataclasses import dataclass
from typing import Final

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import Value, pack, unpack
from matcha_p2p.wire.text import check_name

TOKEN_SIZE: Final = 16

MOST_WATCHERS: Final = 32
"""How many may watch a game at one seat."""

MOST_ITEMS: Final = 65_536
"""The most entries, and the most records, of a watcher, as of a transcript."""


class Visibility(enum.IntEnum):
    """The watchers' view of a game. If seats differ, the least counts."""

    NOTHING = 0
    LATER = 1  # each round after its end
    AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Admission:
    """What a seat says about watching.

    sight: what the seat lets watchers see. most: how many may watch at the seat's program,
    0..MOST_WATCHERS. names: of the present watchers there.
    """

    sight: Visibility = Visibility.LATER
    most: int = 0
    names: tuple[str, ...] = ()


def read_name(value: Value) -> str:
    """Return a name (SPEC#names).

    Raises:
        EncodingError: E_ENCODING, E_TEXT.
    """
    match value:
        case str(name):
            check_name(name)
            return name
        case _:
            raise EncodingError(Check.ENCODING, "a name is text")


@dataclass(frozen=True, slots=True)
class Come:
    """A watcher comes, or comes again. token: 16 random bytes, the same each time.

    entries, records: how many of the game the watcher has already.
    """

    token: bytes
    name: str
    entries: int = 0
    records: int = 0


class Dismissal(enum.Enum):
    """Why the host ends a watcher's link."""

    DONE = "DONE"  # the game is over, and nothing more comes of it
    LATER = "LATER"  # a player has left the unfinished game
    CLOSED = "CLOSED"  # a player lets nobody watch any more
    FULL = "FULL"  # as many watch as may


def encode_come(come: Come) -> bytes:
    """Return the payload of the first frame of a watcher."""
    return pack([come.token, come.name, come.entries, come.records])


def decode_come(payload: bytes) -> Come:
    """Return the watcher who comes.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING, E_TEXT.
    """
    match unpack(payload):
        case [bytes(token), name, int(entries), int(records)] if (
            len(token) == TOKEN_SIZE and max(entries, records) <= MOST_ITEMS
        ):
            return Come(token, read_name(name), entries, records)
        case _:
            raise EncodingError(Check.ENCODING, "a watcher gives a token, a name, two numbers")


def encode_sight(sight: Visibility) -> bytes:
    """Return the host's payload with the watchers' view of the game."""
    return pack([sight])


def decode_sight(payload: bytes) -> Visibility:
    """Return the watchers' view of the game.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(payload):
        case [int(sight)] if sight in set(Visibility):
            return Visibility(sight)
        case _:
            raise EncodingError(Check.ENCODING, "the host says what watchers see")


def encode_dismissal(why: Dismissal) -> bytes:
    """Return the payload of the host's BYE."""
    return pack([why.value])


def decode_dismissal(payload: bytes) -> Dismissal:
    """Return why the host ends the link.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(payload):
        case [str(why)] if why in {each.value for each in Dismissal}:
            return Dismissal(why)
        case _:
            raise EncodingError(Check.ENCODING, "a dismissal gives one of its reasons")
