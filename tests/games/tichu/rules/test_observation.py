"""What a seat may see, and the answers that it can give."""

import pytest

from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.actions import (
    AnswerGrand,
    GiveTrick,
    Hold,
    Lay,
    Pass,
    ShowMahJong,
)
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import SEATS, Variant
from tests.games.tichu.rules.table import faces, go, opened

DEALT = faces("M R2 G2 B2 K2 R3 R4 R5 R6 R7 R8 R9 RT RJ")


def seen(state, hand, seat=0):
    return Observation(state, SEATS[seat], tuple(hand), (), 1, (0, 0))


def asked(question):
    """Return what seat 0 sees, with ``DEALT`` in hand, when it is asked that."""
    state = rules.new_round(Variant(), SEATS[0])
    steps = {"grand": rules.grand, "push": rules.push}
    while state.asked[0][1].value != question:
        seat, ask = state.asked[0]
        more = {"called": False} if ask.value == "grand" else {}
        state = steps[ask.value](state, seat, **more)
    return seen(state, DEALT if question != "grand" else DEALT[:8] + [None] * 6)


def refused(view, move):
    with pytest.raises(RefusedError) as refusal:
        view.check_duty(move)
    return refusal.value.rule


def test_grand_tichu_is_called_or_not():
    assert asked("grand").legal_moves() == (AnswerGrand(False), AnswerGrand(True))


def test_any_three_cards_are_given_in_any_order_with_and_without_a_call():
    assert len(set(asked("push").legal_moves())) == 2 * 14 * 13 * 12


def test_who_has_the_mah_jong_shows_it():
    view = asked("call")
    assert view.legal_moves() == (ShowMahJong(0), ShowMahJong(0, tichu=True))
    assert refused(view, Hold()) == "T13"
    view.check_duty(ShowMahJong(0))


def test_a_seat_that_is_not_asked_has_no_move():
    view = asked("push")
    assert view._replace(seat=SEATS[1]).legal_moves() == ()


def test_seat_in_turn_may_pass_or_lay_a_stronger_card():
    state, hands = opened("M R5", "R6", "G7", "R2")
    state = go(state, hands, "0 R5")
    assert seen(state, hands[1], 1).legal_moves() == (Pass(), Lay((0,)))


def test_bombs_alone_are_laid_out_of_turn():
    state, hands = opened("M R5", "R6", "G7", "R2 G2 B2 K2 K9")
    state = go(state, hands, "0 R5")
    assert seen(state, hands[3], 3).legal_moves() == (Hold(), Lay((0, 1, 2, 3)))


def test_a_wish_is_offered_with_the_mah_jong_and_binds_who_follows():
    state, hands = opened("M R5", "R6 G9", "G7", "R2")
    lead = seen(state, hands[0]).legal_moves()
    assert [move.wish for move in lead if move.places == (0,)] == [0, *range(2, 15)]
    state = go(state, hands, "0 M ?9")
    view = seen(state, hands[1], 1)
    assert view.legal_moves() == (Lay((1,)),)
    assert refused(view, Pass()) == refused(view, Lay((0,))) == "T21"
    view.check_duty(Lay((1,)))


def test_the_trick_of_the_dragon_is_given_to_an_opponent():
    state, hands = opened("M D R5", "R6", "G7", "R2")
    state = go(state, hands, "0 D", "1 pass", "2 pass", "3 pass")
    assert seen(state, hands[0]).legal_moves() == (GiveTrick(SEATS[1]), GiveTrick(SEATS[3]))
