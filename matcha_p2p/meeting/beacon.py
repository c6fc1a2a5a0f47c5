"""The datagrams by which players on one network find each other; no I/O.

Everybody on the network hears a query. An answer goes to the one who asked and is never longer
than the query, so that nobody can use it to flood others. Neither holds a secret (SPEC#beacon).
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.text import check_name

SIZE: Final = 136
"""Bytes of a query, and the most of an answer."""

NONCE_SIZE: Final = 8
TABLE_SIZE: Final = 4
TAG_SIZE: Final = 8
MOST_TAGS: Final = 4

_VERSION: Final = 1
_QUERY: Final = b"matcha?" + bytes([_VERSION])
_ANSWER: Final = b"matcha!"
_TAGS_AT: Final = len(_QUERY) + NONCE_SIZE
_NO_TAG: Final = bytes(TAG_SIZE)


@dataclass(frozen=True, slots=True)
class Query:
    """Asks who waits here.

    nonce: 8 random bytes. tags: up to 4, of 8 bytes, none of them all zero. If there are any,
    only a friend who knows one of them answers.
    """

    nonce: bytes
    tags: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """A table waits for a guest.

    nonce: of the query. port: where to knock, 1..65535. table: names this table, 4 bytes.
    edition: 1 to 4 characters. name: of the host (SPEC#names).
    """

    nonce: bytes
    port: int
    table: bytes
    edition: str
    name: str


@dataclass(frozen=True, slots=True)
class FriendAnswer:
    """A friend waits. port: where to dial. tag: shows that this is the friend, 8 bytes."""

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
        EncodingError: it is none, or none of this version.
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
        case TableAnswer(nonce, port, table, edition, name):
            return _ANSWER + pack([_VERSION, nonce, port, table, edition, name])
        case FriendAnswer(nonce, port, tag):
            return _ANSWER + pack([_VERSION, nonce, port, tag])


def decode_answer(datagram: bytes) -> BeaconAnswer:
    """Read an answer.

    Raises:
        EncodingError: it is none, none of this version, or the name cannot be one.
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
        ] if _fits(nonce, port) and len(table) == TABLE_SIZE and _is_edition(edition):
            check_name(name)
            return TableAnswer(nonce, port, table, edition, name)
        case [1, bytes(nonce), int(port), bytes(tag)] if (
            _fits(nonce, port) and len(tag) == TAG_SIZE
        ):
            return FriendAnswer(nonce, port, tag)
        case _:
            raise EncodingError(Check.ENCODING, "an answer names a table, or has a tag")


def _fits(nonce: bytes, port: int) -> bool:
    return len(nonce) == NONCE_SIZE and 0 < port < 65536


def _is_edition(edition: str) -> bool:
    return 0 < len(edition) <= 4 and edition.isascii() and edition.isalnum()
