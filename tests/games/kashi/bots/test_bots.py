"""Bots by their names, and what a seat sees and chooses among."""

import random
from itertools import islice

import pytest

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.kashi.bots import NAMES
from matcha_p2p.games.kashi.bots.roster import BOTS
from matcha_p2p.games.kashi.rules.game import choose
from matcha_p2p.games.kashi.rules.moves import StartAt, TakeTurn
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import Ended, Questioning, Starting, Turn
from tests.games.kashi.players import CARELESS, GREEDY, play, step
from tests.games.kashi.rules.positions import BOARD, begun, position


def test_roster_has_each_bot_by_its_name():
    assert tuple(BOTS) == NAMES.names
    assert [bot.name for bot in BOTS.values()] == [*BOTS]
    for name in NAMES.names:
        NAMES.see_it_loads(name)


@pytest.mark.slow
def test_each_level_loses_to_the_next():
    wins = 0
    for seed in range(30):
        chairs = [CARELESS] * 3
        chairs[seed % 3] = GREEDY
        *_, (_, game) = play(BOARD, chairs, seed)
        wins += isinstance(game.phase, Ended) and game.phase.winners == (seed % 3,)
    assert wins > 25


def test_bots_answer_the_idle_question():
    game = begun(idle=1)
    for seat in game.seats:
        game = choose(game, seat, TakeTurn())
    assert isinstance(game.phase, Questioning)
    line, after = step(game, [GREEDY] * 3, random.Random(1))
    assert (line, after.settlements) == ("IDLE 0 settle", 1)


def test_moves_of_an_outlook_are_accepted_and_only_the_seat_due_has_any():
    """Of turns these are the beginnings: every longer turn begins with one of their actions."""
    kinds = set()
    for _, game in islice(play(BOARD, [CARELESS, GREEDY, CARELESS], 4), 0, None, 3):
        for seat in game.seats:
            moves = Outlook(game, seat).legal_moves()
            assert bool(moves) == (seat == game.due)
            for move in moves:
                choose(game, seat, move)
            kinds |= {type(game.phase) for _ in moves}
    assert {Starting, Turn} < kinds
    questioned = begun()._replace(phase=Questioning(begun().seats))
    assert [len(Outlook(questioned, seat).legal_moves()) for seat in begun().seats] == [2, 0, 0]


def test_turn_without_action_points_left_is_the_only_move():
    game = position()
    game = game._replace(phase=Turn(game.next_seat, 0))
    outlook = Outlook(game, game.next_seat)
    assert outlook.legal_moves() == (TakeTurn(),)
    with pytest.raises(IllegalMoveError, match="K50"):
        choose(game, game.next_seat, StartAt(BOARD.starts[0]))
