"""Watching a game: the words of the seats, and the messages of a watcher and a host.

SPEC#watching. A word of a seat, WATCH, is signed, so that neighbours can pass the word on. The
messages between a watcher and the host are unsigned, in CHAT and BYE frames. None of these
messages stands in a transcript.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.wire.encoding import Value, pack, unpack
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.signed import parse_signed, sign
from matcha_p2p.wire.text import check_name

_WATCH: Final = b"matcha/v1/watch\0"

TOKEN_SIZE: Final = 16

MOST_WATCHERS: Final = 32
"""How many may watch a game at one seat."""

MOST_ITEMS: Final = 65_536
"""The most entries, and the most records, of a watcher, as of a transcript."""


class Visibility(enum.IntEnum):
    """The watchers' view of a game. If seats differ, the least counts."""

    NOTHING = 0
    LATER = 1  # each round after its end
    AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Admission:
    """What a seat says about watching.

    sight: what the seat lets watchers see. most: how many may watch at the seat's program,
    0..MOST_WATCHERS. names: of the present watchers there.
    """

    sight: Visibility = Visibility.LATER
    most: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchWord:
    """``seat`` says something about watching.

    run: of the author's program. number: how many such words the program has said before.
    """

    seat: Seat
    run: int
    number: int
    admission: Admission
    encoded: bytes

    @property
    def place(self) -> tuple[int, int]:
        """The place among the words of this seat: a later word is greater."""
        return self.run, self.number

    @property
    def is_final(self) -> bool:
        """Whether the seat lets nobody watch: then no other word of the seat counts."""
        return self.admission.sight is Visibility.NOTHING


def sign_watch(
    rid: RosterId, seat: Seat, place: tuple[int, int], admission: Admission, seed: bytes
) -> WatchWord:
    """Return the WATCH of ``seat``. place: run and number. seed: of the seat's session key.

    rid: the roster's id; at a table of two, the binding that entry 0 names.
    """
    body: Value = [seat, *place, admission.most, admission.sight, [*admission.names]]
    return WatchWord(seat, *place, admission, sign(_WATCH + rid, body, seed))


def parse_watch(encoded: bytes, rid: RosterId, keys: Sequence[bytes]) -> WatchWord:
    """Return the word in ``encoded``. rid: as in ``sign_watch``. keys: session keys by seat.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING, E_TEXT.
        ProofError: E_SIG.
    """
    signed, body = parse_signed(_WATCH + rid, encoded)
    match body:
        case [int(seat), int(run), int(number), int(most), int(sight), [*names]] if (
            seat < MOST_SEATS
            and len(names) <= most <= MOST_WATCHERS
            and sight in set(Visibility)
        ):
            admission = Admission(Visibility(sight), most, tuple(map(_read_name, names)))
        case _:
            raise EncodingError(
                Check.ENCODING, "a WATCH is seat, run, number, most, sight and names"
            )
    signed.check_author(seat, keys)
    return WatchWord(Seat(seat), run, number, admission, encoded)


def _read_name(value: Value) -> str:
    """Return a name (SPEC#names).

    Raises:
        EncodingError: E_ENCODING, E_TEXT.
    """
    match value:
        case str(name):
            check_name(name)
            return name
        case _:
            raise EncodingError(Check.ENCODING, "a name is text")


@dataclass(frozen=True, slots=True)
class Come:
    """A watcher comes, or comes again. token: 16 random bytes, the same each time.

    entries, records: how many of the game the watcher has already.
    """

    token: bytes
    name: str
    entries: int = 0
    records: int = 0


class Dismissal(enum.Enum):
    """Why the host ends a watcher's link."""

    DONE = "DONE"  # the game is over, and nothing more comes of it
    LATER = "LATER"  # a player has left the unfinished game
    CLOSED = "CLOSED"  # a player lets nobody watch any more
    FULL = "FULL"  # as many watch as may


def encode_come(come: Come) -> bytes:
    """Return the payload of the first frame of a watcher."""
    return pack(["COME", come.token, come.name, come.entries, come.records])


def decode_come(payload: bytes) -> Come:
    """Return the watcher who comes.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING, E_TEXT.
    """
    match unpack(payload):
        case ["COME", bytes(token), name, int(entries), int(records)] if (
            len(token) == TOKEN_SIZE and max(entries, records) <= MOST_ITEMS
        ):
            return Come(token, _read_name(name), entries, records)
        case _:
            raise EncodingError(Check.ENCODING, "a watcher gives a token, a name, two numbers")


def encode_sight(sight: Visibility) -> bytes:
    """Return the host's payload with the watchers' view of the game."""
    return pack(["SIGHT", sight])


def decode_sight(payload: bytes) -> Visibility:
    """Return the watchers' view of the game.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(payload):
        case ["SIGHT", int(sight)] if sight in set(Visibility):
            return Visibility(sight)
        case _:
            raise EncodingError(Check.ENCODING, "the host says what watchers see")


def encode_dismissal(why: Dismissal) -> bytes:
    """Return the payload of the host's BYE."""
    return pack([why.value])


def decode_dismissal(payload: bytes) -> Dismissal:
    """Return why the host ends the link.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(payload):
        case [str(why)] if why in {each.value for each in Dismissal}:
            return Dismissal(why)
        case _:
            raise EncodingError(Check.ENCODING, "a dismissal gives one of its reasons")
