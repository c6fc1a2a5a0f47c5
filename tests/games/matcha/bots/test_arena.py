"""Bots against bots: dealing, counting, and that a seed repeats a game."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from matcha_p2p.errors import BotError
from matcha_p2p.games.matcha.bots.arena import (
    MatchResult,
    arena,
    deal_cards,
    elo_of,
    play_game,
    rate_of,
)
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.rules.cards import DECK, FACES, ZERO, Face
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020
from matcha_p2p.games.matcha.rules.moves import Keep, Pass
from matcha_p2p.games.matcha.rules.notation import faces
from matcha_p2p.games.matcha.rules.phases import Ended, How
from matcha_p2p.games.matcha.rules.seats import SEATS

UNIFORM, GREEDY = BOTS["uniform"], BOTS["greedy"]


class Scripted:
    """A bot that always gives the same answer."""

    name = "scripted"

    def __init__(self, move):
        self.move = move

    def choose(self, *_):
        return self.move


@pytest.mark.parametrize("kept", [("", ""), ("Z", "T1 T2"), ("Z B1", "Z"), ("T1 Z Z", "")])
def test_deal_is_all_cards_kept_ones_in_their_hand_no_zero_on_the_table(kept):
    """R6, R16, A10."""
    kept = faces(kept[0]), faces(kept[1])
    for seed in range(50):
        table, hands = deal_cards(kept, random.Random(seed))
        assert len(set(table)) == 6
        assert ZERO not in table
        assert [len(hand) for hand in hands] == [5, 5]
        for own, hand in zip(kept, hands, strict=True):
            assert not Counter(own) - Counter(hand)
        aside = Counter(DECK) - Counter([*table, *hands[0], *hands[1]])
        assert aside.total() == 2


def test_ten_suited_cards_kept_leave_the_other_six_for_the_table():
    """A10: the extreme case. The zeros are aside."""
    kept = faces("T1 T2 T3 T4 B1"), faces("B2 B3 B4 W1 W2")
    table, hands = deal_cards(kept, random.Random(1))
    assert {card.name for card in table} == {"W3", "W4", "S1", "S2", "S3", "S4"}
    assert [set(hand) for hand in hands] == [set(own) for own in kept]


def test_every_card_lies_anywhere_equally_often():
    """R6: six of the sixteen others are on the table; two of the twelve left are zeros."""
    rng, deals = random.Random(1), 6000
    zeros, tables, pairs = Counter[int](), Counter[Face](), 0
    for _ in range(deals):
        table, hands = deal_cards(((), ()), rng)
        tables.update(table)
        zeros.update(at for at, card in enumerate((*hands[0], *hands[1])) if card is ZERO)
        pairs += hands[0].count(ZERO) == 2
    assert [zeros[at] / deals for at in range(10)] == pytest.approx([1 / 6] * 10, abs=0.02)
    assert [tables[card] / deals for card in FACES[:16]] == pytest.approx(
        [6 / 16] * 16, abs=0.02
    )
    assert pairs / deals == pytest.approx(10 / 66, abs=0.02)


def test_slot_does_not_tell_the_kept_card():
    """A29."""
    kept = faces("T1")
    slots = {
        deal_cards((kept, ()), random.Random(seed))[1][0].index(*kept) for seed in range(40)
    }
    assert slots == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("edition", [EDITION_2015, EDITION_2020], ids=lambda it: it.name)
def test_seed_repeats_a_game(edition):
    first, second = (play_game(edition, (GREEDY, UNIFORM), 5, SEATS[1]) for _ in range(2))
    assert first == second
    assert isinstance(first.phase, Ended)


def test_arena_counts_every_game():
    score = arena(EDITION_2015, (UNIFORM, UNIFORM), range(12), 2)
    assert score.games == 24
    assert sum(score.how.values()) == 24
    assert score.mean_sets >= 1


class Recorded:
    """A uniform bot that notes its seat and the dealer."""

    name = "recorded"

    def __init__(self):
        self.places = []

    def choose(self, observation, rng):
        game = observation.game
        if game.number == 1 and not game.rounds[0].turns:
            self.places.append((observation.seat, game.dealer))
        return UNIFORM.choose(observation, rng)


def test_bots_take_turns_with_seats_and_with_the_first_deal():
    bots = Recorded(), Recorded()
    arena(EDITION_2020, bots, range(4), 3)
    assert Counter(bots[0].places) == Counter({(0, 0): 2, (1, 1): 2})
    assert Counter(bots[1].places) == Counter({(0, 0): 2, (1, 1): 2})


def test_draw_is_half_a_point():
    score = MatchResult(wins=6, losses=2, draws=2, sets=20, how={How.DRAW: 2})
    assert (score.win_rate, score.mean_sets) == (0.7, 2.0)


def test_interval_is_that_of_wilson():
    """A known value: 81 of 263."""
    low, high = MatchResult(wins=81, losses=182, draws=0, sets=263, how={}).interval
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_more_games_make_the_interval_narrower():
    reaches = [
        high - low
        for low, high in (MatchResult(wins=n, losses=n).interval for n in (5, 50, 500))
    ]
    assert all(after < before for before, after in pairwise(reaches))


def test_bot_that_answers_out_of_place_is_refused():
    keeping, passing = Scripted(Keep(frozenset())), Scripted(Pass())
    with pytest.raises(ValueError, match="while it is to move"):
        play_game(EDITION_2020, (keeping, keeping), 0)
    with pytest.raises(ValueError, match="while cards are kept"):
        play_game(EDITION_2015, (passing, passing), 0)


class Hands:
    """A bot that passes, and notes the cards of each seat."""

    name = "hands"

    def __init__(self):
        self.seen = {}

    def choose(self, observation, _):
        game = observation.game
        self.seen[game.number, observation.seat] = (game.table, observation.hand)
        for number, hand in observation.earlier:
            assert self.seen[number, observation.seat][1] == hand
        assert len(game.past) == len(observation.earlier) == game.number - 1
        return Pass()


def test_both_games_of_a_pair_have_the_same_cards():
    first, second = Hands(), Hands()
    for bots in ((first, GREEDY), (GREEDY, second)):
        play_game(EDITION_2020, bots, "pair")
    for number in {number for number, _ in first.seen} & {number for number, _ in second.seen}:
        assert first.seen[number, SEATS[0]][0] == second.seen[number, SEATS[1]][0]


def test_parts_of_a_match_add_up_to_it():
    """Several processes may therefore share a match."""
    whole = arena(EDITION_2020, (GREEDY, UNIFORM), range(10), 1)
    first, second = (
        arena(EDITION_2020, (GREEDY, UNIFORM), part, 1) for part in (range(4), range(4, 10))
    )
    assert first + second == whole
    assert sum(whole.pairs) == 10


def test_bot_that_fails_resigns():
    class Failing:
        name = "failing"

        def choose(self, *_):
            raise BotError("It has died.")

    score = arena(EDITION_2020, (Failing(), GREEDY), range(2), 1)
    assert (score.losses, dict(score.how)) == (4, {How.RESIGNED: 4})


def test_elo_is_that_of_the_logistic_curve():
    assert elo_of(0.5) == 0
    assert round(elo_of(10 / 11)) == 400
    assert rate_of(elo_of(0.6)) == pytest.approx(0.6)
    score = MatchResult(pairs=(10, 0, 60, 0, 30), wins=120, losses=80)
    elo, low, high = score.elo
    assert low < elo < high
    assert elo == pytest.approx(elo_of(0.6))


def test_likelihood_ratio_names_the_stronger_bot():
    """A match won by far speaks for the higher difference, an even one for the lower."""
    won = MatchResult(pairs=(5, 0, 40, 0, 55), wins=150, losses=50)
    even = MatchResult(pairs=(25, 0, 50, 0, 25), wins=100, losses=100)
    assert won.log_likelihood_ratio(0, 50) > 2
    assert even.log_likelihood_ratio(0, 50) < 0
    assert MatchResult(pairs=(1, 0, 0, 0, 1), wins=2, losses=2).log_likelihood_ratio(0, 50) > -1


def test_lead_of_few_pairs_is_smaller_and_less_sure_than_that_of_many():
    few, many = (MatchResult((0, 0, 0, number, number)).lead for number in (1, 100))
    assert 0 < few.value < many.value
    assert few.error > 5 * many.error
    assert many.value == pytest.approx(MatchResult((0, 0, 0, 100, 100), 350, 50).elo[0], abs=10)
    assert MatchResult((1, 0, 2, 0, 1)).lead.value == pytest.approx(0, abs=1e-9)
