"""The keys of a game's later links, all derived from the psk of the first link.

Every guest holds the psk, so each pair of seats has a key of its own.
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


def rematch_psk(psk: Psk, gid: GameId) -> Psk:
    """Return the replacement of ``psk`` for the game after the game ``gid``."""
    return Psk(kdf(psk, b"matcha/v1 rematch psk" + gid, SIZE))


def pair_psk(
    table: Psk, own: bytes, other: bytes, rid: RosterId, ways: tuple[Seat, Seat]
) -> Psk:
    """Return the key of a later link between two seats (PEER#lobby).

    table: the psk of the invite, which every guest holds. own: the secret of our link key.
    other: the other seat's link key. ways: the seat that dials, and the seat that answers.

    Raises:
        HandshakeError: the other seat's link key is worthless.
    """
    try:
        private = X25519PrivateKey.from_private_bytes(own)
        shared = private.exchange(X25519PublicKey.from_public_bytes(other))
    except ValueError:
        raise HandshakeError("The key for links of the other end is worthless.") from None
    info = pack(["matcha/v1 pair psk", rid, *ways])
    return Psk(HKDF(SHA256(), SIZE, salt=table, info=info).derive(shared))
