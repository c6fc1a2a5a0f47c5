"""A signed statement: ``[body, signature]``; the signature covers the bytes of the body."""

from collections.abc import Sequence
from dataclasses import dataclass

from matcha_p2p.crypto import signature
from matcha_p2p.errors import Check, EncodingError, ProofError
from matcha_p2p.wire.encoding import Value, pack, unpack


@dataclass(frozen=True, slots=True)
class Signed:
    """A body and its Ed25519 signature under ``domain``; ``encoded`` holds both (SPEC#signed).

    domain: the kind of the statement; no signature serves for another kind.
    """

    domain: bytes
    body: bytes
    signature: bytes
    encoded: bytes

    def check(self, session_key: bytes) -> None:
        """Raise ProofError(E_SIG) unless ``session_key`` signed the body."""
        signature.verify(session_key, self.domain + self.body, self.signature)

    def check_author(self, seat: int, keys: Sequence[bytes]) -> None:
        """Raise ProofError(E_SIG) unless ``seat`` signed the body. keys: of the seats."""
        if seat >= len(keys):
            raise ProofError(Check.SIG, "nobody has this seat")
        self.check(keys[seat])


def parse_signed(domain: bytes, encoded: bytes) -> tuple[Signed, Value]:
    """Return the statement in ``encoded`` and its decoded body, the signature unchecked.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(encoded):
        case [bytes(body), bytes(sig)] if len(sig) == signature.SIZE:
            return Signed(domain, body, sig, encoded), unpack(body)
        case _:
            raise EncodingError(Check.ENCODING, "expected a body and a signature of 64 bytes")


def sign(domain: bytes, value: Value, seed: bytes) -> bytes:
    """Return the encoded statement ``value``, signed by the key whose seed is ``seed``."""
    body = pack(value)
    return pack([body, signature.sign(seed, domain + body)])
