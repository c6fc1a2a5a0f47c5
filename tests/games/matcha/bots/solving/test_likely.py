"""Deals are drawn as likely as the other seat would have made its moves with the deal."""

import random
from statistics import fmean

import pytest

from matcha_p2p.games.matcha.bots.solving.likely import likely_deals
from matcha_p2p.games.matcha.bots.solving.masks import mat_of
from matcha_p2p.games.matcha.bots.solving.search import deals_of, own_bits
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import opposite
from tests.games.matcha.bots.positions import few_or, observations

both = pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)


def decisions(edition, count):
    """Return decisions of rounds 1 and 2, with whether the other seat has decided before."""
    for seen in observations(edition, "likely", games=count):
        game = seen.game
        if isinstance(game.phase, Placing) and len(game.rounds) < 3:
            turns = [it for played in game.rounds for it in played.turns]
            other = opposite(seen.seat)
            yield seen, any(it.seat == other and not it.auto for it in turns)


@both
@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_only_possible_deals_are_drawn(edition, every):
    for seen, decided in [*decisions(edition, 1)][::every]:
        possible = deals_of(seen, own_bits(seen))
        drawn = likely_deals(seen, random.Random(1))
        assert {*drawn} <= {*possible}
        assert (len(drawn) == 4000) == decided
        assert decided or drawn == possible
        assert drawn == likely_deals(seen, random.Random(1))


@few_or(3, few=1)
@both
def test_laid_cards_match_more_often_than_by_chance(edition, count):
    """On average, as greedy plays; habits are of the strong bot, which bluffs."""
    by_chance, by_habit = [], []
    for seen, _ in decisions(edition, count):
        game, other = seen.game, opposite(seen.seat)
        drawn = likely_deals(seen, random.Random(2))
        for turn in game.rounds[-1].turns:
            if turn.seat == other and isinstance(turn.move, Play):
                at, mat = 2 * other + turn.move.mat % 2, turn.move.mat
                matching = mat_of(mat, game.table[mat]).matching
                for deals, found in (
                    (deals_of(seen, own_bits(seen)), by_chance),
                    (drawn, by_habit),
                ):
                    found.append(fmean(bool(laid[at] & matching) for _, laid in deals))
    assert fmean(by_habit) > 1.1 * fmean(by_chance)
