"""The keys of a game's later links, all derived from the psk of the first link.

Each key is the ``HKDF-Expand`` of RFC 5869 with SHA-512 (SPEC#resume, SPEC#rematch).
"""

from typing import Final

from matcha_p2p.crypto.sponge import kdf
from matcha_p2p.seats import Seat
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.names import GameId

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
