"""What a seat sees when it is asked: the same in the program that began and in a later one."""

import random
from typing import Any

import pytest

from matcha_p2p import games
from matcha_p2p.games.tichu.rules.actions import GiveCards
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import header_of, recall_chain, since
from matcha_p2p.table.table import next_due
from tests.duel import secrets_of
from tests.harness import PSK
from tests.table.party import Party, begun

pytestmark = pytest.mark.slow

MOST = 160
"""Entries of a game: Tichu is past its exchange."""
TABLES = [(game, seats) for game in games.FOLDERS for seats in games.game_of(game).tables]


def copies(seed: str, party: Party) -> list[Chain]:
    """Return each seat's copy of a game in which all have greeted."""
    begun = [
        Chain.begin(player.seat, secrets_of(seed, player.seat), PSK, party.table.roster)
        for player in party.players
    ]
    for entry in party.entries:
        begun = [chain.hear(entry.encoded)[0] for chain in begun]
    return begun


def reopened(chain: Chain) -> Chain:
    """Return the copy of another program, which has the journal alone."""
    return recall_chain(header_of(chain), since(chain, chain.empty))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_seat_sees_after_a_restart_what_it_saw_before(name, seats):
    seed, rng = f"views {name} {seats}", random.Random(seats)
    game = games.find(name, games.game_of(name).variants[0], seats)
    assert game is not None
    party = begun(seed, game)
    chains, asked = copies(seed, party), 0
    gifts: dict[Seat, Any] = {}

    def choose(seat: Seat) -> Any:
        nonlocal asked
        view, asked = chains[seat].view, asked + 1
        assert view is not None
        if asked % 9 == 0:
            assert reopened(chains[seat]).view == view
        if name == "tichu":
            assert view.given == gifts.get(seat, ())
        move = rng.choice(view.legal_moves())
        if isinstance(move, GiveCards):
            gifts[seat] = tuple(view.hand[place] for place in move.places)
        return move

    while len(party.entries) < MOST and next_due(party.table) is not None:
        party.goes_on(choose)
        chains = [chain.hear(party.entries[-1].encoded)[0] for chain in chains]
    assert asked > 10
