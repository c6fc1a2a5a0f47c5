"""A seat of this program: its secrets, and the public half for the lobby and the roster."""

from dataclasses import dataclass, field, replace
from secrets import token_bytes
from typing import Self

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from matcha_p2p.crypto import signature
from matcha_p2p.table.seat import SECRET_SIZE, Secrets
from matcha_p2p.wire.roster import RosterSeat
from matcha_p2p.wire.text import NAME_LIMIT


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """listed: the public half."""

    listed: RosterSeat
    secrets: Secrets = field(repr=False)

    def numbered(self) -> Self:
        """Return this seat with a number added to the name."""
        number = " 2"
        name = self.listed.name[: NAME_LIMIT - len(number)].rstrip() + number
        return replace(self, listed=replace(self.listed, name=name))


def draw_seat(name: str, identity: bytes | None = None, *, bot: bool = False) -> OwnSeat:
    """Return a seat with fresh secrets. identity: the public long-term key, or None."""
    link = X25519PrivateKey.generate()
    seeds = token_bytes(SECRET_SIZE), token_bytes(SECRET_SIZE)
    secrets = Secrets(*seeds, link.private_bytes_raw())
    session = signature.public_key(secrets.session)
    listed = RosterSeat(name, session, link.public_key().public_bytes_raw(), identity, bot)
    return OwnSeat(listed, secrets)
