"""The datagrams of players looking for each other on a network; no I/O (PEER#beacon).

Everybody on the network hears a query. The answer goes only to the asker. An answer is never
longer than the query, so nobody can flood a third machine with answers. Queries and answers
hold no secret.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.seats import MOST_SEATS
from matcha_p2p.wire.encoding import Value, pack, unpack
from matcha_p2p.wire.text import check_name

SIZE: Final = 136
"""Bytes of a query, and the most of an answer."""

NONCE_SIZE: Final = 8
TABLE_SIZE: Final = 4
TAG_SIZE: Final = 8
MOST_TAGS: Final = 4
_MOST_GAMES: Final = 255

_VERSION: Final = 1
_QUERY: Final = b"matcha?" + bytes([_VERSION])
_ANSWER: Final = b"matcha!"
_TAGS_AT: Final = len(_QUERY) + NONCE_SIZE
_NO_TAG: Final = bytes(TAG_SIZE)


@dataclass(frozen=True, slots=True)
class Query:
    """Asks for tables, or for a friend, on the network.

    nonce: 8 random bytes. tags: up to 4, of 8 bytes, never all zero. If a query has tags, only
    a friend who knows a tag answers.
    """

    nonce: bytes
    tags: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """A table waits for a guest.

    nonce: of the query. port: for knocking, 1..65535. table: the number of the table, 4 bytes.
    edition: of Matcha, up to 4 characters. name: of the host (SPEC#names). game: its number
    (``Game.number``). free: how many of the seats are empty.
    """

    nonce: bytes
    port: int
    table: bytes
    edition: str
    name: str
    game: int = 1
    seats: int = 2
    free: int = 1


@dataclass(frozen=True, slots=True)
class FriendAnswer:
    """A friend waits. port: to dial. tag: proof that the friend answers, 8 bytes."""

    nonce: bytes
    port: int
    tag: bytes


BeaconAnswer: TypeAlias = TableAnswer | FriendAnswer


def encode_query(query: Query) -> bytes:
    """Return the SIZE bytes of ``query``."""
    return (_QUERY + query.nonce + b"".join(query.tags)).ljust(SIZE, b"\0")


def decode_query(datagram: bytes) -> Query:
    """Read a query.

    Raises:
        EncodingError: ``datagram`` is no query of this version.
    """
    if len(datagram) != SIZE or not datagram.startswith(_QUERY):
        raise EncodingError(Check.ENCODING, "this is no query")
    end = _TAGS_AT + MOST_TAGS * TAG_SIZE
    places = range(_TAGS_AT, end, TAG_SIZE)
    tags = [datagram[place : place + TAG_SIZE] for place in places]
    while tags and tags[-1] == _NO_TAG:
        tags.pop()
    if _NO_TAG in tags or any(datagram[end:]):
        raise EncodingError(
            Check.ENCODING, "a query is filled up with zeros, and with them only"
        )
    return Query(datagram[len(_QUERY) : _TAGS_AT], tuple(tags))


def encode_answer(answer: BeaconAnswer) -> bytes:
    """Return the at most SIZE bytes of ``answer``."""
    match answer:
        case TableAnswer(nonce, port, table, edition, name, game, seats, free):
            named: list[Value] = [table, edition, name]
            return _ANSWER + pack([_VERSION, nonce, port, *named, game, seats, free])
        case FriendAnswer(nonce, port, tag):
            return _ANSWER + pack([_VERSION, nonce, port, tag])


def decode_answer(datagram: bytes) -> BeaconAnswer:
    """Read an answer.

    Raises:
        EncodingError: ``datagram`` is no answer of this version, or the name is malformed.
    """
    if len(datagram) > SIZE or not datagram.startswith(_ANSWER):
        raise EncodingError(Check.ENCODING, "this is no answer")
    match unpack(datagram[len(_ANSWER) :]):
        case [
            1,
            bytes(nonce),
            int(port),
            bytes(table),
            str(edition),
            str(name),
            int(game),
            int(seats),
            int(free),
        ] if (
            _fits(nonce, port)
            and len(table) == TABLE_SIZE
            and _is_edition(edition)
            and 0 < game <= _MOST_GAMES
            and 0 < free < seats <= MOST_SEATS
        ):
            check_name(name)
            return TableAnswer(nonce, port, table, edition, name, game, seats, free)
        case [1, bytes(nonce), int(port), bytes(tag)] if (
            _fits(nonce, port) and len(tag) == TAG_SIZE
        ):
            return FriendAnswer(nonce, port, tag)
        case _:
            raise EncodingError(Check.ENCODING, "an answer names a table, or has a tag")


def _fits(nonce: bytes, port: int) -> bool:
    return len(nonce) == NONCE_SIZE and 0 < port < 65536


def _is_edition(edition: str) -> bool:
    return len(edition) <= 4 and edition.isascii() and (edition.isalnum() or not edition)
