"""The host's table before the game: guests come, go and are seated (PEER#lobby). Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from matcha_p2p.errors import LobbyError
from matcha_p2p.lobby.own_seat import OwnSeat
from matcha_p2p.seats import Seat, number_of
from matcha_p2p.table.game import TableGame
from matcha_p2p.table.greeting import roster_game
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.lobby import PACES, Lobby, parse_join
from matcha_p2p.wire.roster import Roster, RosterSeat, check_different, sign_roster


@dataclass(frozen=True, slots=True)
class HostTable:
    """own: seat 0. guests: the guest of each link. bots: the bots of this program.

    places: the seats kept for called friends, by identity key.
    """

    own: OwnSeat
    lobby: Lobby
    guests: Mapping[Binding, RosterSeat] = field(default_factory=dict[Binding, RosterSeat])
    bots: tuple[OwnSeat, ...] = ()
    places: Mapping[bytes, Seat] = field(default_factory=dict[bytes, Seat])

    @classmethod
    def of_game(
        cls, game: TableGame, own: OwnSeat, psk: Psk, places: Mapping[bytes, Seat] | None = None
    ) -> Self:
        """Return a table at which only the host sits. psk: of the table."""
        empty = (None,) * (game.seats - 1)
        lobby = Lobby(roster_game(game), (own.listed, *empty), psk)
        return cls(own, lobby, places=places or {})

    def join(self, binding: Binding, payload: bytes) -> Self | None:
        """Return the table after the JOIN ``payload`` on the link with ``binding``.

        A guest who says the same JOIN again, on another link, keeps the seat. If the guest sits
        here by another name, return None.

        Raises:
            CheckError: the JOIN is malformed, or has a key of another seat.
            LobbyError: every seat is taken.
        """
        guest = parse_join(payload, binding)
        same = [each for each in self.guests.values() if each.session_key == guest.session_key]
        if same not in ([], [guest]):
            return None
        if same:
            others = {link: each for link, each in self.guests.items() if each != guest}
            return replace(self, guests={**others, binding: guest})
        check_different((*self.lobby.taken, guest))
        table = self._with(self._empty_for(guest.identity), guest)
        return replace(table, guests={**self.guests, binding: guest})

    def leave(self, binding: Binding) -> Self:
        """Return the table after the end of a link; the guest's seat is empty."""
        if binding not in self.guests:
            return self
        guests = dict(self.guests)
        table = self._with(self.seat_of(guests.pop(binding)), None)
        return replace(table, guests=guests)

    def add_bot(self, bot: OwnSeat) -> Self:
        """Return the table with ``bot`` at an empty seat.

        Raises:
            LobbyError: every seat is taken.
        """
        return replace(self._with(self._empty_for(None), bot.listed), bots=(*self.bots, bot))

    def empty(self, seat: Seat) -> Self:
        """Return the table without the guest or bot at ``seat``, which is not the host's.

        Raises:
            LobbyError: the seat is empty.
        """
        sitter = self.lobby.seats[seat]
        if sitter is None:
            raise LobbyError("Seat {seat} is empty.", seat=number_of(seat))
        bots = tuple(bot for bot in self.bots if bot.listed != sitter)
        guests = {link: guest for link, guest in self.guests.items() if guest != sitter}
        return replace(self._with(seat, None), bots=bots, guests=guests)

    def swap(self, one: Seat, other: Seat) -> Self:
        """Return the table with two seats exchanged; an empty seat can move, too.

        Raises:
            LobbyError: the host stays at seat 0.
        """
        if 0 in (one, other):
            raise LobbyError("The host keeps seat 1. Swap two other seats.")
        seats = list(self.lobby.seats)
        seats[one], seats[other] = seats[other], seats[one]
        return replace(self, lobby=replace(self.lobby, seats=tuple(seats)))

    def with_pace(self, pace: int) -> Self:
        """Return the table at which an answer in a window takes ``pace`` seconds.

        Raises:
            LobbyError: no window takes so long.
        """
        if pace not in PACES:
            raise LobbyError("A window takes 1, 2 or 3 seconds.")
        return replace(self, lobby=replace(self.lobby, pace=pace))

    def roster(self, nonce: bytes) -> Roster:
        """Return the signed roster. nonce: 32 fresh random bytes.

        Raises:
            LobbyError: a seat is empty.
        """
        if not self.lobby.full:
            raise LobbyError("A seat is empty. Wait for a guest, or add a bot.")
        seed = self.own.secrets.session
        return sign_roster(nonce, self.lobby.game, self.lobby.taken, seed)

    def seat_of(self, listed: RosterSeat) -> Seat:
        """Return the place of a guest or bot."""
        return Seat(self.lobby.seats.index(listed))

    def _empty_for(self, identity: bytes | None) -> Seat:
        """Return the seat kept for ``identity``, or else the first free empty seat."""
        empty = [Seat(at) for at, sitter in enumerate(self.lobby.seats) if sitter is None]
        if not empty:
            raise LobbyError("Every seat is taken.")
        own = [seat for seat in empty if self.places.get(identity or b"") == seat]
        free = [seat for seat in empty if seat not in self.places.values()]
        return next(iter((*own, *free, *empty)))

    def _with(self, seat: Seat, sitter: RosterSeat | None) -> Self:
        seats = list(self.lobby.seats)
        seats[seat] = sitter
        return replace(self, lobby=replace(self.lobby, seats=tuple(seats)))
