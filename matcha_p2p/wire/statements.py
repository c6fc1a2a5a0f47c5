"""The statements of records: the kinds of statements outside the chain (SPEC#records)."""

from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from matcha_p2p.crypto.ristretto255 import decode_scalar, encode_scalar
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.names import RecordId

LEAST_LENGTH: Final = 2
MOST_LENGTH: Final = 65_536
"""A SYNC announces at least both greetings, and at most as many entries as a file can hold."""


@dataclass(frozen=True, slots=True)
class Resign:
    """The author concedes; counts while the chain is undecided."""


@dataclass(frozen=True, slots=True)
class ResignOffer:
    """The author would resign with the partner, until the author's next entry."""


@dataclass(frozen=True, slots=True)
class ResignTogether:
    """The author's team concedes: the partner has made the ``offer``, a record's id."""

    offer: RecordId


@dataclass(frozen=True, slots=True)
class Claim:
    """The author says: at ``utc``, no entry had come for ``seconds`` since the head.

    utc: seconds since 1970, by the author's clock. Only the author knows whether the numbers
    are true, so both are shown as a claim.
    """

    seconds: int
    utc: int


@dataclass(frozen=True, slots=True)
class Abort:
    """The author stopped: ``code`` of the check, ``offender`` the id of the refused entry."""

    code: str
    offender: bytes


@dataclass(frozen=True, slots=True)
class Expose:
    """The author's game key x: the author's cards become an open book (PEER#open-book)."""

    secret: int


@dataclass(frozen=True, slots=True)
class Sync:
    """The author's copy has ``length`` entries; the record's head is the last entry.

    length: 2 .. 65,536. binding: of the link that carried the SYNC, 32 bytes (PEER#resume).
    resigned: whether the author holds a RESIGN of another seat.
    """

    length: int
    binding: bytes
    resigned: bool = False


GivesUp: TypeAlias = Resign | ResignTogether
"""A resignation after which the author makes no entry but a RESULT."""

Statement: TypeAlias = Resign | ResignOffer | ResignTogether | Claim | Abort | Expose | Sync


def encode_statement(statement: Statement) -> tuple[str, list[Value]]:
    """Return the kind and the data of a record."""
    match statement:
        case Resign():
            return "RESIGN", []
        case ResignOffer():
            return "RESIGN", [b""]
        case ResignTogether(offer):
            return "RESIGN", [offer]
        case Claim(seconds, utc):
            return "CLAIM", [seconds, utc]
        case Abort(code, offender):
            return "ABORT", [code, offender]
        case Expose(secret):
            return "EXPOSE", [encode_scalar(secret)]
        case Sync(length, binding, resigned):
            return "SYNC", [length, binding, int(resigned)]
        case _:
            assert_never(statement)


def decode_statement(kind: str, data: list[Value]) -> Statement:
    """Return the statement of a record.

    Raises:
        EncodingError: E_RECORD for an unknown kind or malformed data; E_SCALAR.
    """
    match kind, data:
        case "RESIGN", []:
            return Resign()
        case "RESIGN", [b""]:
            return ResignOffer()
        case "RESIGN", [bytes(offer)] if len(offer) == 32:
            return ResignTogether(RecordId(offer))
        case "CLAIM", [int(seconds), int(utc)]:
            return Claim(seconds, utc)
        case "ABORT", [str(code), bytes(offender)] if len(offender) == 32:
            if code not in {check.value for check in Check}:
                raise EncodingError(Check.RECORD, "an ABORT names no check there is")
            return Abort(code, offender)
        case "EXPOSE", [bytes(secret)]:
            return Expose(decode_scalar(secret))
        case "SYNC", [int(length), bytes(binding), (0 | 1) as resigned] if (
            LEAST_LENGTH <= length <= MOST_LENGTH and len(binding) == 32
        ):
            return Sync(length, binding, bool(resigned))
        case _:
            raise EncodingError(Check.RECORD, "no record has this kind and data")
