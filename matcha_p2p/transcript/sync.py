"""SYNC: how far a seat's copy of a game goes, said anew on each link (SPEC#resume)."""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.transcript.signed import Signed, parse_signed, sign

_DOMAIN: Final = b"matcha/v1/sync\0"


@dataclass(frozen=True, slots=True)
class Sync:
    """The author has ``length`` entries of the game ``gid``, the last of them ``head``."""

    gid: bytes
    length: int
    head: bytes
    signed: Signed


def parse_sync(encoded: bytes, binding: bytes) -> Sync:
    """Return the SYNC that ``encoded`` holds; its signature, unchecked, is over ``binding``.

    binding: of the link it came by, so that it is worth nothing on another one.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    signed, body = parse_signed(_DOMAIN + binding, encoded)
    match body:
        case [bytes(gid), int(length), bytes(head)] if len(gid) == len(head) == 32:
            return Sync(gid, length, head, signed)
        case _:
            raise EncodingError(Check.ENCODING, "a SYNC is gid, length and head")


def sign_sync(gid: bytes, length: int, head: bytes, binding: bytes, seed: bytes) -> bytes:
    """Return the SYNC of the seat whose session key has the seed ``seed``."""
    return sign(_DOMAIN + binding, [gid, length, head], seed)
