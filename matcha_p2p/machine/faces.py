"""Faces as group elements, and masked cards as they lie on the table (SPEC#cards)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from matcha_p2p.crypto.elgamal import Ciphertext, public_ciphertext
from matcha_p2p.crypto.ristretto255 import Point, hash_to_group
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, ProofError
from matcha_p2p.rules.cards import FACES, ZERO, Face
from matcha_p2p.transcript.names import GameId

ZEROS: Final = 2

_POINTS: Final = tuple(hash_to_group(b"card/" + bytes([face.index])) for face in FACES)
_FACE_OF: Final = dict(zip(_POINTS, FACES, strict=True))


def mask_public(faces: Sequence[Face], key: Point) -> tuple[Ciphertext, ...]:
    """Return ``faces`` as masked cards that anybody can make and open: randomness 1."""
    return tuple([_masked(face.index, key) for face in faces])


@lru_cache(maxsize=4 * len(FACES))  # a game has one key, and uses each face in every set
def _masked(index: int, key: Point) -> Ciphertext:
    return public_ciphertext(_POINTS[index], key)


def face_of(message: Point) -> Face:
    """Return the face whose group element is ``message``.

    Raises:
        ProofError: E_CARD if it is none of the 17.
    """
    try:
        return _FACE_OF[message]
    except KeyError:
        raise ProofError(Check.CARD, "an opened card shows no face there is") from None


def unmask(card: Ciphertext, shares: Sequence[Point]) -> Face:
    """Return the face under ``card`` once all ``shares`` of it are known; raises E_CARD."""
    message = card.c2
    for share in shares:
        message = message - share
    return face_of(message)


def rest_of_deck(table: Sequence[Face]) -> tuple[Face, ...]:
    """Return the faces that are dealt: the ten not on ``table``, ascending, then two zeros."""
    return (*(face for face in FACES if face != ZERO and face not in table), *(ZERO,) * ZEROS)


def back(gid: GameId, number: int, seat: int, card: Ciphertext) -> bytes:
    """Return the name on the wire of a hand card of ``seat`` in set ``number`` (SPEC#backs)."""
    return H("back", gid, number.to_bytes(4), bytes([seat]), card.c1.encode(), card.c2.encode())
