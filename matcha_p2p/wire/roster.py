"""The roster: who sits where at a table (SPEC#roster).

Seat 0 signs the roster before the game. The first entry names the roster by its id, so two
guests with different rosters cannot play one game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, EncodingError, ProofError
from matcha_p2p.seats import LEAST_SEATS, MOST_SEATS
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.signed import parse_signed, sign
from matcha_p2p.wire.text import check_name

VERSION: Final = 1
NONCE_SIZE: Final = 32

_DOMAIN: Final = b"matcha/v1/roster\0"
_HASH_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class RosterSeat:
    """A seat's player, and the public keys of the seat.

    session_key: Ed25519, for one game. link_key: X25519, for later links between two seats.
    identity: a claim, until the seat's greeting shows a certificate. bot: whether the program
    of seat 0 plays this seat.
    """

    name: str
    session_key: bytes
    link_key: bytes
    identity: bytes | None = None
    bot: bool = False


@dataclass(frozen=True, slots=True)
class RosterGame:
    """The game to be played. rules: the digest of its rules."""

    name: str
    variant: str
    rules: bytes


@dataclass(frozen=True, slots=True)
class Roster:
    """The seats of a table, signed by seat 0. nonce: 32 random bytes."""

    nonce: bytes
    game: RosterGame
    seats: tuple[RosterSeat, ...]
    encoded: bytes

    @property
    def id(self) -> RosterId:
        """The hash that entry 0 names; 32 bytes."""
        return RosterId(H("roster", self.encoded))


def parse_roster(encoded: bytes) -> Roster:
    """Return the roster in ``encoded``, with all its checks (SPEC#roster).

    Raises:
        EncodingError: E_LIMIT, E_ENCODING, E_VERSION, E_TEXT.
        ProofError: E_KEY, E_SIG.
    """
    signed, body = parse_signed(_DOMAIN, encoded)
    match body:
        case [int(version), bytes(nonce), *game, [*seats]] if (
            len(nonce) == NONCE_SIZE and LEAST_SEATS <= len(seats) <= MOST_SEATS
        ):
            roster = Roster(nonce, read_game(game), tuple(map(read_seat, seats)), encoded)
        case _:
            raise EncodingError(
                Check.ENCODING, "a roster is version, nonce, game, variant, rules and seats"
            )
    if version != VERSION:
        raise EncodingError(Check.VERSION, f"a roster of version {version} is unknown here")
    for seat in roster.seats:
        check_seat(seat)
    check_different(roster.seats)
    signed.check(roster.seats[0].session_key)
    return roster


def sign_roster(
    nonce: bytes, game: RosterGame, seats: Sequence[RosterSeat], seed: bytes
) -> Roster:
    """Return the roster, signed by the session key of seat 0 with the seed ``seed``."""
    body: Value = [VERSION, nonce, *write_game(game), [*map(write_seat, seats)]]
    return Roster(nonce, game, tuple(seats), sign(_DOMAIN, body, seed))


def write_game(game: RosterGame) -> list[Value]:
    """Return the three fields of ``game``."""
    return [game.name, game.variant, game.rules]


def read_game(fields: list[Value]) -> RosterGame:
    """Return the game of three fields.

    Raises:
        EncodingError: E_ENCODING.
    """
    match fields:
        case [str(name), str(variant), bytes(rules)] if len(rules) == _HASH_SIZE:
            return RosterGame(name, variant, rules)
        case _:
            raise EncodingError(Check.ENCODING, "a game is a name, a variant and rules")


def write_seat(seat: RosterSeat) -> Value:
    """Return the array of ``seat``."""
    keys: list[Value] = [seat.session_key, seat.link_key, seat.identity or b""]
    return [seat.name, *keys, int(seat.bot)]


def read_seat(value: Value) -> RosterSeat:
    """Return the seat in an array; names and keys are not checked yet.

    Raises:
        EncodingError: E_ENCODING.
    """
    match value:
        case [str(name), bytes(session), bytes(link), bytes(identity), (0 | 1) as bot] if len(
            session
        ) == len(link) == signature.KEY_SIZE and len(identity) in (0, signature.KEY_SIZE):
            return RosterSeat(name, session, link, identity or None, bool(bot))
        case _:
            raise EncodingError(
                Check.ENCODING, "a seat is a name, two keys, an identity and 0 or 1"
            )


def check_seat(seat: RosterSeat) -> None:
    """Check the name, the session key and the identity of ``seat``.

    Raises:
        EncodingError: E_TEXT.
        ProofError: E_KEY.
    """
    check_name(seat.name)
    signature.check_key(seat.session_key)
    if seat.identity is not None:
        signature.check_key(seat.identity)


def check_different(seats: Sequence[RosterSeat]) -> None:
    """Check that no two seats have the same session key.

    A copied link key does no harm: its seat alone cannot compute the keys of its links.

    Raises:
        ProofError: E_KEY.
    """
    if len({seat.session_key for seat in seats}) < len(seats):
        raise ProofError(Check.KEY, "two seats have the same key")
