"""A table with open hands, so that a test can say in a line what is dealt and played."""

import pytest

from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020
from matcha_p2p.games.matcha.rules.game import deal, keep, new_game, place, reveal
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.notation import faces, parse_move
from matcha_p2p.games.matcha.rules.phases import Revealing

TABLE = "T1 B2 W3 S4 T4 B1"
HANDS = ("T2 B3 W1 S2 Z", "T3 B4 W2 S1 Z")


class Board:
    """A game and both hands. Moves are written as in notation.py; due cards open at once."""

    def __init__(self, edition, table=TABLE, hands=HANDS, dealer=0):
        self.hands = tuple(faces(hand) for hand in hands)
        self.game = deal(new_game(edition, dealer), faces(table))

    @property
    def phase(self):
        return self.game.phase

    @property
    def last_round(self):
        """The round resolved last."""
        return [played for played in self.game.rounds if played.resolutions][-1]

    def place(self, text):
        for move in text.split():
            self.game = place(self.game, parse_move(move))
        return self

    def play(self, text):
        """Make the moves, and turn up every card that falls due."""
        for move in text.split():
            self.place(move).open()
        return self

    def open(self):
        if isinstance(self.phase, Revealing):
            running = self.game.rounds[-1]
            for seat, mats in enumerate(self.phase.due):
                opened = {mat: self.hands[seat][running.slot_at(seat, mat)] for mat in mats}
                self.game = reveal(self.game, seat, opened)
        return self

    def keep(self, *slots):
        """Let each seat keep a set of slots."""
        self.game = keep(self.game, tuple(frozenset(own) for own in slots))
        return self

    def next_deal(self, table=TABLE):
        self.game = deal(self.game, faces(table))
        return self

    def having(self, first, second=(0, 0, 0, 0, 0), **changes):
        """Give both seats tokens, and change the game otherwise."""
        self.game = self.game._replace(tokens=(first, second), **changes)
        return self

    def laid(self):
        """Every card laid in this set, as (seat, mat)."""
        return [
            (turn.seat, turn.move.mat)
            for played in self.game.rounds
            for turn in played.turns
            if isinstance(turn.move, Play)
        ]


@pytest.fixture
def board():
    """Return what makes a table from an edition, the cards shown, the hands, the dealer."""
    return Board


@pytest.fixture(params=[EDITION_2015, EDITION_2020], ids=lambda edition: edition.name)
def edition(request):
    """Each edition in turn."""
    return request.param
