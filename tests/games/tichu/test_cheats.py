"""Cheats at Tichu: all others refuse them by the check of the rule, and blame their author."""

from dataclasses import replace

import pytest

from matcha_p2p.crypto.elgamal import prove_shares
from matcha_p2p.crypto.shuffle import shuffle
from matcha_p2p.errors import Check, IllegalMoveError, ProtocolViolationError
from matcha_p2p.games.tichu.rules.actions import GiveCards, Hold, Lay, Pass, ShowMahJong
from matcha_p2p.games.tichu.rules.cards import DOG, MAH_JONG, NUMBERS, PHOENIX
from matcha_p2p.games.tichu.rules.round import HAND, SEATS, Ask
from matcha_p2p.games.tichu.table.steps import Gifting, Laying, Mixing, Owning, hand_of
from matcha_p2p.games.tichu.table.view import game_of, look
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import MoveAction, Shares, Shuf, encode_action
from matcha_p2p.table.piles import card_at
from matcha_p2p.table.seat import _due_action, decide
from matcha_p2p.table.step import act, step
from matcha_p2p.table.table import next_due
from matcha_p2p.table.verbs import owed_reads
from tests.games.tichu.party import course, until
from tests.table.party import Party

pytestmark = pytest.mark.slow
TRIED = range(16)


def moments(ready):
    """Yield the parties of some games, and their tables at which a seat can be ``ready``."""
    for seed in TRIED:
        played = course(seed)
        for index, table in enumerate(played.tables):
            due = next_due(table)
            if due is None or not ready(table, due.seat):
                continue
            before = played.party.entries[: index + 4]
            yield Party(played.party.players, table, before), due.seat


def moment(ready):
    """Return the first of ``moments``; that there is none fails the test."""
    found = next(moments(ready), None)
    assert found is not None, "no game comes to this"
    return found


def view_of(party, seat):
    return look(party.players[seat], party.table, ())


def asked(ask, *, led=None):
    """Tell of a table whether a seat is asked so, and leads or follows."""

    def ready(table, seat):
        round_ = game_of(table).round
        state = game_of(table).stage is None and bool(round_.asked)
        fits = led is None or (round_.under is None) == led
        return state and round_.asked[0] == (seat, ask) and fits

    return ready


def holding(party, seat):
    """Return the places of the cards that ``seat`` still holds, by face."""
    return {face: place for place, face in view_of(party, seat).held.items()}


def refused(party, seat, fields):
    """Let all others hear an entry of ``seat``; return the check, and the rule if there is one.

    The author is blamed.
    """
    with pytest.raises(ProtocolViolationError) as caught:
        step(party.state, party.signed(seat, fields))
    assert caught.value.seat == seat
    rule = str(caught.value).rpartition("]")[2].partition(":")[0].split()[-1]
    return caught.value.check, rule if caught.value.check is Check.RULE else None


def moved(party, seat, move):
    """Let the seat sign ``move`` and what follows, though its own program would not.

    Its program refuses as well, before anything is signed.
    """
    with pytest.raises(IllegalMoveError):
        decide(party.players[seat], party.table, move)
    wire = party.table.game.write(seat, move, party.table.piles)
    action, table, fields = MoveAction(wire), party.table, []
    while True:
        fields.append(encode_action(action))
        try:
            table, _ = act(table, seat, action, len(fields) - 1)
        except IllegalMoveError:
            return refused(party, seat, fields)
        action = _due_action(party.players[seat], table, len(fields))


def shuffling(stage):
    """Return a party at which a seat shuffles in such a stage, its table then, and the seat."""

    def ready(table):
        return isinstance(table.game.stage, stage)

    party = until("shuffler", ready)
    return party, party.table.owing[0].seat


# --- shuffles and shares ---------------------------------------------------------------------


def doubled(deck):
    return (deck[1], *deck[1:])


def exchanged(shuf):
    return replace(shuf, deck=(*shuf.deck[1:], shuf.deck[0]))


@pytest.mark.parametrize("stage", [Mixing, Owning])
def test_a_card_that_is_doubled_or_exchanged_in_a_shuffle_is_refused(stage):
    party, seat = shuffling(stage)
    table = party.table
    deck = tuple(card.masked for card in table.piles[table.step.pile])
    context, player = table.context(seat, table.step.label, 0), party.players[seat]
    false = Shuf(*shuffle(doubled(deck), table.deck.key, context, player.random(table.head)))
    true = _due_action(player, table, 0)
    for shuf in (false, exchanged(true)):
        assert refused(party, seat, [encode_action(shuf)])[0] is Check.SHUFFLE


def test_a_card_that_is_doubled_or_exchanged_in_a_gift_is_refused():
    party = until("giver", asking(Ask.PUSH))
    seat, player = party.table.owing[0].seat, party.players[party.table.owing[0].seat]
    between, _ = act(party.table, seat, MoveAction(("give", 0)), 0)
    assert between.game.stage == Gifting(seat)
    deck = tuple(card.masked for card in between.piles[hand_of(seat)])
    context, random = between.context(seat, "give", 1), player.random(between.head)
    key = between.deck.key
    false = Shuf(*shuffle(doubled(deck), key, context, random, (0, 1, 2)))
    true = Shuf(*shuffle(deck, key, context, random, (0, 1, 2)))
    for shuf in (false, exchanged(true)):
        said = [["MOVE", "give", 0], encode_action(shuf)]
        assert refused(party, seat, said)[0] is Check.SHUFFLE


def asking(ask):
    return lambda table: table.game.stage is None and table.game.round.asked[0][1] is ask


def test_wrong_exchanged_and_missing_shares_are_refused():
    party = until("sharer", lambda table: table.owing[0].verb.value == "SHARE")
    table, seat = party.table, party.table.owing[0].seat
    true = _due_action(party.players[seat], table, 0)
    assert isinstance(true, Shares)
    swapped = replace(true, shares=(*true.shares[1:], true.shares[0]))
    missing = replace(true, shares=true.shares[1:])
    for shares in (swapped, missing):
        assert refused(party, seat, [encode_action(shares)])[0] is Check.SHARE
    assert refused(party, seat, [["MOVE", "hold", 0]])[0] is Check.GRAMMAR


def test_a_card_is_opened_with_the_move_that_lays_it():
    party, seat = moment(asked(Ask.TURN, led=True))
    said = decide(party.players[seat], party.table, view_of(party, seat).legal_moves()[0])
    assert refused(party, seat, said.entry.fields[:1])[0] is Check.GRAMMAR


def test_another_face_than_the_card_s_is_refused():
    """The shares of another card of the same hand would open it as that."""
    party, seat = moment(asked(Ask.TURN, led=True))
    lay, other = [
        place for face, place in holding(party, seat).items() if face not in (DOG, MAH_JONG)
    ][:2]
    player, table = party.players[seat], party.table
    between, _ = act(table, seat, MoveAction(("lay", 0, 0, 0, 1 << lay)), 0)
    assert isinstance(between.game.stage, Laying)
    (read,) = owed_reads(between, between.step, seat)
    cards = [card_at(between.piles, replace(read, place=other)).masked]
    context = between.context(seat, "lay", 1)
    false = Shares(*prove_shares(player.x, cards, context, player.random(between.head)))
    said = [["MOVE", "lay", 0, 0, 0, 1 << lay], encode_action(false)]
    assert refused(party, seat, said)[0] is Check.SHARE


# --- plays -----------------------------------------------------------------------------------


def test_a_card_that_was_laid_already_or_given_away_is_not_in_the_hand():
    def has_laid(table, seat):
        turn = asked(Ask.TURN)(table, seat)
        return turn and len(game_of(table).round.held[seat]) < HAND

    party, seat = moment(has_laid)
    gone = next(p for p in range(HAND) if p not in party.table.game.round.held[seat])
    assert moved(party, seat, Lay((gone,))) == (Check.RULE, "T7")


def test_a_card_that_was_given_away_has_no_name_to_lay_it_by():
    """The gift lies in another hand, and a move names places of one's own alone."""
    party, seat = moment(asked(Ask.TURN))
    with pytest.raises(IllegalMoveError):
        party.table.game.write(seat, Lay((HAND,)), party.table.piles)
    assert refused(party, seat, [["MOVE", "lay", 0, 0, 0, 1 << HAND]])[0] is Check.ENCODING


def test_a_play_that_is_too_weak_is_refused():
    def weak(table, seat):
        under = game_of(table).round.under
        return asked(Ask.TURN, led=False)(table, seat) and under.kind.value == "single"

    for party, seat in moments(weak):
        under = party.table.game.round.under
        low = [
            place
            for face, place in holding(party, seat).items()
            if face < MAH_JONG and 2 * NUMBERS[face] <= under.strength
        ]
        if low:
            assert moved(party, seat, Lay(tuple(low[:1]))) == (Check.RULE, "T16")
            return
    raise AssertionError


def test_cards_that_are_no_combination_are_refused():
    for party, seat in moments(asked(Ask.TURN, led=True)):
        hand = [face for face in holding(party, seat) if face < MAH_JONG]
        pair = next(((a, b) for a in hand for b in hand if NUMBERS[a] < NUMBERS[b]), None)
        if pair:
            places = tuple(holding(party, seat)[face] for face in pair)
            assert moved(party, seat, Lay(places)) == (Check.RULE, "T14")
            return
    raise AssertionError


def with_face(face, led):
    def fits(party_seat):
        party, seat = party_seat
        return face in holding(party, seat)

    return next(filter(fits, moments(asked(Ask.TURN, led=led))))


@pytest.mark.parametrize("wild", [0, 1, 9])
def test_the_phoenix_with_a_wrong_number_is_refused(wild):
    party, seat = with_face(PHOENIX, led=True)
    hand = holding(party, seat)
    other = next(f for f in hand if f < MAH_JONG and NUMBERS[f] != wild)
    cards = (hand[PHOENIX], hand[other])
    rule = "T14" if wild == 9 else "T17"
    assert moved(party, seat, Lay(cards, wild)) == (Check.RULE, rule)


def test_the_phoenix_alone_with_a_number_is_refused():
    party, seat = with_face(PHOENIX, led=True)
    place = holding(party, seat)[PHOENIX]
    assert moved(party, seat, Lay((place,), 5)) == (Check.RULE, "T17")


def test_the_dog_on_other_cards_is_refused():
    party, seat = with_face(DOG, led=False)
    assert moved(party, seat, Lay((holding(party, seat)[DOG],))) == (Check.RULE, "T18")


def test_a_wish_without_the_mah_jong_and_a_lead_that_is_passed_are_refused():
    party, seat = moment(asked(Ask.TURN, led=True))
    hand = holding(party, seat)
    other = next(place for face, place in hand.items() if face < MAH_JONG)
    assert moved(party, seat, Lay((other,), 0, 5)) == (Check.RULE, "T19")
    assert moved(party, seat, Pass()) == (Check.RULE, "T22")


def test_the_mah_jong_that_is_falsely_claimed_is_refused():
    party, seat = moment(asked(Ask.CALL))
    place = next(p for f, p in holding(party, seat).items() if f != MAH_JONG)
    assert moved(party, seat, ShowMahJong(place)) == (Check.RULE, "T13")


def test_the_mah_jong_is_shown_once_and_only_before_the_first_lead():
    def shown(table, seat):
        return asked(Ask.CALL)(table, seat) and game_of(table).round.leader is not None

    for ready in (shown, asked(Ask.TURN), asked(Ask.HOLD)):
        party, seat = moment(ready)
        assert moved(party, seat, ShowMahJong(0)) == (Check.RULE, "T13")


# --- calls, windows, turns -------------------------------------------------------------------


def test_grand_tichu_after_the_ninth_card_is_refused():
    party, seat = moment(asked(Ask.CALL))
    assert refused(party, seat, [["MOVE", "grand", 1]]) == (Check.RULE, "T4")


def test_two_calls_and_a_late_one_are_refused():
    def called(table, seat):
        state = game_of(table).round
        full = len(state.held[seat]) == HAND if state.asked else False
        return asked(Ask.HOLD)(table, seat) and full and bool(state.calls[seat])

    def late(table, seat):
        return asked(Ask.HOLD)(table, seat) and len(game_of(table).round.held[seat]) < HAND

    for ready in (called, late):
        party, seat = moment(ready)
        assert moved(party, seat, Hold(tichu=True)) == (Check.RULE, "T10")


def test_who_is_asked_for_a_bomb_lays_nothing_else_and_skips_nothing():
    party, seat = moment(asked(Ask.HOLD))
    held = tuple(holding(party, seat).values())
    assert moved(party, seat, Pass()) == (Check.RULE, "T24")
    refusal = moved(party, seat, Lay(held[:1]))
    assert refusal[0] is Check.RULE
    assert refusal[1] in ("T16", "T17", "T18", "T24")


def test_another_seat_does_not_act_before_a_window_is_over():
    """Neither the next player, nor a bomber who has seen what comes after."""
    party, seat = moment(asked(Ask.HOLD))
    for other in SEATS:
        if other != seat:
            assert refused(party, other, [["MOVE", "hold", 0]])[0] is Check.TURN


def test_an_entry_under_another_seat_s_key_is_refused_and_blames_nobody():
    party, seat = moment(asked(Ask.TURN))
    other = Seat((seat + 1) % 4)
    forged = Party([*party.players], party.state, party.entries)
    forged.players[seat] = replace(party.players[seat], secrets=party.players[other].secrets)
    with pytest.raises(ProtocolViolationError) as caught:
        step(party.state, forged.signed(seat, [["MOVE", "pass", 0]]))
    assert (caught.value.check, caught.value.seat) == (Check.SIG, None)


def test_other_cards_than_three_of_the_own_hand_are_not_given():
    party, seat = moment(asked(Ask.PUSH))
    for places in ((0, 0, 1), (0, 1, HAND)):
        with pytest.raises(IllegalMoveError):
            decide(party.players[seat], party.table, GiveCards(places))
    assert refused(party, seat, [["MOVE", "give", 0]])[0] is Check.GRAMMAR


def test_the_trick_of_the_dragon_goes_to_an_opponent_alone():
    party, seat = moment(asked(Ask.GIFT))
    for receiver in (seat, (seat + 2) % 4):
        assert refused(party, seat, [["MOVE", "gift", receiver]]) == (Check.RULE, "T27")


FORMS_TRIED = [
    *(["MOVE", "gift", value] for value in (4, 2**53 - 1, b"x", "0", [0])),
    *(["MOVE", "lay", 0, 0, 0, value] for value in (0, 1 << HAND, b"\1", "1", [1])),
    *(["MOVE", "lay", 0, value, 0, 1] for value in (15, b"", "2", [2])),
    *(["MOVE", "lay", 0, 0, value, 1] for value in (15, b"", "2", [2])),
    *(["MOVE", "lay", value, 0, 0, 1] for value in (2, b"", "")),
    *(["MOVE", name, 2] for name in ("grand", "give", "hold", "pass")),
    ["MOVE", "open", 0, 14],
    ["MOVE", "hold"],
    ["MOVE", "bomb", 0],
]


@pytest.mark.parametrize("fields", FORMS_TRIED, ids=str)
def test_a_field_of_another_type_or_range_is_no_move(fields):
    party, seat = moment(asked(Ask.TURN))
    assert refused(party, seat, [fields])[0] is Check.ENCODING
