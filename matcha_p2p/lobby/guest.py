"""The table as a guest sees it before the game (PEER#lobby). Pure."""

from dataclasses import dataclass, replace
from typing import Self

from matcha_p2p.errors import Check, ProofError
from matcha_p2p.lobby.own_seat import OwnSeat
from matcha_p2p.seats import Seat
from matcha_p2p.table.game import Find
from matcha_p2p.table.greeting import roster_game
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.lobby import Lobby, parse_lobby, sign_join
from matcha_p2p.wire.roster import Roster, parse_roster


@dataclass(frozen=True, slots=True)
class GuestTable:
    """own: this guest. binding: of the link to the host. lobby: the newest, None at first."""

    own: OwnSeat
    binding: Binding
    lobby: Lobby | None = None

    @property
    def join(self) -> bytes:
        """The JOIN to send."""
        return sign_join(self.own.listed, self.binding, self.own.secrets.session)

    def hear(self, payload: bytes, find: Find) -> Self:
        """Return the table after a LOBBY.

        Raises:
            CheckError: the LOBBY is malformed, of another host or with another secret than
                before (E_KEY), of an unknown game or of another game than before (E_GAME), or
                lists this guest otherwise (E_ROSTER).
        """
        lobby = parse_lobby(payload, self.binding)
        game = find(lobby.game.name, lobby.game.variant, len(lobby.seats))
        if game is None or roster_game(game) != lobby.game:
            raise ProofError(Check.GAME, "the game of the lobby or its rules are unknown here")
        if self.lobby is not None:
            if _host(lobby) != _host(self.lobby):
                raise ProofError(Check.KEY, "another host than before")
            if lobby.psk != self.lobby.psk:
                raise ProofError(Check.KEY, "another secret of the table than before")
            if (lobby.game, len(lobby.seats)) != (self.lobby.game, len(self.lobby.seats)):
                raise ProofError(Check.GAME, "the lobby changes the game")
        _seat_in(lobby, self.own)
        return replace(self, lobby=lobby)

    def hear_roster(self, payload: bytes) -> tuple[Seat, Roster, Lobby]:
        """Return the guest's seat, the roster, and the newest LOBBY, equal to the roster.

        Raises:
            CheckError: the roster is malformed, or differs from the lobby (E_ROSTER).
        """
        roster = parse_roster(payload)
        if (
            self.lobby is None
            or replace(self.lobby, game=roster.game, seats=roster.seats) != self.lobby
        ):
            raise ProofError(Check.ROSTER, "the roster differs from the lobby that was shown")
        return _seat_in(self.lobby, self.own), roster, self.lobby


def _host(lobby: Lobby) -> bytes:
    return lobby.taken[0].session_key


def _seat_in(lobby: Lobby, own: OwnSeat) -> Seat:
    if own.listed not in lobby.seats[1:]:
        raise ProofError(Check.ROSTER, "the lobby does not list this guest as it is")
    return Seat(lobby.seats.index(own.listed))
