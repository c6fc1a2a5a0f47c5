"""The seats' wishes after a game: AGAIN and OPEN.

AGAIN (PEER#next-table) names the keys of its seat for the next game. The session key of the
finished game signs the wish, so the next roster needs no lobby. The new session key signs the
keys too: so no seat can name the session key of another. OPEN (PEER#afterwards) is an
offer to open the seat's book.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from matcha_p2p.crypto import signature
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.seats import LEAST_SEATS, MOST_SEATS, Seat
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.signed import parse_signed, sign

_AGAIN: Final = b"matcha/v1/again\0"
_NEXT_KEYS: Final = b"matcha/v1/again keys\0"
_OPEN: Final = b"matcha/v1/open\0"


class NextKeys(NamedTuple):
    """The public keys of a seat for the next game."""

    session: bytes
    link: bytes


@dataclass(frozen=True, slots=True)
class AgainWord:
    """Whether ``seat`` wishes another game.

    run: of the author's program, 0 if the program began the game. keys: for the next game, or
    None if the seat leaves and plays no other game.
    """

    seat: Seat
    run: int
    keys: NextKeys | None
    encoded: bytes


@dataclass(frozen=True, slots=True)
class OpenWord:
    """``seat`` has the whole game, and opens its book if all seats do. No seat can withdraw."""

    seat: Seat
    encoded: bytes


def sign_again(
    rid: RosterId, seat: Seat, run: int, following: tuple[NextKeys, bytes] | None, seed: bytes
) -> AgainWord:
    """Return the AGAIN of ``seat``. seed: of the seat's session key in the finished game.

    following: the keys for the next game, and the seed of the new session key.
    """
    if following is None:
        return AgainWord(seat, run, None, sign(_AGAIN + rid, [seat, run, []], seed))
    keys, next_seed = following
    proof = signature.sign(next_seed, _owned(rid, seat, run, keys))
    encoded = sign(_AGAIN + rid, [seat, run, [*keys, proof]], seed)
    return AgainWord(seat, run, keys, encoded)


def _owned(rid: RosterId, seat: int, run: int, keys: NextKeys) -> bytes:
    """Return what the new session key signs."""
    return _NEXT_KEYS + rid + pack([seat, run, *keys])


def parse_again(encoded: bytes, rid: RosterId, keys: Sequence[bytes]) -> AgainWord:
    """Return the AGAIN in ``encoded``. keys: the session keys of the seats.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
        ProofError: E_KEY, E_SIG.
    """
    signed, body = parse_signed(_AGAIN + rid, encoded)
    match body:
        case [int(seat), int(run), []] if seat < MOST_SEATS:
            following = None
        case [int(seat), int(run), [bytes(session), bytes(link), bytes(proof)]] if (
            seat < MOST_SEATS
            and len(session) == len(link) == signature.KEY_SIZE
            and len(proof) == signature.SIZE
        ):
            signature.check_key(session)
            following = NextKeys(session, link)
            signature.verify(session, _owned(rid, seat, run, following), proof)
        case _:
            raise EncodingError(Check.ENCODING, "an AGAIN is seat, run and keys or none")
    signed.check_author(seat, keys)
    return AgainWord(Seat(seat), run, following, encoded)


def write_next(roster: bytes, agains: Sequence[bytes]) -> bytes:
    """Return the frame of the next roster. agains: the AGAINs by seat, encoded."""
    return pack([roster, [*agains]])


def read_next(payload: bytes) -> tuple[bytes, list[bytes]]:
    """Return the next roster and the AGAINs of a frame, all encoded and unchecked.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
    """
    match unpack(payload):
        case [bytes(roster), [*words]] if LEAST_SEATS <= len(words) <= MOST_SEATS:
            agains = [word for word in words if isinstance(word, bytes)]
            if len(agains) == len(words):
                return roster, agains
        case _:
            pass
    raise EncodingError(Check.ENCODING, "a next roster is a roster and an AGAIN of each seat")


def sign_open(rid: RosterId, seat: Seat, seed: bytes) -> OpenWord:
    """Return the OPEN of ``seat``. seed: of the seat's session key in the finished game."""
    return OpenWord(seat, sign(_OPEN + rid, [seat], seed))


def parse_open(encoded: bytes, rid: RosterId, keys: Sequence[bytes]) -> OpenWord:
    """Return the OPEN in ``encoded``. keys: the session keys of the seats.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING.
        ProofError: E_SIG.
    """
    signed, body = parse_signed(_OPEN + rid, encoded)
    match body:
        case [int(seat)] if seat < MOST_SEATS:
            signed.check_author(seat, keys)
            return OpenWord(Seat(seat), encoded)
        case _:
            raise EncodingError(Check.ENCODING, "an OPEN is a seat")
