"""T1 to T28: who is asked what, and what it leads to."""

import pytest

from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.cards import NUMBERS
from matcha_p2p.games.tichu.rules.moves import check_duty, legal_plays, may_pass
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, Variant
from tests.games.tichu.rules.table import faces, go, opened

LOW = "R2 G3 B4"  # three cards: nobody asks such a seat for a bomb


def refusal(state, hands, step):
    with pytest.raises(RefusedError) as refused:
        go(state, hands, step)
    return refused.value.rule


def asked(state):
    """Return whom the round asks, as "1h 2t": holds and turns."""
    return " ".join(f"{seat}{ask.value[0]}" for seat, ask in state.asked)


def hand_of(state, hands, seat):
    return [hands[seat][place] for place in state.held[seat]]


def test_partners_sit_opposite():
    """T1."""
    assert rules.TEAMS == ((0, 2), (1, 3))
    assert [rules.seat_after(seat, 2) for seat in SEATS] == [2, 3, 0, 1]


def test_round_asks_for_calls_gifts_and_calls_in_the_order_of_the_first_seat():
    """T4, T5, T7, T8, T11."""
    state = rules.new_round(Variant(), SEATS[2])
    assert asked(state) == "2g 3g 0g 1g 2p 3p 0p 1p 2c 3c 0c 1c"
    for seat in (2, 3, 0):
        state = rules.grand(state, seat, called=seat == 3)
        assert len(state.held[0]) == 8
    state = rules.grand(state, 1, called=False)
    assert [len(held) for held in state.held] == [14] * 4
    assert state.calls == (0, 0, 0, 200)


def test_action_that_is_not_asked_is_refused():
    """T1, T4, T5, T24, T27."""
    state = rules.new_round(Variant(), SEATS[0])
    with pytest.raises(RefusedError, match="T5"):
        rules.grand(state, SEATS[1], called=True)
    with pytest.raises(RefusedError, match="T4"):
        rules.push(state, SEATS[0])
    state, hands = opened("M R2 G5", LOW, "K5", "RA")
    assert refusal(state, hands, "1 R2") == "T1"
    assert refusal(state, hands, "0 hold") == "T24"
    assert refusal(state, hands, "0 gift 1") == "T27"
    with pytest.raises(RefusedError, match="T4"):
        rules.grand(state, SEATS[0], called=True)


def test_reason_of_a_refusal_is_a_sentence():
    state, hands = opened("M R2", LOW, "K5", "RA")
    with pytest.raises(RefusedError) as refused:
        go(state, hands, "0 pass")
    assert str(refused.value) == "T22: A lead cannot be passed."
    assert refused.value.why() == "A lead cannot be passed."


def ready(**variant):
    """Return a round in which gifts are due, and seat 3 has called Grand Tichu."""
    state = rules.new_round(Variant(**variant), SEATS[0])
    for seat in SEATS:
        state = rules.grand(state, seat, called=seat == 3)
    return state


def test_tichu_is_called_with_14_cards_at_the_own_slot_and_once():
    """T10."""
    early = rules.new_round(Variant(), SEATS[0])
    state = ready()
    called = rules.call_tichu(state, SEATS[0])
    assert called.calls == (100, 0, 0, 200)
    assert called.asked == state.asked
    for wrong, seat in ((early, 0), (state, 1), (called, 0)):
        with pytest.raises(RefusedError, match="T10"):
            rules.call_tichu(wrong, SEATS[seat])
    for seat in (0, 1, 2):
        state = rules.push(state, SEATS[seat])
    with pytest.raises(RefusedError, match="T10"):  # after a Grand
        rules.call_tichu(state, SEATS[3])


FULL = (
    "M R2 R3 R4 R5 R6 R7 R8 R9 RT RJ RQ RK RA",
    "H G2 G3 G4 G5 G6 G7 G8 G9 GT GJ GQ GK GA",
    "P B2 B3 B4 B5 B6 B7 B8 B9 BT BJ BQ BK BA",
    "D K2 K3 K4 K5 K6 K7 K8 K9 KT KJ KQ KK KA",
)


@pytest.mark.parametrize("late", [True, False])
def test_tichu_after_the_first_lead_depends_on_the_variant(late):
    """T10: at a hold as well as at a turn; and before the first lead at any rate."""
    state, hands = opened(*FULL, late_tichu=late)
    assert go(state, hands, "0 tichu").calls[0] == 100
    state = go(state, hands, "0 M")
    assert refusal(go(state, hands, "2 hold", "3 hold", "0 hold"), hands, "2 tichu") == "T10"
    if late:
        state = go(state, hands, "2 tichu", "2 hold", "3 hold", "0 hold", "1 tichu")
        assert state.calls == (0, 100, 100, 0)
    else:
        assert refusal(state, hands, "2 tichu") == "T10"


def test_holder_of_the_mah_jong_leads_and_may_keep_it():
    """T13."""
    state, hands = opened(LOW, "M R5 K2", "K5", "RA")
    assert state.speaker == state.leader == 1
    assert go(state, hands, "1 R5").speaker == 2


def test_mah_jong_is_shown_once_after_the_exchange():
    """T13."""
    with pytest.raises(ValueError, match="exchange"):
        rules.lead(ready(), SEATS[0])
    state, _ = opened("M R2", LOW, "K5", "RA")
    with pytest.raises(ValueError, match="once"):
        rules.lead(state, SEATS[0])


def test_round_waits_for_the_mah_jong():
    """T13."""
    state = ready()
    for seat in SEATS:
        state = rules.push(state, seat)
    for seat in SEATS:
        state = rules.hold(state, seat)
    assert state.speaker is None
    assert not state.is_over
    with pytest.raises(RefusedError, match="T13"):
        rules.hold(state, SEATS[0])


def test_card_that_was_laid_is_not_in_the_hand():
    """T7."""
    state, hands = opened("M R2 G5", LOW, "K5", "RA R9")
    state = go(state, hands, "0 G5", "1 pass", "2 pass", "3 pass")
    assert refusal(state, hands, "0 G5") == "T7"


def test_dog_gives_the_lead_to_the_partner_and_counts_for_its_owner():
    """T18: no bomb is asked for."""
    state, hands = opened("M H R2 R3 R4", "G2 G3 G4 G5", "B2 B3 B4 B5", "K2 K3 K4 K5")
    state = go(state, hands, "0 H")
    assert asked(state) == "2t"
    assert state.won[0] == tuple(faces("H"))
    assert state.under is None


def test_dog_passes_a_partner_who_is_out():
    """T18."""
    state, hands = opened("M H R2", LOW, "K5", LOW)
    state = state._replace(held=(state.held[0], state.held[1], frozenset(), state.held[3]))
    assert asked(go(state, hands, "0 H")) == "3t"


def test_wish_is_a_number_made_with_the_mah_jong():
    """T19."""
    state, hands = opened("M R2 G3 R4 R5 K9", "RA G9", "K6 G7", "R8 R3")
    assert refusal(state, hands, "0 R2 ?9") == "T19"
    assert refusal(state, hands, "0 M ?1") == "T19"
    assert refusal(state, hands, "0 M ?15") == "T19"
    assert go(state, hands, "0 M ?9").wish == 9
    assert go(state, hands, "0 M").wish == 0
    assert go(state, hands, "0 M R2 G3 R4 R5 ?9").wish == 9


def test_wish_stands_until_the_card_itself_is_laid():
    """T20: not by the cards that make it, nor by the Phoenix; it outlives the trick."""
    state, hands = opened("M R2 G3 R4 R5 R6", "P G2 RK", "K6 GA", "R8 R3 B5")
    state = go(state, hands, "0 M R2 G3 R4 R5 ?5", "1 pass", "2 pass", "3 pass")
    assert (state.wish, state.speaker) == (5, 0)
    assert go(state, hands, "0 R6").wish == 5
    state = go(state, hands, "0 R6", "1 RK", "2 pass", "3 pass")
    assert state.wish == 5
    state = go(state, hands, "1 P G2 =2", "2 pass", "3 pass")
    assert state.wish == 5
    assert len(state.out) == 2


def test_wished_card_fulfils_the_wish_also_out_of_turn():
    """T20, T24."""
    state, hands = opened("M R2", LOW, "R9 G9 B9 K9", "RA R3")
    assert go(state, hands, "0 M ?9", "2 R9 G9 B9 K9").wish == 0
    state, hands = opened("M R2", LOW, "R9 G9 B9 K9 R7", "RA R3")
    state = go(state, hands, "0 M ?7", "2 R9 G9 B9 K9")
    assert (state.wish, state.passed) == (7, ())


@pytest.mark.parametrize(
    ("hand", "lead", "bound"),
    [
        ("R9 RA", "M", True),
        ("R8 RA", "M", False),
        ("R9 R2", "RT", False),
        ("R9 P R2", "R5 G5 B5", False),
        ("R9 P R2", "R5 G5", True),
        ("R9 G9 B9 K9 R2", "R5 G5 B5", True),
        ("P R9 R8 G7 R6", "M R2 G3 R4 R5", True),
    ],
)
def test_wish_binds_who_can_lay_the_card(hand, lead, bound):
    """T21: in any combination that fits, the Phoenix and bombs included."""
    state, hands = opened("M R2 R3 R4 R5 G3 G5 B5 RT", hand, "K5", "K3")
    state = go(state, hands, f"0 {lead}")
    state = state._replace(wish=9, asked=((SEATS[1], Ask.TURN),))
    own = hands[1]
    assert may_pass(state, own) != bound
    plays = legal_plays(state, own)
    if bound:
        assert plays
        assert all(9 in [NUMBERS[face] for face in play.faces] for play in plays)
        with pytest.raises(RefusedError, match="T21"):
            check_duty(state, own, ())
        check_duty(state, own, plays[0].faces)
    else:
        check_duty(state, own, ())


def test_leader_with_the_wished_card_may_not_lead_the_dog():
    """T18, T21."""
    state, hands = opened("M H R9 R2", LOW, "K5", "RA")
    state = state._replace(wish=9)
    assert {play.faces for play in legal_plays(state, hands[0])} == {(faces("R9")[0],)}
    with pytest.raises(RefusedError, match="T21"):
        check_duty(state, hands[0], faces("H"))


def test_who_has_passed_may_play_again_and_a_lead_cannot_be_passed():
    """T22."""
    state, hands = opened("M R2 G5 R8", LOW, "K5 K9", "RA R3")
    assert refusal(state, hands, "0 pass") == "T22"
    assert not may_pass(state, hands[0])
    state = go(state, hands, "0 M", "1 pass", "2 K5", "3 pass", "0 R8")
    assert asked(state) == "1t"
    assert go(state, hands, "1 pass", "2 K9").speaker == 3


BOMBS = ("M R2 G2 B2 K2", "R3 G3 B3 K3 R9", "R4 G4 B4 K4 R8 D", "R5 G5 B5 K5 RA")


def test_bomb_out_of_turn_gives_the_turn_to_the_next_seat():
    """T23, T24: the bomber's window is a new one."""
    state, hands = opened(*BOMBS)
    state = go(state, hands, "0 M")
    assert asked(state) == "2h 3h 0h 1t"
    state = go(state, hands, "2 hold", "3 R5 G5 B5 K5")
    assert asked(state) == "1h 2h 0t"
    assert refusal(state, hands, "1 R3 G3 B3 K3") == "T23"
    assert refusal(state, hands, "2 hold") == "T24"
    assert refusal(state, hands, "1 pass") == "T24"


def test_own_play_may_be_bombed():
    """T23, T24."""
    state, hands = opened(*BOMBS)
    state = go(state, hands, "0 M", "2 hold", "3 hold", "0 R2 G2 B2 K2")
    assert state.out == (0,)
    assert asked(state) == "2h 3h 1t"


def test_only_a_bomb_is_laid_out_of_turn():
    """T24."""
    state, hands = opened(*BOMBS)
    state = go(state, hands, "0 M")
    assert refusal(state, hands, "2 R8") == "T24"
    assert [play.made.strength for play in legal_plays(state, hands[2])] == [8]


def test_windows_open_before_each_action_or_only_after_a_play():
    """T24."""
    for every, expected in ((True, "3h 0h 1h 2t"), (False, "2t")):
        state, hands = opened(*BOMBS, every_window=every)
        state = go(state, hands, "0 M", "2 hold", "3 hold", "0 hold", "1 pass")
        assert asked(state) == expected


@pytest.mark.parametrize("every", [True, False])
def test_trick_is_taken_after_the_last_call(every):
    """T24 to T26: the winner is asked too, and leads."""
    state, hands = opened("M R6 R7 R8 R9", LOW, "K5", "G4 G5 G6 G7", every_window=every)
    state = go(state, hands, "0 R9", "3 hold", "0 hold", "1 pass")
    state = go(state, hands, *(["3 hold", "0 hold"] if every else []), "2 pass")
    state = go(state, hands, *(["0 hold"] if every else []), "3 pass")
    assert asked(state) == "0h 3h"
    state = go(state, hands, "0 hold", "3 hold")
    assert asked(state) == "0t"
    assert state.won[0] == tuple(faces("R9"))


def test_all_others_still_in_have_to_pass_after_a_winner_who_is_out():
    """T25, T26: the next seat leads."""
    state, hands = opened("M", LOW, "K5 K6", "RA R3")
    state = go(state, hands, "0 M", "1 pass", "2 pass")
    assert asked(state) == "3t"
    state = go(state, hands, "3 pass")
    assert asked(state) == "1t"
    assert state.won[0] == tuple(faces("M"))


def test_dragon_gives_its_trick_to_an_opponent():
    """T27: also when the winner is out."""
    state, hands = opened("M D", LOW, "K5 K6", "RA R3")
    state = go(state, hands, "0 D", "1 pass", "2 pass", "3 pass")
    assert asked(state) == "0g"
    assert refusal(state, hands, "0 gift 2") == "T27"
    assert refusal(state, hands, "0 gift 0") == "T27"
    assert refusal(state, hands, "1 gift 3") == "T27"
    assert refusal(state, hands, "0 M") == "T27"
    state = go(state, hands, "0 gift 3")
    assert state.won[3] == tuple(faces("D"))
    assert state.speaker == 0


def test_round_ends_when_a_team_is_out_and_what_lies_is_of_who_laid_last():
    """T28, T31: no bomb after it."""
    state, hands = opened("M", "R9 G9 B9 K9", "K5", "RA R3")
    state = go(state, hands, "0 M", "1 pass", "1 hold", "2 K5")
    assert state.is_over
    assert state.won[2] == tuple(faces("M K5"))
    assert refusal(state, hands, "3 RA") == "T31"
    assert refusal(state, hands, "3 tichu") == "T31"
    assert legal_plays(state, hands[3]) == []
    assert not may_pass(state, hands[3])


def test_last_dragon_is_given_away_unless_the_victory_is_double():
    """T27."""
    state, hands = opened("M", "R9 G8", "D", "RA")
    double = go(state, hands, "0 M", "1 pass", "2 D")
    assert double.is_over
    late = state._replace(out=(SEATS[3],))
    late = go(late, hands, "0 M", "1 pass", "2 D")
    assert asked(late) == "2g"
    assert go(late, hands, "2 gift 1").is_over
