"""The next game of the same players, on the same links (PEER#next-table)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import CheckError
from matcha_p2p.games import find
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.connection.link_keys import rematch_psk
from matcha_p2p.session.news import Again, Finished
from matcha_p2p.session.words import DrawnSeat
from matcha_p2p.table.greeting import roster_game
from matcha_p2p.wire import roster as wire_roster
from matcha_p2p.wire.again import AgainWord, parse_again, read_next, write_next
from matcha_p2p.wire.names import RosterId


@dataclass(frozen=True, slots=True)
class NextRoster:
    """The roster of the next game but for its signature; the seats stay (PEER#next-table)."""

    nonce: bytes
    game: wire_roster.RosterGame
    seats: tuple[wire_roster.RosterSeat, ...]

    @classmethod
    def of(cls, chain: Chain, wishes: Sequence[AgainWord]) -> Self | None:
        """Return the roster that follows from ``wishes`` of all seats, by seat, or None."""
        before = chain.roster
        game = find(chain.table.game.name, chain.next(), len(before.seats))
        if game is None or len(wishes) != len(before.seats):
            return None
        seats = list[wire_roster.RosterSeat]()
        for seat, (listed, wish) in enumerate(zip(before.seats, wishes, strict=True)):
            if wish.keys is None or wish.seat != seat:
                return None
            keys = wish.keys
            seats.append(replace(listed, session_key=keys.session, link_key=keys.link))
        nonce = next_nonce(before.id, [wish.encoded for wish in wishes])
        return cls(nonce, roster_game(game), tuple(seats))

    def sign(self, seed: bytes) -> wire_roster.Roster:
        """Return the signed roster. seed: of seat 0."""
        return wire_roster.sign_roster(self.nonce, self.game, self.seats, seed)


def sign_next(chain: Chain, own: DrawnSeat, links: Sequence[LineUp]) -> Again | None:
    """Return the next game on ``links`` if all seats wish it, signed by our seat 0.

    A seat whose wishes contradict each other plays no other game here.
    """
    words = chain.words
    wishes = [wish for _, wish in sorted(words.wishes().items())]
    following = None if words.contradicted else NextRoster.of(chain, wishes)
    if following is None:
        return None
    roster = following.sign(own.secrets.session)
    frame = write_next(roster.encoded, [wish.encoded for wish in wishes])
    return Again(roster, own, frame, tuple(links))


def hear_next(chain: Chain, frame: bytes) -> tuple[Chain, wire_roster.Roster] | None:
    """Return the chain with the AGAINs of ``frame``, and the roster that they give.

    Of several AGAINs of a seat, seat 0 chooses; so no seat can divide the others by two AGAINs.
    Return None if the frame is refused.
    """
    before = chain.roster
    keys = [listed.session_key for listed in before.seats]
    try:
        encoded, agains = read_next(frame)
        roster = wire_roster.parse_roster(encoded)
        wishes = [parse_again(each, before.id, keys) for each in agains]
    except CheckError:
        return None
    following = NextRoster.of(chain, wishes)
    ours = chain.words.agains.get(chain.seat)
    if following is None or wishes[chain.seat] != ours:
        return None
    if following != NextRoster(roster.nonce, roster.game, roster.seats):
        return None
    return chain.hear_wishes(wishes), roster


def next_nonce(rid: RosterId, wished: Sequence[bytes]) -> bytes:
    """Return the nonce of the next roster. wished: the AGAINs by seat, encoded."""
    return H("next roster", rid, *wished)


def next_wins(wins: tuple[int, ...], before: Chain, ending: Finished) -> tuple[int, ...]:
    """Return the games won by each seat, after the game of ``before``."""
    return tuple([wins[seat] + (seat in ending.ended.winners) for seat in before.seats])


def next_chain(before: Chain, again: Again) -> Chain:
    """Begin the game after the game of ``before``, with the known addresses of all seats."""
    psk = rematch_psk(before.psk, before.table.gid)
    kept = again.roster, before.proxy, before.pace
    chain = Chain.begin(before.seat, again.own.secrets, psk, *kept)
    return replace(chain, ways=before.ways)
