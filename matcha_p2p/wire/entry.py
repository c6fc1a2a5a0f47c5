"""An entry: a message, signed and chained to the entry before (SPEC#entries)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.signed import Signed, parse_signed, sign

STATE_SIZE: Final = 16
_DOMAIN: Final = b"matcha/v1/msg\0"


@dataclass(frozen=True, slots=True)
class Entry:
    """A received or own message.

    seq: place in the chain, from 0. seat: the claimed author. prev: id of the entry before.
    state: digest of the public state after the entry, 16 bytes. fields: the encoded actions.
    id: the hash naming the entry, 32 bytes.
    """

    seq: int
    seat: Seat
    prev: bytes
    state: bytes
    fields: tuple[Value, ...]
    signed: Signed
    id: EntryId

    @property
    def encoded(self) -> bytes:
        """The bytes of the entry on the wire and in files."""
        return self.signed.encoded


def parse_entry(encoded: bytes) -> Entry:
    """Return the entry in ``encoded``; only the form is checked.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    signed, body = parse_signed(_DOMAIN, encoded)
    match body:
        case [int(seq), int(seat), bytes(prev), bytes(state), [*fields]] if (
            seat < MOST_SEATS and len(prev) == 32 and len(state) == STATE_SIZE
        ):
            return Entry(
                seq, Seat(seat), prev, state, tuple(fields), signed, EntryId(H("msg", encoded))
            )
        case _:
            raise EncodingError(Check.ENCODING, "a body is seq, seat, prev, st and actions")


def sign_entry(
    seq: int, seat: Seat, prev: bytes, state: bytes, actions: Sequence[Value], seed: bytes
) -> Entry:
    """Return the entry of ``seat``, signed by the session key with the seed ``seed``.

    actions: encoded.
    """
    body: Value = [seq, seat, prev, state, list(actions)]
    return parse_entry(sign(_DOMAIN, body, seed))
