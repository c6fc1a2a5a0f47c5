"""What the front ends of two players say to each other beside the chain (SPEC#talk).

Unsigned, in no transcript, and never evidence of anything.
"""

import enum
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.text import clean


@dataclass(frozen=True, slots=True)
class Say:
    """Table talk: ``text`` is fit to be shown as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class OfferOpenBook:
    """After the game: the sender exposes its key if the other does (SPEC#open-book)."""


Talk: TypeAlias = Say | OfferOpenBook


def encode_talk(talk: Talk) -> bytes:
    """Return the payload of a CHAT frame."""
    match talk:
        case Say(text):
            return pack(["SAY", text])
        case OfferOpenBook():
            return pack(["OPEN"])
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
        case ["OPEN"]:
            return OfferOpenBook()
        case _:
            raise EncodingError(Check.ENCODING, "talk is text or an offer")


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
