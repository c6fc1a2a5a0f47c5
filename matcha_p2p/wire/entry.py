"""An entry: one message, signed and chained to the one before it (SPEC#entries)."""

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
    """A message as it was received or made.

    seq: place in the chain, from 0. seat: the author, as the entry says. prev: id of the entry
    before. state: digest of the public state after it, 16 bytes. fields: the actions, encoded.
    id: 32 bytes, names this entry.
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
        """The entry as it travels and is stored."""
        return self.signed.encoded


def parse_entry(encoded: bytes) -> Entry:
    """Return the entry that ``encoded`` holds; nothing of it is checked but its form.

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
    """Return the entry of ``seat``, whose session key has the seed ``seed``.

    actions: encoded.
    """
    body: Value = [seq, seat, prev, state, list(actions)]
    return parse_entry(sign(_DOMAIN, body, seed))
