"""The next game of the same players, on the same links (SPEC#rematch, SPEC#next-table)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import CheckError
from matcha_p2p.games import find
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.link_keys import rematch_psk
from matcha_p2p.session.news import Again, Finished
from matcha_p2p.table.greeting import roster_game
from matcha_p2p.table.seat import Secrets
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire import roster as wire_roster
from matcha_p2p.wire.names import GameId, RosterId


@dataclass(frozen=True, slots=True)
class NextRoster:
    """The roster of the next game but for its signature; the seats stay (SPEC#next-table)."""

    nonce: bytes
    game: wire_roster.RosterGame
    seats: tuple[wire_roster.RosterSeat, ...]

    @classmethod
    def of(cls, chain: Chain) -> Self | None:
        """Return the roster that all seats have wished, or None."""
        wishes, before = chain.words.wishes(), chain.state.roster
        game = find(chain.table.game.name, chain.next()[0], len(chain.table.seats))
        if before is None or game is None or len(wishes) < len(before.seats):
            return None
        seats = list[wire_roster.RosterSeat]()
        for seat, listed in enumerate(before.seats):
            keys = wishes[Seat(seat)].keys
            if keys is None:
                return None
            seats.append(replace(listed, session_key=keys.session, link_key=keys.link))
        wished = [wishes[seat].encoded for seat in chain.table.seats]
        nonce = next_nonce(before.id, wished)
        return cls(nonce, roster_game(game), tuple(seats))

    def sign(self, seed: bytes) -> wire_roster.Roster | None:
        """Return the roster, or None if two seats gave the same key. seed: of seat 0."""
        roster = wire_roster.sign_roster(self.nonce, self.game, self.seats, seed)
        return roster if self.fits(roster.encoded) else None

    def fits(self, encoded: bytes) -> bool:
        """Tell whether ``encoded`` is this roster, signed."""
        try:
            roster = wire_roster.parse_roster(encoded)
        except CheckError:
            return False
        return (roster.nonce, roster.game, roster.seats) == (self.nonce, self.game, self.seats)


def next_nonce(rid: RosterId, wished: Sequence[bytes]) -> bytes:
    """Return the nonce of the next roster. wished: the AGAINs by seat, encoded."""
    return H("next roster", rid, *wished)


def next_binding(link: Binding, gid: GameId) -> Binding:
    """Return the binding of the next game's chain, on ``link`` and after the game ``gid``."""
    return Binding(H("again", link, gid))


def next_seating(before: Chain) -> tuple[Seat, ...]:
    """Return who sits where in the next game; larger tables keep their seats."""
    _, order = before.next()
    return order if len(order) == 2 else before.table.seats


def next_wins(wins: tuple[int, ...], before: Chain, ending: Finished) -> tuple[int, ...]:
    """Return the games won by each seat of the next game, after the game of ``before``."""
    return tuple([wins[seat] + (seat in ending.ended.winners) for seat in next_seating(before)])


def next_chain(before: Chain, again: Again, secrets: Secrets) -> Chain:
    """Begin the game after the game of ``before``, with the known addresses of all seats.

    secrets: of our seat; at a table of more than two, the secrets of the wish count.
    """
    order = next_seating(before)
    seats = {seat: Seat(order.index(seat)) for seat in order}
    gid = before.table.gid
    psk = rematch_psk(before.psk, gid)
    match again.table:
        case None:
            (link,) = again.links
            binding = next_binding(link.binding, gid)
            chain = Chain.begin(seats[before.seat], secrets, binding, psk)
        case table:
            roster = table.roster
            chain = Chain.begin(
                seats[before.seat], table.own.secrets, Binding(roster.id), psk, roster
            )
    return replace(chain, ways={seats[seat]: way for seat, way in before.ways.items()})
