"""A seat of this program: its secrets, and the public half for the lobby and the roster."""

from dataclasses import dataclass, field
from secrets import token_bytes

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from matcha_p2p.crypto import signature
from matcha_p2p.errors import HandshakeError
from matcha_p2p.seats import Seat
from matcha_p2p.table.seat import SECRET_SIZE, Secrets
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.roster import RosterSeat


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """listed: the public half. link: the secret of the link key, 32 bytes."""

    listed: RosterSeat
    secrets: Secrets = field(repr=False)
    link: bytes = field(repr=False)


def draw_seat(name: str, identity: bytes | None = None, *, bot: bool = False) -> OwnSeat:
    """Return a seat with fresh secrets. identity: the public long-term key, or None."""
    secrets = Secrets(token_bytes(SECRET_SIZE), token_bytes(SECRET_SIZE))
    link = X25519PrivateKey.generate()
    session = signature.public_key(secrets.session)
    listed = RosterSeat(name, session, link.public_key().public_bytes_raw(), identity, bot)
    return OwnSeat(listed, secrets, link.private_bytes_raw())


def pair_psk(
    table: Psk, own: OwnSeat, other: RosterSeat, rid: RosterId, ways: tuple[Seat, Seat]
) -> Psk:
    """Return the key of a later link between two seats (SPEC#lobby).

    table: the psk of the invite, which every guest holds. ways: the seat that dials, and the
    seat that answers.

    Raises:
        HandshakeError: the other seat's link key is worthless.
    """
    try:
        private = X25519PrivateKey.from_private_bytes(own.link)
        shared = private.exchange(X25519PublicKey.from_public_bytes(other.link_key))
    except ValueError:
        raise HandshakeError("The other player's key for links is worthless.") from None
    info = pack(["matcha/v1 pair psk", rid, *ways])
    return Psk(HKDF(SHA256(), SECRET_SIZE, salt=table, info=info).derive(shared))
