"""Rounds of bots: lawful, repeatable, and the same cards for both pairs."""

import random

import pytest

from matcha_p2p.errors import BotError
from matcha_p2p.games.tichu.bots.arena import DealResults, OpenRound, arena, deal, play_round
from matcha_p2p.games.tichu.bots.club import unseen
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.bots.uniform import Uniform
from matcha_p2p.games.tichu.rules.actions import Hold
from matcha_p2p.games.tichu.rules.cards import FACES
from matcha_p2p.games.tichu.rules.round import SEATS, Variant

UNIFORM = Uniform()


def test_deal_gives_each_card_once():
    hands = deal(random.Random(0))
    assert sorted(face for hand in hands for face in hand) == list(FACES)
    assert [len(hand) for hand in hands] == [14] * 4


def test_round_follows_from_its_seed():
    players = (UNIFORM,) * 4
    assert play_round(players, 3) == play_round(players, 3) != play_round(players, 4)


def test_gifts_are_seen_by_giver_and_receiver():
    table = OpenRound(Variant(), SEATS[1], deal(random.Random(5)))
    rng = random.Random(5)
    while table.state.leader is None:
        seat = table.state.speaker
        table.take(seat, UNIFORM.choose(table.seen(seat), rng))
    for seat in SEATS:
        seen = table.seen(seat)
        assert set(seen.received) <= set(seen.hand)
        assert set(seen.given).isdisjoint(seen.hand)
        assert seen.given == table.given[seat]
        for steps, face in enumerate(seen.given, 1):
            assert table.seen(SEATS[(seat + steps) % 4]).received[-steps] == face
        assert seen.hand[-3:] == seen.received  # as at a table (SPEC#tichu)
        assert len(unseen(seen)) == 42


@pytest.mark.parametrize("seed", range(4))
def test_seat_without_a_choice_has_one_legal_answer(seed):
    table, passed_over = OpenRound(Variant(), SEATS[0], deal(random.Random(seed))), 0
    rng = random.Random(seed)
    while (seat := table.state.speaker) is not None:
        seen = table.seen(seat)
        if not table.has_choice(seat):
            passed_over += 1
            assert seen.legal_moves() == (Hold(),)
        table.take(seat, UNIFORM.choose(seen, rng))
    assert passed_over > 20


def test_bot_is_as_good_as_itself():
    """Both rounds of a deal have the same chance, so they are the same round."""
    assert arena((UNIFORM, UNIFORM), range(2), 1).points == (0, 0)


class Failing:
    """A bot whose program fails at its first question after ``answers``."""

    name = "failing"

    def __init__(self, answers):
        self._left = answers

    def choose(self, observation, rng):
        if not self._left:
            raise BotError("The bot is late.")
        self._left -= 1
        return UNIFORM.choose(observation, rng)


@pytest.mark.parametrize("answers", [0, 5])
def test_round_of_a_failing_bot_is_a_double_victory_of_the_others(answers):
    result = arena((Failing(answers), UNIFORM), range(1), 1)
    assert result.points == (-200,)
    assert result.resigned == (2, 0)
    assert [*result.failures] == ["The bot is late."]
    assert arena((UNIFORM, Failing(answers)), range(1), 1).points == (200,)


def test_double_victories_and_calls_are_counted_by_bot():
    result = arena((BOTS["club"], UNIFORM), range(6), 3)
    assert result.doubles[0] > result.doubles[1]
    assert result.calls[0] >= result.calls[1] > 0
    assert result.calls[2:] == (0, 0)  # uniform never calls
    assert (result.won, result.lost, result.units) == (6, 0, 6)


def test_results_add_up_to_a_mean_with_its_interval():
    result = DealResults((10, 20), (1, 0, 2, 2)) + DealResults((60,), (1, 1, 0, 0))
    assert result == DealResults((10, 20, 60), (2, 1, 2, 2))
    assert result.mean == 30
    assert result.reach == pytest.approx(29.94, abs=0.01)
