"""R18 to R25: when a game is won, by whom, and how it ends otherwise."""

import pytest

from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020
from matcha_p2p.games.matcha.rules.game import draw, legal_moves, new_game, resign
from matcha_p2p.games.matcha.rules.history import NOTHING_LAID, Round
from matcha_p2p.games.matcha.rules.phases import (
    AwaitingDeal,
    Ended,
    How,
    Keeping,
    Placing,
    Revealing,
)
from matcha_p2p.games.matcha.rules.scoring import condition, leader, outcome
from matcha_p2p.games.matcha.rules.seats import SEATS

NONE = (0, 0, 0, 0, 0)


def judge(edition, first, second, *, comparing=False, last=False):
    return outcome(edition, (first, second), comparing=comparing, last=last)


@pytest.mark.parametrize("kind", range(5))
def test_2015_four_of_any_kind_also_win_the_whisk(kind):
    """R18, A30."""
    three, four = list(NONE), list(NONE)
    three[kind], four[kind] = 3, 4
    assert condition(EDITION_2015, tuple(three)) is None
    assert condition(EDITION_2015, tuple(four)) is How.ALIKE


@pytest.mark.parametrize("kind", range(5))
def test_2020_three_of_a_suit_or_four_whisks_win(kind):
    """R18."""
    enough = 4 if kind == 4 else 3
    fewer, tokens = list(NONE), list(NONE)
    fewer[kind], tokens[kind] = enough - 1, enough
    assert condition(EDITION_2020, tuple(fewer)) is None
    assert condition(EDITION_2020, tuple(tokens)) is How.ALIKE


def test_one_of_each_kind_wins(edition):
    """R18: four of the five kinds do not."""
    assert condition(edition, (1, 1, 1, 1, 1)) is How.FIVE_KINDS
    assert condition(edition, (1, 1, 1, 1, 0)) is None


def test_player_with_both_conditions_has_won_alike(edition):
    assert condition(edition, (4, 1, 1, 1, 1)) is How.ALIKE


def test_player_with_the_only_condition_wins_despite_a_worse_comparison(edition):
    """R19."""
    assert judge(edition, NONE, (0, 0, 0, 4, 0)) == Ended(1, How.ALIKE)
    assert judge(edition, (1, 1, 1, 1, 1), (2, 0, 0, 0, 0)) == Ended(0, How.FIVE_KINDS)


@pytest.mark.parametrize("kind", range(5))
def test_comparison_goes_down_the_kinds_the_whisk_last(kind):
    """R19, A5: the first difference decides, whatever follows."""
    more = [1] * kind + [2] + [0] * (4 - kind)
    less = [1] * kind + [1] + [9] * (4 - kind)
    assert leader((tuple(more), tuple(less))) == 0
    assert leader((tuple(less), tuple(more))) == 1
    assert leader((tuple(more), tuple(more))) is None


def test_both_with_a_condition_are_compared_and_conditions_are_not_weighed(edition):
    """R19, A32: two conditions against one count for nothing."""
    assert judge(edition, (1, 4, 1, 1, 1), (2, 0, 0, 0, 4)) == Ended(1, How.TIE_BREAK)


def test_2020_full_tie_with_conditions_is_a_draw():
    """R21, A7."""
    tokens = (0, 0, 0, 0, 4)
    assert judge(EDITION_2020, tokens, tokens) == Ended(None, How.DRAW)


def test_2015_full_tie_with_conditions_is_played_on():
    """R20, A6."""
    tokens = (0, 0, 0, 0, 4)
    assert judge(EDITION_2015, tokens, tokens) is None


def test_further_rounds_know_the_comparison_only():
    """R20, A6: the first round that tells the players apart ends it."""
    tied = (4, 0, 0, 0, 0)
    assert judge(EDITION_2015, tied, tied, comparing=True) is None
    more = (4, 0, 0, 0, 1)
    assert judge(EDITION_2015, tied, more, comparing=True) == Ended(1, How.FURTHER_ROUNDS)


def test_2020_after_the_last_round_the_comparison_decides():
    """R21, A8: all five kinds are compared, not the leaf alone."""
    assert judge(EDITION_2020, (1, 0, 0, 0, 0), (1, 0, 0, 0, 1), last=True) == Ended(
        1, How.LAST_SET
    )
    assert judge(EDITION_2020, (1, 0, 0, 0, 0), (1, 0, 0, 0, 0), last=True) == Ended(
        None, How.DRAW
    )


def test_2020_condition_in_the_last_round_goes_before_the_comparison():
    """R18 before R21."""
    assert judge(EDITION_2020, (2, 0, 0, 0, 0), (0, 3, 0, 0, 0), last=True) == Ended(
        1, How.ALIKE
    )


def test_win_is_looked_for_at_the_end_of_the_round_only(board, edition):
    """R18, A3, A36: a condition met after the first mat wins after the second."""
    table = board(edition).having((3, 0, 0, 0, 0)).play("1a p")
    assert isinstance(table.phase, Placing)
    table.play("2b" if edition.turns is None else "p p")
    assert table.phase == Ended(0, How.ALIKE)
    assert legal_moves(table.game) == ()


def test_2015_further_rounds_go_on_in_the_set_and_over_its_end(board):
    """R20, A6: a full tie, three quiet rounds, a new deal, then one token more decides."""
    tied = (4, 0, 0, 0, 0)
    table = board(EDITION_2015).having(tied, tied).play("p p")
    assert table.game.comparing
    assert table.phase == Placing(0)
    table.play("p p p p")
    assert table.phase == Keeping()
    table.keep(set(), set()).next_deal()
    assert table.game.comparing
    table.play("p p")
    assert table.phase == Placing(1)
    table.play("1c p p")
    assert table.phase == Ended(1, How.FURTHER_ROUNDS)


def test_2020_ends_after_two_sets(board):
    """R21: here with nothing taken by anybody, a draw."""
    table = board(EDITION_2020).play("p p p p " * 3)
    assert (table.phase, table.game.number, table.game.dealer) == (AwaitingDeal(), 2, 1)
    table.next_deal().play("p p p p " * 3)
    assert table.phase == Ended(None, How.DRAW)
    assert table.game.number == 2


def test_2020_last_set_is_compared(board):
    table = board(EDITION_2020).play("p p p p " * 3).next_deal()
    table.play("p p p p " * 2 + "p p 1e p")
    assert table.phase == Ended(1, How.LAST_SET)


def test_2015_has_no_limit_of_sets(board):
    """R22, A2, A33: forty sets in which nobody ever lays a card."""
    table = board(EDITION_2015)
    for number in range(1, 41):
        assert (table.game.number, table.phase) == (number, Placing((number - 1) % 2))
        table.play("p p p p p p")
        table.keep(set(), set())
        table.next_deal()
    assert table.game.tokens == (NONE, NONE)


@pytest.mark.parametrize("seat", [0, 1])
def test_resignation_is_possible_at_any_time_and_the_other_wins(board, edition, seat):
    """R25, A34."""
    placing = board(edition).play("1a")
    revealing = board(edition).place("1a 1a 2b 2b")
    assert isinstance(revealing.phase, Revealing)
    keeping = board(EDITION_2015).play("p p p p p p")
    for game in (new_game(edition, 0), placing.game, revealing.game, keeping.game):
        resigned = resign(game, seat)
        assert resigned.phase == Ended(1 - seat, How.RESIGNED)
        assert resigned._replace(phase=game.phase) == game


def test_game_that_cannot_go_on_is_a_draw(edition):
    assert draw(new_game(edition, 0)).phase == Ended(None, How.DRAW)


@pytest.mark.parametrize("end", [lambda game: resign(game, SEATS[0]), draw])
def test_ended_game_does_not_end_again(edition, end):
    with pytest.raises(ValueError, match="the game is over"):
        end(draw(new_game(edition, 0)))


def test_unresolved_round_shows_the_tokens_before_it(board, edition):
    table = board(edition).play("1a p p" + (" p" if edition.turns else ""))
    assert table.game.rounds[0].tokens == ((1, 0, 0, 0, 0), NONE)
    assert table.game.rounds[1] == Round(2, (), NOTHING_LAID, (), table.game.tokens)


def test_every_way_to_end_has_its_word():
    """Entries sign the words, in the state after them."""
    words = ["alike", "five-kinds", "tie-break", "further-rounds", "last-set"]
    assert [how.value for how in How] == [*words, "draw", "resigned"]
