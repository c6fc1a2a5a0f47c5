"""The quick copy of the rules by which keen plays on."""

import random

import pytest

from matcha_p2p.games.tichu.bots.arena import OpenRound, deal
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.bots.solving.endings import play_out
from matcha_p2p.games.tichu.rules.actions import Lay
from matcha_p2p.games.tichu.rules.combinations import combination
from matcha_p2p.games.tichu.rules.moves import Play
from matcha_p2p.games.tichu.rules.round import SEATS, Variant
from matcha_p2p.games.tichu.rules.scoring import score
from tests.games.tichu.rules.table import faces, opened


@pytest.mark.parametrize("seed", range(12))
def test_last_play_brings_what_the_rules_count(seed):
    table = OpenRound(Variant(), SEATS[seed % 4], deal(random.Random(seed)))
    rng, before = random.Random(seed), None
    while (seat := table.state.speaker) is not None:
        hands = [tuple(table.seen(each).held.values()) for each in SEATS]
        move = BOTS["casual"].choose(table.seen(seat), rng)
        if isinstance(move, Lay):
            faces = tuple(table.hands[seat][place] for place in move.places)
            made = combination(faces, move.wild, table.state.under)
            before = table.state, seat, [hands], [Play(made, faces, move.wild)]
        table.take(seat, move)
    points = score(table.state)
    assert play_out(*before) == [[points[before[1] % 2] - points[1 - before[1] % 2]]]


def brought(hands, card, wish=0):
    """Return what the lead of a card brings to the team of seat 0."""
    state, known = opened(*hands)
    play = Play(combination(faces(card), 0, None), tuple(faces(card)))
    ((points,),) = play_out(state, SEATS[0], [known], [play], wish)
    return points


def test_pair_is_broken_to_stop_an_enemy_with_one_card():
    """A king takes the five, then seat 1 is out, and all that is not won is lost by seat 0."""
    assert brought(["M R5", "RK GK", "R2 G2", "R3 G3"], "R5") == -100


def test_pair_stays_whole_while_no_enemy_is_about_to_go_out():
    """Seat 0 takes its five and is out first; then seat 1 leads two kings."""
    hands = ["M R5 R6 G6 R7 G7", "RK GK R4 G4", "R2 G2 R8 G8", "R3 G3 R9 G9"]
    assert brought(hands, "R5") == 5 - 20 - 75


@pytest.mark.parametrize(("wish", "points"), [(13, -200), (12, -100)])
def test_wish_takes_a_card_out_of_its_pair(wish, points):
    """The king takes the trick, and seat 1 is out before seat 0; nobody has a queen."""
    hands = ["M R6 G6 R7 G7", "RK GK R4 G4", "R2 G2 R8 G8", "R3 G3 R9 G9"]
    assert brought(hands, "M", wish) == points
