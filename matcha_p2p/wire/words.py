"""The words that the seats flood, among them ASK and HERE of restarted programs.

PEER#asking. The signature covers the roster's id, so a word counts at one table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from matcha_p2p.errors import Check, EncodingError, ProofError
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.wire.admission import WatchWord
from matcha_p2p.wire.again import AgainWord, OpenWord
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.record import Record, parse_record
from matcha_p2p.wire.said import SaidWord, WayWord
from matcha_p2p.wire.signed import parse_signed, sign
from matcha_p2p.wire.statements import GivesUp, Sync

_ASK: Final = b"matcha/v1/ask\0"
_HERE: Final = b"matcha/v1/here\0"

NONCE_SIZE: Final = 32


@dataclass(frozen=True, slots=True, order=True)
class AskId:
    """What a seat asks with; of two, the greater counts.

    run: a restarted program's number, greater than the seat's earlier numbers. attempt: how
    often this program has asked before. nonce: 32 random bytes of the program.
    """

    run: int
    attempt: int
    nonce: bytes


@dataclass(frozen=True, slots=True)
class AskWord:
    """The program of ``seat`` was started again, and asks what the seat has signed before."""

    seat: Seat
    asked: AskId
    encoded: bytes


@dataclass(frozen=True, slots=True)
class HereWord:
    """The answer of ``seat`` to an ASK of ``asker``.

    asked: copied from the ASK. run: of the author's program, 0 if the program began the game.
    last: the asker's newest entry that the author holds, or None. record: the asker's
    resignation that the author holds; or else the asker's SYNC that announces the most of what
    the author has never seen; or None.
    """

    seat: Seat
    asker: Seat
    asked: AskId
    run: int
    last: Entry | None = field(compare=False)
    record: Record | None = field(compare=False)
    encoded: bytes


Word: TypeAlias = AskWord | HereWord | AgainWord | OpenWord | SaidWord | WatchWord | WayWord

Parse: TypeAlias = Callable[[bytes, RosterId, Sequence[bytes]], Word]
"""Returns the word in an encoding, of a seat of a roster with these session keys."""

Held: TypeAlias = tuple[Entry | None, Record | None]
"""The newest entry of a seat, and its resignation or unshown SYNC; None for neither."""


def sign_ask(rid: RosterId, seat: Seat, asked: AskId, seed: bytes) -> AskWord:
    """Return the ASK of ``seat``. seed: of the seat's session key."""
    return AskWord(seat, asked, sign(_ASK + rid, [seat, *_write(asked)], seed))


def parse_ask(encoded: bytes, rid: RosterId, keys: Sequence[bytes]) -> AskWord:
    """Return the ASK in ``encoded``. keys: the session keys of the seats.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
        ProofError: E_SIG.
    """
    signed, body = parse_signed(_ASK + rid, encoded)
    match body:
        case [int(seat), int(run), int(attempt), bytes(nonce)] if (
            seat < MOST_SEATS and len(nonce) == NONCE_SIZE
        ):
            signed.check_author(seat, keys)
            return AskWord(Seat(seat), AskId(run, attempt, nonce), encoded)
        case _:
            raise EncodingError(Check.ENCODING, "an ASK is seat, run, attempt and nonce")


def sign_here(
    rid: RosterId,
    seat: Seat,
    ask: AskWord,
    run: int,
    held: Held,
    seed: bytes,
) -> HereWord:
    """Return the HERE of ``seat``, the answer to ``ask``.

    run: of the program of ``seat``. seed: of the seat's session key.
    """
    given = [b"" if item is None else item.encoded for item in held]
    body = [seat, ask.seat, *_write(ask.asked), run, *given]
    encoded = sign(_HERE + rid, body, seed)
    return HereWord(seat, ask.seat, ask.asked, run, *held, encoded)


def parse_here(encoded: bytes, rid: RosterId, keys: Sequence[bytes]) -> HereWord:
    """Return the HERE in ``encoded``, once the asker's own signatures hold too.

    keys: the session keys of the seats.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
        ProofError: E_SIG.
    """
    signed, body = parse_signed(_HERE + rid, encoded)
    match body:
        case [
            int(seat),
            int(asker),
            int(asked_run),
            int(attempt),
            bytes(nonce),
            int(run),
            bytes(last),
            bytes(record),
        ] if seat < MOST_SEATS and asker < MOST_SEATS and len(nonce) == NONCE_SIZE:
            pass
        case _:
            raise EncodingError(
                Check.ENCODING, "a HERE is seat, asker, ASK, run, entry and record"
            )
    signed.check_author(seat, keys)
    asked = AskId(asked_run, attempt, nonce)
    held = _held(asker, last, record, keys)
    return HereWord(Seat(seat), Seat(asker), asked, run, *held, encoded)


def _write(asked: AskId) -> list[Value]:
    return [asked.run, asked.attempt, asked.nonce]


def _held(asker: int, last: bytes, record: bytes, keys: Sequence[bytes]) -> Held:
    """Return the newest entry and the record that a HERE shows, signed by the asker.

    Raises:
        ProofError: E_SIG.
    """
    try:
        entry = parse_entry(last) if last else None
        stated = parse_record(record) if record else None
    except EncodingError:
        raise ProofError(Check.SIG, "a HERE shows what nobody can have signed") from None
    for item in (entry, stated):
        if item is not None:
            if item.seat != asker:
                raise ProofError(Check.SIG, "a HERE shows what another seat has signed")
            item.signed.check_author(asker, keys)
    if stated is not None and not isinstance(stated.statement, GivesUp | Sync):
        raise ProofError(Check.SIG, "the record in a HERE binds the asker to nothing")
    return entry, stated
