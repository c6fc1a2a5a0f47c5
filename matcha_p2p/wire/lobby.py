"""What programs say before a game: JOIN and LOBBY (PEER#lobby).

Each guest of a table holds the table's secret, and could play the host. So the signature of a
JOIN or LOBBY covers the binding of the link that carries the statement.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from matcha_p2p.errors import Check, EncodingError, ProofError
from matcha_p2p.seats import LEAST_SEATS, MOST_SEATS
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire import roster
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.signed import parse_signed, sign

_JOIN: Final = b"matcha/v1/join\0"
_LOBBY: Final = b"matcha/v1/lobby\0"
_PSK_SIZE: Final = 32

PACES: Final = (2, 1, 3)
"""The seconds of an answer in a window among which the host chooses, the usual ones first."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """The host's table before the game.

    seats: None for an empty seat; seat 0 is the host's. psk: of the table. A guest that comes
    without the invite has another psk on the link to the host, and learns this one here. pace:
    the seconds of an answer in a window, one of PACES.
    """

    game: roster.RosterGame
    seats: tuple[roster.RosterSeat | None, ...]
    psk: Psk = field(repr=False)
    pace: int = PACES[0]

    @property
    def taken(self) -> tuple[roster.RosterSeat, ...]:
        """The taken seats, the host's first."""
        return tuple(seat for seat in self.seats if seat is not None)

    @property
    def full(self) -> bool:
        """Whether no seat is empty."""
        return None not in self.seats


def sign_join(guest: roster.RosterSeat, binding: Binding, seed: bytes) -> bytes:
    """Return the JOIN of ``guest`` on a link. seed: of the guest's session key."""
    return sign(_JOIN + binding, [roster.VERSION, roster.write_seat(guest)], seed)


def parse_join(encoded: bytes, binding: Binding) -> roster.RosterSeat:
    """Return the guest in a JOIN that came on the link with ``binding``.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING, E_VERSION, E_TEXT.
        ProofError: E_KEY, E_SIG.
    """
    signed, body = parse_signed(_JOIN + binding, encoded)
    match body:
        case [int(version), [*fields]]:
            guest = roster.read_seat(fields)
        case _:
            raise EncodingError(Check.ENCODING, "a JOIN is a version and a seat")
    if version != roster.VERSION:
        raise EncodingError(Check.VERSION, f"a JOIN of version {version} is unknown here")
    if guest.bot:
        raise EncodingError(Check.ENCODING, "a guest is no bot of the host's program")
    roster.check_seat(guest)
    signed.check(guest.session_key)
    return guest


def sign_lobby(lobby: Lobby, binding: Binding, seed: bytes) -> bytes:
    """Return the LOBBY of the host on a link. seed: of the host's session key."""
    seats: list[Value] = [
        [] if seat is None else roster.write_seat(seat) for seat in lobby.seats
    ]
    body: Value = [*roster.write_game(lobby.game), seats, lobby.psk, lobby.pace]
    return sign(_LOBBY + binding, body, seed)


def parse_lobby(encoded: bytes, binding: Binding) -> Lobby:
    """Return the table in a LOBBY that came on the link with ``binding``.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING, E_TEXT.
        ProofError: E_KEY, E_SIG.
    """
    signed, body = parse_signed(_LOBBY + binding, encoded)
    match body:
        case [*game, [*seats], bytes(psk), int(pace)] if (
            LEAST_SEATS <= len(seats) <= MOST_SEATS and len(psk) == _PSK_SIZE and pace in PACES
        ):
            lobby = Lobby(roster.read_game(game), _read_seats(seats), Psk(psk), pace)
        case _:
            raise EncodingError(
                Check.ENCODING, "a LOBBY is game, variant, rules, seats, a secret and a pace"
            )
    host = lobby.seats[0]
    if host is None:
        raise ProofError(Check.KEY, "seat 0 is empty, and so nobody can have signed")
    for seat in lobby.taken:
        roster.check_seat(seat)
    roster.check_different(lobby.taken)
    signed.check(host.session_key)
    return lobby


def _read_seats(values: Sequence[Value]) -> tuple[roster.RosterSeat | None, ...]:
    return tuple([None if value == [] else roster.read_seat(value) for value in values])
