"""Messages between the front ends of two players, outside the chain (SPEC#talk).

Unsigned, in no transcript, and never evidence of anything.
"""

import enum
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import Value, pack, unpack
from matcha_p2p.wire.text import clean

MOST_ADDRESSES: Final = 7

PHRASES: Final = 9
"""How many quick phrases there are; they are counted from 1."""


@dataclass(frozen=True, slots=True)
class Say:
    """Table talk: ``text`` is fit to be shown as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Table talk that everybody reads in a language of his own. number: 1..PHRASES."""

    number: int


class Proposal(enum.Enum):
    """What the sender will do after the game if the other wants it too (SPEC#afterwards)."""

    BOOKS = "OPEN"  # expose its key
    REMATCH = "AGAIN"  # play another game at once


@dataclass(frozen=True, slots=True)
class Reach:
    """Where the sender waits for another link of this game (SPEC#resume).

    addresses: 1 to 7, of 4 or 16 bytes each. port: 1..65535.
    """

    addresses: tuple[bytes, ...]
    port: int


Talk: TypeAlias = Say | Phrase | Proposal | Reach


def encode_talk(talk: Talk) -> bytes:
    """Return the payload of a CHAT frame."""
    match talk:
        case Say(text):
            return pack(["SAY", text])
        case Phrase(number):
            return pack(["PHRASE", number])
        case Proposal():
            return pack([talk.value])
        case Reach(addresses, port):
            return pack(["REACH", port, list(addresses)])
        case _:
            assert_never(talk)


def decode_talk(payload: bytes) -> Talk:
    """Return what a CHAT frame says, cleaned.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(payload):
        case ["SAY", str(text)]:
            return Say(clean(text))
        case ["PHRASE", int(number)] if 0 < number <= PHRASES:
            return Phrase(number)
        case [str(word)] if word in {proposal.value for proposal in Proposal}:
            return Proposal(word)
        case ["REACH", int(port), [*addresses]] if 0 < port < 65536:
            return Reach(_addresses(addresses), port)
        case _:
            raise EncodingError(Check.ENCODING, "talk is text, a phrase, an offer or a place")


def _addresses(values: list[Value]) -> tuple[bytes, ...]:
    addresses = tuple(v for v in values if isinstance(v, bytes) and len(v) in (4, 16))
    if not 0 < len(addresses) == len(values) <= MOST_ADDRESSES:
        raise EncodingError(Check.ENCODING, "addresses are 1 to 7, of 4 or 16 bytes")
    return addresses


class Farewell(enum.Enum):
    """Why the sender closes the connection: the payload of a BYE frame."""

    DONE = "DONE"  # all is said
    LATER = "LATER"  # the sender leaves an unfinished game
    EDITION = "EDITION"  # the sender wants to play another edition
    VERSION = "VERSION"  # the sender speaks no common version


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
