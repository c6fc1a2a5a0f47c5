"""What a seat sees: its own cards, all that lies open, and nothing else."""

from collections import Counter

import pytest

from matcha_p2p.games.matcha.rules.cards import DECK, ZERO
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.game import deal, legal_keeps, legal_moves, new_game
from matcha_p2p.games.matcha.rules.history import Turn
from matcha_p2p.games.matcha.rules.moves import Keep, Pass, Play
from matcha_p2p.games.matcha.rules.notation import face, faces
from matcha_p2p.games.matcha.rules.observation import check_decision, observe, unseen
from matcha_p2p.games.matcha.rules.phases import PLACING
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.rules.snapshot import snapshot
from matcha_p2p.games.timing import Forced


def test_own_cards_are_known_also_when_laid(board, edition):
    """A27."""
    table = board(edition).play("2a")
    seen = observe(table.game, 0, table.hands[0])
    assert [card.name for card in seen.hand] == ["T2", "B3", "W1", "S2", "Z"]
    assert [(slot, card.name) for slot, card in seen.held()] == [
        (0, "T2"),
        (2, "W1"),
        (3, "S2"),
        (4, "Z"),
    ]


def test_moves_at_the_own_turn_are_the_moves_of_the_game(board, edition):
    table = board(edition)
    assert observe(table.game, 0, table.hands[0]).legal_moves() == legal_moves(table.game)
    assert observe(table.game, 1, table.hands[1]).legal_moves() == ()


def test_both_players_choose_cards_to_keep(board):
    """A11."""
    table = board(EDITION_2015).play("1a p 2b 3c p 4d 5e 1e 2f")
    assert observe(table.game, 0, table.hands[0]).legal_moves() == (Keep(frozenset()),)
    assert observe(table.game, 1, table.hands[1]).legal_moves() == legal_keeps(table.game, 1)


def test_no_card_in_a_hand_changes_the_timing(board):
    table = board(EDITION_2015).play("1a p 2b 3c p 4d 5e 1e 2f")
    for hand in table.hands:
        assert observe(table.game, 0, hand).timing() == Forced(Keep(frozenset()))
        assert observe(table.game, 1, hand).timing() is None


def test_turning_up_cards_needs_no_decision(board, edition):
    table = board(edition).place("1a 1b 2b 2a")
    assert observe(table.game, 0, table.hands[0]).legal_moves() == ()


@pytest.mark.parametrize("count", [0, 4, 6])
def test_hand_is_five_cards(board, edition, count):
    with pytest.raises(ValueError, match="five cards"):
        observe(board(edition).game, 0, DECK[:count])


def test_deals_that_differ_in_hidden_cards_only_look_the_same(board, edition):
    """A12, A13, A15: neither the other hand nor lone cards nor the two aside are seen."""
    course = "1a 1a 2b p p 2c 3d" if edition.turns is None else "1a 1a 2b p p 2c p 3d"
    own = "T2 B3 W1 S2 Z"
    looks = []
    for other in ("T3 B4 W2 S1 Z", "T3 W4 S3 B4 W2"):
        table = board(edition, hands=(own, other)).play(course)
        looks.append((observe(table.game, 0, table.hands[0]), snapshot(table.game)))
    assert looks[0] == looks[1]
    assert looks[0][0].game.rounds[0].resolutions[0].cards == faces("T2 T3")


def test_turned_up_card_is_no_longer_unseen(board, edition):
    """Own cards and the table never are; the other's are until they are turned up."""
    table = board(edition).place("1a 1b 2b 2a")
    hidden = Counter(DECK)
    hidden.subtract((*table.game.table, *table.hands[0]))
    assert Counter(unseen(observe(table.game, 0, table.hands[0]))) == hidden
    table.open()
    hidden.subtract(table.hands[1][:2])
    assert Counter(unseen(observe(table.game, 0, table.hands[0]))) == +hidden


def test_pass_is_always_among_the_moves(board, edition):
    """R10, A16."""
    table = board(edition)
    assert Pass() in observe(table.game, 0, table.hands[0]).legal_moves()
    assert face("Z") in table.hands[0]


@pytest.fixture
def second_round(board, edition):
    """Return what seat 0 sees as it begins round 2."""
    table = board(edition).play("1a 1a 2b p")
    return observe(table.game, 0, table.hands[0])


def test_position_within_the_rules_is_a_decision(second_round):
    check_decision(second_round)


def test_seat_that_passed_has_a_decision(board, edition):
    table = board(edition).play("1a 1a p 2b")
    assert table.last_round.resolutions[1].slots[0] is None
    check_decision(observe(table.game, 0, table.hands[0]))


def test_set_after_tokens_were_won_is_a_decision(board, edition):
    table = board(edition)
    begun = new_game(edition, 0)._replace(tokens=((1, 0, 0, 0, 0), (0, 0, 1, 0, 0)))
    check_decision(observe(deal(begun, table.game.table), 0, table.hands[0]))


def changed(game, **fields):
    """Return the game with another running round."""
    return game._replace(rounds=(*game.rounds[:-1], game.rounds[-1]._replace(**fields)))


TURN = Turn(SEATS[0], Play(2, 0))
LIES = {
    "round 0": (lambda game: changed(game, number=0), "another position"),
    "round -1": (lambda game: changed(game, number=-1), "another position"),
    "round 3": (lambda game: changed(game, number=3), "another position"),
    "no round": (lambda game: game._replace(rounds=()), "no round has begun"),
    "a card laid again": (lambda game: changed(game, turns=(TURN,)), "breaks the rules"),
    "a slot too many": (lambda game: game._replace(hands=(range(9),) * 2), "another position"),
    "a zero on the table": (
        lambda game: game._replace(table=(ZERO, *game.table[1:])),
        "six different cards",
    ),
    "the other's turn": (lambda game: game._replace(phase=PLACING[1]), "nothing is to be"),
    "an end before": (
        lambda game: changed(
            game._replace(rounds=game.rounds[-1:]), tokens=((9,) * 5, (0,) * 5)
        ),
        "over before",
    ),
}


@pytest.mark.parametrize(("lie", "why"), LIES.values(), ids=LIES)
def test_position_outside_the_rules_is_refused(second_round, lie, why):
    with pytest.raises(ValueError, match=why):
        check_decision(second_round._replace(game=lie(second_round.game)))


HANDS = {
    "four": (lambda hand: hand[:4], "five cards"),
    "in another order": (lambda hand: (hand[1], hand[0], *hand[2:]), "does not have"),
    "a card twice": (lambda hand: (*hand[:4], hand[0]), "more often"),
    "four zeros": (lambda hand: (hand[0], ZERO, ZERO, ZERO, ZERO), "more often"),
}


@pytest.mark.parametrize(("hand", "why"), HANDS.values(), ids=HANDS)
def test_hand_that_nobody_can_hold_is_refused(second_round, hand, why):
    with pytest.raises(ValueError, match=why):
        check_decision(second_round._replace(hand=hand(second_round.hand)))
