"""A seat's secrets, and its randomness: everything from one secret (SPEC#randomness)."""

from dataclasses import dataclass, field
from itertools import accumulate, repeat
from typing import Final

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.ristretto255 import Point, base_mul, reduce_wide
from matcha_p2p.crypto.sigma import Random
from matcha_p2p.crypto.sponge import H, kdf
from matcha_p2p.machine.close import COINS
from matcha_p2p.machine.opening import next_link
from matcha_p2p.rules.seats import Seat

SECRET_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class Secrets:
    """What a seat draws from the operating system for one game, and never reuses.

    game: everything hidden follows from it, and from the history it is used in. session: the
    seed of the key that signs the messages. 32 bytes each.
    """

    game: bytes = field(repr=False)
    session: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Player:
    """A seat that has made its keys. x: its game key. chain: its coin links, anchor first."""

    seat: Seat
    secrets: Secrets = field(repr=False)
    x: int = field(repr=False)
    chain: tuple[bytes, ...] = field(repr=False)

    @property
    def game_key(self) -> Point:
        """The public key X = x*G."""
        return base_mul(self.x)

    @property
    def session_key(self) -> bytes:
        """The public key of the messages."""
        return signature.public_key(self.secrets.session)

    def random(self, head: bytes) -> Random:
        """Return the randomness for the entry after ``head``.

        Another history, label or input gives independent bytes, so that no mask and no nonce
        ever serves twice, even after a backup was restored; the same ones give the same bytes,
        so that a message is never made in two ways.
        """
        return seeded(self.secrets.game, head, self.seat)


def seeded(secret: bytes, head: bytes, seat: Seat) -> Random:
    """Return ``random(label, message, n)``: HKDF of the secret, the head and the message."""

    def random(label: str, message: bytes, n: int) -> bytes:
        return kdf(secret, H("rnd", label.encode(), head, bytes([seat]), message), n)

    return random


def take_seat(seat: Seat, head: bytes, secrets: Secrets) -> Player:
    """Make the keys for a greeting by ``seat`` after ``head``."""
    random = seeded(secrets.game, head, seat)
    x = reduce_wide(random("game key", b"", 48))
    root = random("coin root", b"", SECRET_SIZE)
    links = list(accumulate(repeat(root, COINS + 1), lambda link, _: next_link(seat, link)))
    return Player(seat, secrets, x, tuple(reversed(links)))
