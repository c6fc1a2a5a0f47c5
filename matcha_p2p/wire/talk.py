"""Messages between the front ends of two players, outside the chain (SPEC#talk).

Unsigned, in no transcript, and never evidence of anything.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, TypeAlias, assert_never

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
    """The sender's wish for the time after the game, if the other agrees (SPEC#afterwards)."""

    BOOKS = "OPEN"  # expose its key
    REMATCH = "AGAIN"  # play another game at once


@dataclass(frozen=True, slots=True)
class PeerAddresses:
    """The addresses for a new connection of the game to the sender (SPEC#resume).

    endpoints: 1 to 7. punch_port: if nobody can dial the sender, the port, 1..65535, from which
    the sender dials (SPEC#invite); None if the sender does not dial.
    """

    endpoints: tuple[Endpoint, ...]
    punch_port: int | None = None


Talk: TypeAlias = Say | Phrase | Proposal | PeerAddresses


def encode_talk(talk: Talk) -> bytes:
    """Return the payload of a CHAT frame."""
    match talk:
        case Say() | Phrase():
            return pack(write_spoken(talk))
        case Proposal():
            return pack([talk.value])
        case PeerAddresses(endpoints, punch_port):
            return pack(["WAY", punch_port or 0, write_endpoints(endpoints)])
        case _:
            assert_never(talk)


def decode_talk(payload: bytes) -> Talk:
    """Return the talk in a CHAT frame, cleaned.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(payload):
        case ["SAY" | "PHRASE", *_] as words:
            return read_spoken(words)
        case [str(word)] if word in {proposal.value for proposal in Proposal}:
            return Proposal(word)
        case ["WAY", int(port), [*places]] if 0 <= port < 65536:
            return PeerAddresses(read_endpoints(places), port or None)
        case _:
            raise EncodingError(Check.ENCODING, "talk is text, a phrase, an offer or a place")


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

    DONE = "DONE"  # all is said
    LATER = "LATER"  # the sender leaves an unfinished game
    TAKEN = "TAKEN"  # the sender plays with somebody else: this game does not begin
    EDITION = "EDITION"  # the sender wants to play another edition
    VERSION = "VERSION"  # the sender speaks no common version
    NAME = "NAME"  # the name of the other player is misleading: this game does not begin


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
