"""What a seat tells all seats beside the game: TALK, and where to dial, WAY.

Both words are signed, so that neighbours can pass the words on. A word counts at one table,
once, as its author's (PEER#talk, PEER#direct).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.wire import talk
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.signed import parse_signed, sign

_TALK: Final = b"matcha/v1/talk\0"
_WAY: Final = b"matcha/v1/way\0"


@dataclass(frozen=True, slots=True)
class SaidWord:
    """``seat`` says something. run: of the author's program. number: of its earlier words."""

    seat: Seat
    run: int
    number: int
    said: talk.Say | talk.Phrase
    encoded: bytes

    @property
    def place(self) -> tuple[int, int]:
        """The place among the words of this seat: a later word is greater."""
        return self.run, self.number


def sign_said(
    rid: RosterId, seat: Seat, place: tuple[int, int], said: talk.Say | talk.Phrase, seed: bytes
) -> SaidWord:
    """Return the TALK of ``seat``. place: run and number. seed: of the seat's session key."""
    body: Value = [seat, *place, talk.write_spoken(said)]
    return SaidWord(seat, *place, said, sign(_TALK + rid, body, seed))


def parse_said(encoded: bytes, rid: RosterId, keys: Sequence[bytes]) -> SaidWord:
    """Return the word in ``encoded``, cleaned. keys: the session keys of the seats.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
        ProofError: E_SIG.
    """
    signed, body = parse_signed(_TALK + rid, encoded)
    match body:
        case [int(seat), int(run), int(number), [*words]] if seat < MOST_SEATS:
            said = talk.read_spoken(words)
        case _:
            raise EncodingError(Check.ENCODING, "a TALK is seat, run, number and words")
    signed.check_author(seat, keys)
    return SaidWord(Seat(seat), run, number, said, encoded)


@dataclass(frozen=True, slots=True)
class WayWord:
    """``seat`` waits for links of the other seats at ``way``. run, number: as in SaidWord."""

    seat: Seat
    run: int
    number: int
    way: talk.PeerAddresses
    encoded: bytes

    @property
    def place(self) -> tuple[int, int]:
        """The place among the words of this seat: a later word is greater."""
        return self.run, self.number


def sign_way(
    rid: RosterId, seat: Seat, place: tuple[int, int], way: talk.PeerAddresses, seed: bytes
) -> WayWord:
    """Return the WAY of ``seat``. place: run and number. seed: of the seat's session key."""
    body: Value = [seat, *place, talk.write_endpoints(way.endpoints)]
    return WayWord(seat, *place, way, sign(_WAY + rid, body, seed))


def parse_way(encoded: bytes, rid: RosterId, keys: Sequence[bytes]) -> WayWord:
    """Return the word in ``encoded``. keys: the session keys of the seats.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
        ProofError: E_SIG.
    """
    signed, body = parse_signed(_WAY + rid, encoded)
    match body:
        case [int(seat), int(run), int(number), [*places]] if seat < MOST_SEATS:
            way = talk.PeerAddresses(talk.read_endpoints(places))
        case _:
            raise EncodingError(Check.ENCODING, "a WAY is seat, run, number and places")
    signed.check_author(seat, keys)
    return WayWord(Seat(seat), run, number, way, encoded)


def author_of(encoded: bytes) -> int | None:
    """Return the seat that a word of any kind names, unchecked; None if unreadable."""
    try:
        _, body = parse_signed(_TALK, encoded)
    except EncodingError:
        return None
    match body:
        case [int(seat), *_] if seat < MOST_SEATS:
            return seat
        case _:
            return None
