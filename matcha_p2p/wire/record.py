"""A record: a statement signed by one seat, outside the chain (SPEC#records)."""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.wire.names import EntryId, GameId, RecordId
from matcha_p2p.wire.signed import Signed, parse_signed, sign
from matcha_p2p.wire.statements import Statement, decode_statement, encode_statement

_DOMAIN: Final = b"matcha/v1/rec\0"


@dataclass(frozen=True, slots=True)
class Record:
    """A statement of ``seat`` about the game ``gid``, with the chain up to the id ``head``."""

    gid: GameId
    seat: Seat
    head: EntryId
    statement: Statement
    signed: Signed

    @property
    def encoded(self) -> bytes:
        """The bytes of the record on the wire and in files."""
        return self.signed.encoded

    @property
    def id(self) -> RecordId:
        """The hash of the record (SPEC#records)."""
        return RecordId(H("msg", self.encoded))


def parse_record(encoded: bytes) -> Record:
    """Return the record in ``encoded``; only the form is checked.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING, E_RECORD, E_SCALAR.
    """
    signed, body = parse_signed(_DOMAIN, encoded)
    match body:
        case [str(kind), bytes(gid), int(seat), bytes(head), [*data]] if (
            len(gid) == 32 and seat < MOST_SEATS and len(head) == 32
        ):
            statement = decode_statement(kind, data)
            return Record(GameId(gid), Seat(seat), EntryId(head), statement, signed)
        case _:
            raise EncodingError(
                Check.RECORD, "a record's body is kind, gid, seat, head and data"
            )


def sign_record(
    gid: GameId, seat: Seat, head: EntryId, statement: Statement, seed: bytes
) -> Record:
    """Return the record of ``seat``, signed by the session key with the seed ``seed``."""
    kind, data = encode_statement(statement)
    return parse_record(sign(_DOMAIN, [kind, gid, seat, head, data], seed))
