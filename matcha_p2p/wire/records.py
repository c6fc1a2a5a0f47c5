"""Records: signed statements outside the chain (SPEC#records)."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from matcha_p2p.crypto.ristretto255 import decode_scalar, encode_scalar
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import Value


@dataclass(frozen=True, slots=True)
class Resign:
    """The author concedes; counts while the chain is undecided."""


@dataclass(frozen=True, slots=True)
class Claim:
    """By the author's clock: nothing has come since the head for ``seconds``, at ``utc``.

    utc: seconds since 1970. Nobody else can check it; it is shown as a claim.
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
    """The author's game key x: its cards are an open book (SPEC#open-book)."""

    secret: int


Statement: TypeAlias = Resign | Claim | Abort | Expose


def encode_statement(statement: Statement) -> tuple[str, list[Value]]:
    """Return the kind and the data of a record."""
    match statement:
        case Resign():
            return "RESIGN", []
        case Claim(seconds, utc):
            return "CLAIM", [seconds, utc]
        case Abort(code, offender):
            return "ABORT", [code, offender]
        case Expose(secret):
            return "EXPOSE", [encode_scalar(secret)]
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
        case "CLAIM", [int(seconds), int(utc)]:
            return Claim(seconds, utc)
        case "ABORT", [str(code), bytes(offender)] if len(offender) == 32:
            if code not in {check.value for check in Check}:
                raise EncodingError(Check.RECORD, "an ABORT names no check there is")
            return Abort(code, offender)
        case "EXPOSE", [bytes(secret)]:
            return Expose(decode_scalar(secret))
        case _:
            raise EncodingError(Check.RECORD, "no record has this kind and data")
