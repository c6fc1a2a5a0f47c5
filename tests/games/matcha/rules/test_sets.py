"""R13, R15 to R17: turning up, the end of a set, and what is kept."""

import pytest

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020
from matcha_p2p.games.matcha.rules.game import keep, legal_keeps, reveal
from matcha_p2p.games.matcha.rules.moves import Keep
from matcha_p2p.games.matcha.rules.notation import face
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Keeping, Placing, Revealing

ALL_BUT_ONE_LAID = "1a 1a 2b 2b 3c 3c 4d 4d 5e"


def test_cards_fall_due_only_where_both_have_laid_one(board, edition):
    """R12."""
    table = board(edition).place("1a 1b 2b p")
    assert table.phase == Revealing(((1,), (1,)), ((), ()))


@pytest.mark.parametrize("first", [0, 1])
def test_seats_may_turn_up_in_either_order(board, edition, first):
    """Nobody decides anything between the two, so the order changes nothing."""
    table = board(edition).place("1a 1b 2b 2a")
    game = table.game
    due = {0: {0: face("T2"), 1: face("B3")}, 1: {0: face("B4"), 1: face("T3")}}
    half = reveal(game, first, due[first])
    opened = [(), ()]
    opened[first] = tuple(due[first][mat] for mat in (0, 1))
    left = [(0, 1), (0, 1)]
    left[first] = ()
    assert half.phase == Revealing(tuple(left), tuple(opened))
    assert reveal(half, 1 - first, due[1 - first]) == table.open().game


@pytest.mark.parametrize(
    "opened", [{}, {0: face("T2")}, {0: face("T2"), 1: face("B3"), 2: face("W1")}]
)
def test_only_exactly_the_due_cards_are_turned_up(board, edition, opened):
    """R13: a lone card never."""
    game = board(edition).place("1a 1b 2b 2a").game
    with pytest.raises(ValueError, match="not the cards"):
        reveal(game, 0, opened)


def test_turning_up_twice_or_out_of_time_is_refused(board, edition):
    game = board(edition).place("1a 1b 2b 2a").game
    cards = {0: face("T2"), 1: face("B3")}
    with pytest.raises(ValueError, match="not the cards"):
        reveal(reveal(game, 0, cards), 0, cards)
    with pytest.raises(ValueError, match="not the cards"):
        reveal(reveal(game, 0, cards), 0, {})
    for opened in ({}, cards):
        with pytest.raises(ValueError, match="not the cards"):
            reveal(board(edition).game, 0, opened)


@pytest.mark.parametrize("name", ["T1", "T2"])
def test_card_that_lies_open_already_cannot_be_turned_up(board, edition, name):
    """It lies on the table, or was opened a round before."""
    table = board(edition, hands=("T2 B3 W1 S2 Z", f"T3 B4 W2 {name} Z"))
    table.play("1a 1a 2b 2b").place("3c 4c 5d 5d")
    with pytest.raises(ValueError, match="lies open twice"):
        table.open()


def test_card_opened_in_the_second_round_cannot_be_turned_up_in_the_third(board, edition):
    table = board(edition, hands=("T2 B3 W1 S2 Z", "T3 B4 W2 W1 Z")).play("1a 1a 2b 2b")
    table.play("3c 3c 4d 5d").place("5e 4e")
    with pytest.raises(ValueError, match="lies open twice"):
        table.open()


def test_both_zeros_may_be_turned_up_but_no_third(board, edition):
    """R1."""
    table = board(edition, hands=("Z B3 W1 S2 Z", "Z T3 B4 W2 S1")).play("1a 1a 2b 2b")
    assert [card.name for card in table.last_round.resolutions[0].cards] == ["Z", "Z"]
    with pytest.raises(ValueError, match="lies open twice"):
        table.play("5c 3c 3d 4d")


def test_other_player_deals_the_next_set(board, edition):
    """R15."""
    table = board(edition).play(ALL_BUT_ONE_LAID + " 5e")
    assert (table.phase, table.game.number, table.game.dealer) == (AwaitingDeal(), 2, 1)


def test_finished_set_lies_open_until_the_next_deal(board, edition):
    """A14."""
    table = board(edition).play(ALL_BUT_ONE_LAID + " 5e")
    assert [played.number for played in table.game.rounds] == [1, 2, 3]
    assert all(len(played.resolutions) == 2 for played in table.game.rounds)
    shown = table.game.table
    assert len(shown) == 6
    table.next_deal("S4 T1 B2 W3 T4 B1")
    assert [(played.number, played.turns) for played in table.game.rounds] == [(1, ())]
    assert table.game.table != shown


def test_sets_that_are_over_are_remembered_as_they_were(board):
    table = board(EDITION_2015).play("1a p 2b 3c p 4d 5e 1e 2f")
    first = table.game
    table.keep(set(), {2, 4}).next_deal("S4 T1 B2 W3 T4 B1").play("p p " * 3)
    second = table.game
    table.keep(set(), set())
    for past, before in zip(table.game.past, (first, second), strict=True):
        assert past.number == before.number
        assert past.dealer == before.dealer
        assert past.table == before.table
        assert past.rounds == before.rounds
        assert past.kept == before.kept
    assert [past.number for past in table.game.past] == [1, 2]
    assert [past.kept for past in table.game.past] == [(0, 0), (0, 2)]


def test_empty_hands_ask_nothing(board):
    """R17."""
    table = board(EDITION_2015).play(ALL_BUT_ONE_LAID + " 5e")
    assert table.phase == AwaitingDeal()
    assert table.game.hands == (frozenset(), frozenset())
    assert table.game.kept == (0, 0)


def test_2020_keeps_nothing(board):
    """R16."""
    table = board(EDITION_2020).play("p p p p " * 3)
    assert table.phase == AwaitingDeal()
    assert table.game.hands == (frozenset(), frozenset())


def test_2015_any_of_the_cards_left_may_be_kept(board):
    """R16, A9, A11: both choose at once; who has nothing left has one choice."""
    table = board(EDITION_2015).play("1a p 2b 3c p 4d 5e 1e 2f")
    assert table.phase == Keeping()
    assert legal_keeps(table.game, 0) == (Keep(frozenset()),)
    assert legal_keeps(table.game, 1) == tuple(
        Keep(frozenset(slots))
        for slots in ([], [2], [3], [2, 3], [4], [2, 4], [3, 4], [2, 3, 4])
    )
    table.keep(set(), {2, 4})
    assert table.phase == AwaitingDeal()
    assert table.game.kept == (0, 2)
    assert table.game.hands == (frozenset(), frozenset({2, 4}))
    assert legal_keeps(table.game, 1) == ()


def test_after_the_deal_hands_are_full_and_slots_tell_nothing(board):
    """R16, A12, A29: the number kept stays known, which slots does not."""
    games = []
    for kept in ({2, 4}, {3, 2}):
        table = board(EDITION_2015).play("1a p 2b 3c p 4d 5e 1e 2f").keep(set(), kept)
        games.append(table.next_deal().game)
    assert games[0] == games[1]
    assert games[0].hands == (frozenset(range(5)), frozenset(range(5)))
    assert games[0].kept == (0, 2)
    assert games[0].phase == Placing(1)


@pytest.mark.parametrize("slots", [{0}, {1, 2}, {5}])
@pytest.mark.parametrize("seat", [0, 1])
def test_only_cards_left_over_can_be_kept(board, seat, slots):
    """Seat 0 has laid all five, seat 1 the first two."""
    table = board(EDITION_2015).play("1a p 2b 3c p 4d 5e 1e 2f")
    with pytest.raises(IllegalMoveError) as refused:
        table.keep(*((slots, set()) if seat == 0 else (set(), slots)))
    assert refused.value.rule == "R16"


def test_nothing_is_kept_out_of_time(board, edition):
    with pytest.raises(IllegalMoveError) as refused:
        keep(board(edition).game, (frozenset(), frozenset()))
    assert refused.value.rule == "R16"
