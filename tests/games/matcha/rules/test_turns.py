"""R5 to R11: dealing, who moves when, what may be laid where, and passes."""

import pytest

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020, EDITIONS
from matcha_p2p.games.matcha.rules.game import deal, legal_moves, new_game, place
from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.rules.notation import faces, move_text
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Placing


def moves(board):
    return [move_text(move) for move in legal_moves(board.game)]


def turns(board, number):
    return [
        f"{turn.seat}{move_text(turn.move)}{'!' if turn.auto else ''}"
        for turn in board.game.rounds[number - 1].turns
    ]


def test_editions_are_known_by_name():
    assert {name: edition.name for name, edition in EDITIONS.items()} == {
        "2015": "2015",
        "2020": "2020",
    }


def test_new_game_awaits_six_table_cards(edition):
    game = new_game(edition, 1)
    assert (game.phase, game.dealer, game.table, game.rounds) == (AwaitingDeal(), 1, (), ())
    assert legal_moves(game) == ()


def test_all_six_table_cards_are_open_before_the_first_turn(board, edition):
    """R6, A24."""
    table = board(edition)
    assert [card.name for card in table.game.table] == ["T1", "B2", "W3", "S4", "T4", "B1"]
    assert [len(hand) for hand in table.game.hands] == [5, 5]
    assert not table.game.rounds[0].turns


@pytest.mark.parametrize(
    "table",
    [
        "T1 B2 W3 S4 T4",
        "T1 B2 W3 S4 T4 T1",
        "T1 B2 W3 S4 T4 Z",
        "T1 B2 W3 S4 T4 B1 B3",
        "T1 B2 W3 S4 T4 B1 B1",
    ],
)
def test_table_that_cannot_be_is_refused(edition, table):
    """R6: six different cards, no zero."""
    with pytest.raises(ValueError, match="six different cards"):
        deal(new_game(edition, 0), faces(table))


def test_deal_out_of_time_is_refused(board, edition):
    game = board(edition).game
    with pytest.raises(ValueError, match="no deal is due"):
        deal(game, game.table)


def test_moves_are_each_card_to_each_mat_of_the_pair_and_the_pass(board, edition):
    """R7, R9, A16: in a fixed order."""
    at_a = [f"{slot}a" for slot in range(1, 6)]
    at_b = [f"{slot}b" for slot in range(1, 6)]
    table = board(edition)
    assert moves(table) == [*at_a, *at_b, "p"]
    table.play("2a")
    assert moves(table) == [*at_a, *at_b, "p"]
    table.play("1b")
    assert moves(table) == ["1b", "3b", "4b", "5b", "p"]


@pytest.mark.parametrize("mat", range(2, 6))
def test_no_card_to_a_future_pair(board, edition, mat):
    """R7."""
    with pytest.raises(IllegalMoveError) as refused:
        place(board(edition).game, Play(mat, 0))
    assert refused.value.rule == "R7"


def test_no_card_to_a_past_pair(board, edition):
    """R7."""
    table = board(edition).play("1a 1b p p")
    assert table.game.rounds[-1].number == 2
    with pytest.raises(IllegalMoveError) as refused:
        table.play("2a")
    assert refused.value.rule == "R7"


def test_one_card_a_mat_and_player(board, edition):
    """R9, A21: but both mats may take one."""
    table = board(edition).play("1a 1a")
    with pytest.raises(IllegalMoveError) as refused:
        table.play("2a")
    assert refused.value.rule == "R9"
    table.play("2b 2b")
    assert table.laid()[:4] == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_card_laid_is_spent(board, edition):
    """R9, A40."""
    table = board(edition).play("1a 1a")
    with pytest.raises(IllegalMoveError) as refused:
        table.play("1b")
    assert refused.value.rule == "R9"


@pytest.mark.parametrize("move", [Pass(), Play(0, 0)])
def test_no_move_while_none_is_due(edition, move):
    with pytest.raises(IllegalMoveError) as refused:
        place(new_game(edition, 0), move)
    assert refused.value.rule == "R10"


@pytest.mark.parametrize("dealer", [0, 1])
def test_dealer_moves_first_in_every_round(board, edition, dealer):
    """R8, A17: whoever moved last."""
    table = board(edition, dealer=dealer)
    passes = "p p" if edition.turns is None else "p p p p"
    for number in (1, 2, 3):
        assert table.game.rounds[-1].number == number
        assert table.phase == Placing(dealer)
        table.play(passes)
    assert table.phase != Placing(dealer)


def test_2015_passing_player_is_out_and_the_other_goes_on(board):
    """R10, A18."""
    table = board(EDITION_2015).play("p 1a")
    assert table.phase == Placing(1)
    table.play("2b")  # both mats used: the pass comes by itself
    assert turns(table, 1) == ["0p", "11a", "12b", "1p!"]
    assert table.game.rounds[-1].number == 2


def test_2015_round_ends_when_both_have_passed(board):
    """R10."""
    table = board(EDITION_2015).play("1a p p")
    assert turns(table, 1) == ["01a", "1p", "0p"]


def test_2015_forced_passes_come_in_turn(board):
    """R11, A19: one after the other, as if both had passed."""
    table = board(EDITION_2015).play("1a 1a 2b 2b")
    assert turns(table, 1) == ["01a", "11a", "02b", "12b", "0p!", "1p!"]


def test_2015_forced_pass_waits_for_its_turn(board):
    """R11: who has used both mats passes when the turn comes, the other still decides."""
    table = board(EDITION_2015).play("1a p 2b")
    assert turns(table, 1) == ["01a", "1p", "02b", "0p!"]


def test_2020_each_player_has_two_turns_despite_passes(board):
    """R10, A18: a play may follow a pass."""
    table = board(EDITION_2020).play("p 1a 1b p")
    assert turns(table, 1) == ["0p", "11a", "01b", "1p"]
    assert table.phase == Placing(0)


def test_2020_empty_hand_passes_its_second_turn_of_round_three(board):
    """R11, A20, A38: the only forced pass of this edition."""
    table = board(EDITION_2020).play("1a 1a 2b 2b 3c 3c 4d 4d 5e 5e")
    assert table.game.number == 2
    assert turns(table, 3) == ["05e", "15e", "0p!", "1p!"]


def test_2015_empty_hand_passes(board):
    """R11, A20: the other, with a card left, still decides."""
    table = board(EDITION_2015).play("1a p 2b 3c p 4d 5e")
    assert table.game.hands == (frozenset(), frozenset(range(5)))
    assert table.phase == Placing(1)
    table.play("1e 2f")
    assert turns(table, 3) == ["05e", "11e", "0p!", "12f", "1p!"]


def test_round_without_contested_mat_is_resolved_at_once(board, edition):
    table = board(edition).play("p p" if edition.turns is None else "p p p p")
    assert table.game.rounds[0].resolutions
    assert table.phase == Placing(0)
