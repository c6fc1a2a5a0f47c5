"""The keys of a game's later links, all derived from the psk of the first link.

At a table of two each key is the ``HKDF-Expand`` of RFC 5869 with SHA-512 (SPEC#resume,
SPEC#rematch). Of a larger table every guest holds the psk, so each pair has a key of its own.
"""

from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from matcha_p2p.crypto.sponge import kdf
from matcha_p2p.errors import HandshakeError
from matcha_p2p.seats import Seat
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.names import GameId, RosterId

SIZE: Final = 32


def resume_psk(psk: Psk, gid: GameId, dialler: Seat) -> Psk:
    """Return the psk for later links of the game ``gid`` that ``dialler`` dials.

    psk: 32 bytes, of the first link, or after a rematch its replacement. No other game has the
    returned key. Without the key, nobody can lead a seat's call back to that seat's own door.
    """
    return Psk(kdf(psk, b"matcha/v1 resume psk" + gid + bytes([dialler]), SIZE))


def rematch_psk(psk: Psk, gid: GameId) -> Psk:
    """Return the replacement of ``psk`` for the game after the game ``gid``."""
    return Psk(kdf(psk, b"matcha/v1 rematch psk" + gid, SIZE))


def pair_psk(
    table: Psk, own: bytes, other: bytes, rid: RosterId, ways: tuple[Seat, Seat]
) -> Psk:
    """Return the key of a later link between two seats (SPEC#lobby).

    table: the psk of the invite, which every guest holds. own: the secret of our link key.
    other: the other seat's link key. ways: the seat that dials, and the seat that answers.

    Raises:
        HandshakeError: the other seat's link key is worthless.
    """
    try:
        private = X25519PrivateKey.from_private_bytes(own)
        shared = private.exchange(X25519PublicKey.from_public_bytes(other))
    except ValueError:
        raise HandshakeError("The other player's key for links is worthless.") from None
    info = pack(["matcha/v1 pair psk", rid, *ways])
    return Psk(HKDF(SHA256(), SIZE, salt=table, info=info).derive(shared))
