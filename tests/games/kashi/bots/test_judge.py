"""A turn is judged against the turn of keen by games to their end."""

import random

import pytest

from matcha_p2p.games.kashi.bots import judge
from matcha_p2p.games.kashi.bots.keen import KEEN
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.seats import Seat
from tests.games.kashi.rules.positions import position


@pytest.mark.parametrize(
    ("loss", "games"), [(judge.MISTAKE - 1, judge.FEW), (judge.MISTAKE, judge.GAMES)]
)
def test_games_stop_early_unless_the_turn_loses_as_much_as_a_mistake(monkeypatch, loss, games):
    played: list[int] = []

    def lead(game, seat, number):
        played.append(number)
        return -loss if len(played) % 2 else 0  # the turn that was made comes first

    monkeypatch.setattr(judge, "_lead", lead)
    found = judge.judged(position(), Seat(0), (moves.TAKE_GOLD,))
    assert played == [number for number in range(games) for _ in range(2)]
    assert found.loss == loss
    assert found.is_mistake is (games == judge.GAMES)


def test_turn_of_keen_loses_nothing_without_a_game(monkeypatch):
    monkeypatch.setattr(judge, "_lead", None)
    outlook = Outlook(position(), Seat(0))
    chosen = KEEN.choose(outlook, random.Random(0))
    assert isinstance(chosen, moves.TakeTurn)
    assert judge.judged(*outlook, chosen.actions).loss == 0
