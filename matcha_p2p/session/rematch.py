"""The next game of two who have just played one, on the same link (SPEC#rematch)."""

from dataclasses import replace

from matcha_p2p.crypto.sponge import H
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.view import game_of
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.link_keys import rematch_psk
from matcha_p2p.table.seat import Secrets
from matcha_p2p.table.table import Table
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.names import GameId


def next_seat(table: Table, seat: Seat) -> Seat:
    """Return the next game's seat of ``seat``: the one that did not deal first becomes 0."""
    game = game_of(table)
    moved_on = game.number % 2 == 0  # the deal goes round with every set (R15)
    first_dealer = opposite(game.dealer) if moved_on else game.dealer
    return Seat(1) if seat == first_dealer else Seat(0)


def next_binding(link: Binding, gid: GameId) -> Binding:
    """Return what the next game's chain begins with, on ``link`` and after the game ``gid``."""
    return Binding(H("again", link, gid))


def next_chain(before: Chain, link: Binding, secrets: Secrets) -> Chain:
    """Begin the game after that of ``before``, with the addresses that are known from it."""
    seat = next_seat(before.table, before.seat)
    gid = before.table.gid
    chain = Chain.begin(seat, secrets, next_binding(link, gid), rematch_psk(before.psk, gid))
    ours, theirs = before.ways[before.seat], before.ways[before.peer]
    return replace(chain, ways=(ours, theirs) if seat == 0 else (theirs, ours))
