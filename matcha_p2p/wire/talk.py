"""Talk and goodbyes, and where a peer waits for links: outside the chain, in no transcript.

PEER#talk, PEER#goodbyes, PEER#way.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, TypeAlias

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.seats import Seat
from matcha_p2p.transport.endpoints import MOST_ENDPOINTS, Endpoint
from matcha_p2p.wire.encoding import Value, pack, unpack
from matcha_p2p.wire.text import clean

PHRASES: Final = 9
"""The number of quick phrases; phrases are counted from 1."""


@dataclass(frozen=True, slots=True)
class Say:
    """Table talk: ``text`` is already cleaned for the terminal."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Table talk, shown to each player in that player's language. number: 1..PHRASES."""

    number: int


Spoken: TypeAlias = tuple[Seat, Say | Phrase]
"""The speaker, and the words."""


class Proposal(enum.Enum):
    """A player's wish for the time after the game, if the others agree (PEER#afterwards)."""

    BOOKS = enum.auto()  # all expose their keys
    REMATCH = enum.auto()  # play another game at once


@dataclass(frozen=True, slots=True)
class PeerAddresses:
    """The addresses for a new connection of the game to the sender (PEER#resume).

    endpoints: 1 to 7. punch_port: if nobody can dial the sender, the port, 1..65535, from which
    the sender dials (PEER#invite); None if the sender does not dial.
    """

    endpoints: tuple[Endpoint, ...]
    punch_port: int | None = None


def encode_way(way: PeerAddresses) -> bytes:
    """Return the payload of a WAYS frame: where the sender waits."""
    return pack([way.punch_port or 0, write_endpoints(way.endpoints)])


def decode_way(payload: bytes) -> PeerAddresses:
    """Return where the sender of a WAYS frame waits.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(payload):
        case [int(port), [*places]] if 0 <= port < 65536:
            return PeerAddresses(read_endpoints(places), port or None)
        case _:
            raise EncodingError(Check.ENCODING, "WAYS are a punch port and places")


def encode_spoken(said: Say | Phrase) -> bytes:
    """Return ``said`` as a file of talk holds it."""
    return pack(write_spoken(said))


def decode_spoken(encoded: bytes) -> Say | Phrase:
    """Return the words in ``encoded``, cleaned.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(encoded):
        case [*words]:
            return read_spoken(words)
        case _:
            raise EncodingError(Check.ENCODING, "words are a text, or a phrase from 1 to 9")


def write_spoken(said: Say | Phrase) -> Value:
    """Return the array of ``said``."""
    return ["SAY", said.text] if isinstance(said, Say) else ["PHRASE", said.number]


def read_spoken(words: Sequence[Value]) -> Say | Phrase:
    """Return the words in an array, cleaned.

    Raises:
        EncodingError: E_ENCODING.
    """
    match words:
        case ["SAY", str(text)]:
            return Say(clean(text))
        case ["PHRASE", int(number)] if 0 < number <= PHRASES:
            return Phrase(number)
        case _:
            raise EncodingError(Check.ENCODING, "words are a text, or a phrase from 1 to 9")


def write_endpoints(endpoints: Sequence[Endpoint]) -> Value:
    """Return the places of ``endpoints``."""
    return [[each.port, each.address.packed] for each in endpoints]


def read_endpoints(values: Sequence[Value]) -> tuple[Endpoint, ...]:
    """Return the endpoints of a WAY, 1 to 7.

    Raises:
        EncodingError: E_ENCODING.
    """
    if not 0 < len(values) <= MOST_ENDPOINTS:
        raise EncodingError(Check.ENCODING, "a way has 1 to 7 places")
    return tuple(map(_endpoint, values))


def _endpoint(value: Value) -> Endpoint:
    match value:
        case [int(port), bytes(packed)] if 0 < port < 65536 and len(packed) in (4, 16):
            return Endpoint(ip_address(packed), port)
        case _:
            raise EncodingError(Check.ENCODING, "a place is a port and 4 or 16 bytes")


class Farewell(enum.Enum):
    """Why the sender closes the connection: the payload of a BYE frame."""

    DONE = "DONE"  # the game is over, and all is said
    LATER = "LATER"  # the sender leaves an unfinished game, or closes the table
    TAKEN = "TAKEN"  # in the lobby, of the host: every seat is taken
    NAME = "NAME"  # of the host: the guest's name is misleading, or another player's
    AWAY = "AWAY"  # of the host: the guest has to leave, or may not come yet
    EDITION = "EDITION"  # of a guest: it wants another edition
    VERSION = "VERSION"  # of a guest: its program does not know the game or the version


def encode_farewell(farewell: Farewell) -> bytes:
    """Return the payload of a BYE frame."""
    return pack([farewell.value])


def decode_farewell(payload: bytes) -> Farewell:
    """Return why the peer goes.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(payload):
        case [str(reason)] if reason in {farewell.value for farewell in Farewell}:
            return Farewell(reason)
        case _:
            raise EncodingError(Check.ENCODING, "a farewell gives one of its reasons")
