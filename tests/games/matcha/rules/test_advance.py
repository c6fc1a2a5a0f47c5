"""A game with both hands known goes as one whose cards are turned up one by one."""

import pytest

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.matcha.rules.game import advance
from matcha_p2p.games.matcha.rules.notation import parse_move
from matcha_p2p.games.matcha.rules.phases import Placing


@pytest.mark.parametrize(
    "course",
    [
        "1a 1a 2b 2b 3c 3c 4d 4d",
        "1a 1b 2b 2a",
        "1a 1a 2b p",
        "1a 1a p 2b",
        "1a 2b p p",
        "p p",
    ],
)
def test_due_cards_are_turned_up_at_once(board, edition, course):
    table = board(edition)
    game = table.game
    for text in course.split():
        game = advance(game, parse_move(text), table.hands)
        assert game == table.play(text).game
        assert isinstance(game.phase, Placing)


def test_the_rules_hold(board, edition):
    table = board(edition)
    with pytest.raises(IllegalMoveError) as refused:
        advance(table.game, parse_move("1c"), table.hands)
    assert refused.value.rule == "R7"


def test_hands_that_cannot_have_been_dealt_are_refused(board, edition):
    table = board(edition).place("1a 1a 2b")
    twins = (table.hands[0], (table.hands[1][0], table.hands[0][1], *table.hands[1][2:]))
    with pytest.raises(ValueError, match="lies open twice"):
        advance(table.game, parse_move("2b"), twins)
