"""The keys of the links after the first one; all follow from the psk of that one.

Each is the ``HKDF-Expand`` of RFC 5869 with SHA-512 (SPEC#resume, SPEC#rematch).
"""

from typing import Final

from matcha_p2p.crypto.sponge import kdf
from matcha_p2p.seats import Seat
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.names import GameId

SIZE: Final = 32


def resume_psk(psk: Psk, gid: GameId, dialler: Seat) -> Psk:
    """Return the psk of the later links of the game ``gid`` that ``dialler`` dials.

    psk: 32 bytes, of its first link or what took its place in a rematch. No other game has
    this key, and nobody without it can lead what a seat dials to that seat's own door.
    """
    return Psk(kdf(psk, b"matcha/v1 resume psk" + gid + bytes([dialler]), SIZE))


def rematch_psk(psk: Psk, gid: GameId) -> Psk:
    """Return what takes the place of ``psk`` in the game after the game ``gid``."""
    return Psk(kdf(psk, b"matcha/v1 rematch psk" + gid, SIZE))
