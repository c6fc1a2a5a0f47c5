"""The next game of the same two players, on the same link (SPEC#rematch)."""

from dataclasses import replace

from matcha_p2p.crypto.sponge import H
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.link_keys import rematch_psk
from matcha_p2p.session.news import Finished
from matcha_p2p.table.seat import Secrets
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.names import GameId


def next_binding(link: Binding, gid: GameId) -> Binding:
    """Return the binding of the next game's chain, on ``link`` and after the game ``gid``."""
    return Binding(H("again", link, gid))


def next_score(score: tuple[int, int], before: Chain, ending: Finished) -> tuple[int, int]:
    """Return the games won, by us and by the peer, after the game of ``before``."""
    ours, theirs = score
    winners = ending.ended.winners
    return ours + (before.seat in winners), theirs + (before.peer in winners)


def next_chain(before: Chain, link: Binding, secrets: Secrets) -> Chain:
    """Begin the game after the game of ``before``, with the known addresses of both seats."""
    _, order = before.next()
    seats = {seat: Seat(order.index(seat)) for seat in order}
    gid = before.table.gid
    chain = Chain.begin(
        seats[before.seat], secrets, next_binding(link, gid), rematch_psk(before.psk, gid)
    )
    return replace(chain, ways={seats[seat]: way for seat, way in before.ways.items()})
