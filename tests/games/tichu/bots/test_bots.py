"""The answers of each bot: legal, blind to hidden hands, and sensible."""

import random
from dataclasses import replace

import pytest

from matcha_p2p.games.tichu.bots import NAMES, keen
from matcha_p2p.games.tichu.bots.arena import OpenRound, arena
from matcha_p2p.games.tichu.bots.arena import deal as dealt
from matcha_p2p.games.tichu.bots.dealing import deal, unseen_by
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.bots.solving.calls import log_odds
from matcha_p2p.games.tichu.bots.solving.core import Unseen, core
from matcha_p2p.games.tichu.bots.solving.gifts import holders
from matcha_p2p.games.tichu.rules.actions import (
    GiveCards,
    GiveTrick,
    Hold,
    Lay,
    Pass,
    ShowMahJong,
)
from matcha_p2p.games.tichu.rules.audit import audit
from matcha_p2p.games.tichu.rules.cards import FACES, NUMBERS, TEXTS
from matcha_p2p.games.tichu.rules.moves import legal_plays
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, Variant, new_round
from matcha_p2p.games.tichu.rules.scoring import score
from tests.games.tichu.rules.table import faces, go, opened

CLUB, KEEN = BOTS["club"], BOTS["keen"]


def table_of(seed, **variant):
    return OpenRound(Variant(**variant), SEATS[seed % 4], dealt(random.Random(seed)))


def answered(state, hands):
    """Return what club answers where ``hands`` are held."""
    seen = Observation(state, state.speaker, tuple(hands[state.speaker]), (), 1, (0, 0))
    return CLUB.choose(seen, random.Random(0))


def laid(state, hands):
    """Return the cards that club lays, in the order of the hand."""
    return " ".join(TEXTS[hands[state.speaker][at]] for at in answered(state, hands).places)


@pytest.mark.parametrize("every_window", [True, False])
@pytest.mark.parametrize("name", NAMES.names)
def test_each_answer_is_legal(name, every_window):
    table, rng = table_of(0, every_window=every_window), random.Random(0)
    while (seat := table.state.speaker) is not None:
        table.take(seat, BOTS[name].choose(table.seen(seat), rng))
    assert audit(table.state, table.hands) is None
    assert sum(score(table.state)) % 100 == 0


@pytest.mark.parametrize("name", NAMES.names)
def test_bot_does_not_see_hidden_hands(name):
    """The unseen cards are exchanged among the others; the same seed gives the same answer."""
    table, mixing = table_of(9), random.Random(10)
    while (seat := table.state.speaker) is not None:
        seed = mixing.random()
        move = BOTS[name].choose(table.seen(seat), random.Random(seed))
        hands = [list(hand) for hand in table.hands]
        places = [(each, at) for each in SEATS if each != seat for at in table.state.held[each]]
        drawn = [hands[other][place] for other, place in places]
        mixing.shuffle(drawn)
        for (other, place), face in zip(places, drawn, strict=True):
            table.hands[other][place] = face
        assert BOTS[name].choose(table.seen(seat), random.Random(seed)) == move
        table.hands = hands
        table.take(seat, move)


def test_keen_answers_at_once_in_a_window_without_a_bomb():
    """A search over no worlds would fail, so no search is made."""
    table, rng, windows = table_of(0), random.Random(0), 0
    hasty = replace(KEEN, cards=56, worlds=0)
    while (seat := table.state.speaker) is not None:
        seen = table.seen(seat)
        if seen.asked is Ask.HOLD and not legal_plays(seen.state, seen.held.values()):
            windows += 1
            assert hasty.choose(seen, rng) == Hold()
        table.take(seat, CLUB.choose(seen, rng))
    assert windows > 20


def test_keen_tries_moves_of_the_whole_round_where_the_core_is_compiled():
    assert KEEN is keen.KEEN
    assert (core() is None) == (KEEN.cards < len(FACES))


def test_bots_are_known_by_name():
    assert tuple(BOTS) == NAMES.names
    assert all(name == bot.name for name, bot in BOTS.items())
    assert set(NAMES.levels) < set(BOTS)


def test_club_leads_its_lowest_long_part():
    state, hands = opened("M R2 G3 B4 K5 G9 K9 KK", "RA", "GA", "BA")
    assert laid(state, hands) == "M R2 G3 B4 K5"


def test_a_beginner_leaves_grand_tichu_alone_where_club_calls():
    hand = tuple(faces("R2 R3 RA GA BA KA P D"))
    seen = Observation(new_round(Variant(), SEATS[0]), SEATS[0], hand, (), 1, (0, 0))
    assert CLUB.choose(seen, random.Random(0)).called
    assert not any(BOTS["beginner"].choose(seen, random.Random(n)).called for n in range(9))


def test_club_follows_with_its_weakest_whole_part():
    state, hands = opened("M R5 G7", "R6 R9 G9 GK RA", "R7 B7 K8", "BA B2 R8")
    state = go(state, hands, "0 R5")
    assert laid(state, hands) == "R6"


def test_club_leaves_a_high_trick_to_its_partner():
    state, hands = opened("M RK R5", "R2 G2", "RA R8 K9", "BA B2 R8")
    state = go(state, hands, "0 RK", "1 pass")
    assert answered(state, hands) == Pass()


def test_club_bombs_an_enemy_at_the_last_call_for_points():
    bomb = "R3 G3 B3 K3"
    state, hands = opened("M RK GK R5 G5", f"{bomb} R6 R8 GT", "R4 G4 G9", "B2 K2 G8")
    state = go(state, hands, "0 RK GK")
    assert answered(state, hands) == Pass()
    state = go(state, hands, "1 pass", "1 hold", "2 pass", "1 hold", "3 pass")
    assert laid(state, hands) == bomb


def test_club_gives_the_trick_of_the_dragon_to_the_fuller_hand():
    state, hands = opened("M D R5", "R2 G2", "RA R8 K9", "BA B2 R8")
    state = go(state, hands, "0 D", "1 pass", "2 pass", "3 pass")
    assert answered(state, hands) == GiveTrick(3)


def test_club_gives_low_cards_to_enemies_and_a_high_one_to_its_partner():
    table = table_of(0)
    for seat in SEATS:
        table.take(seat, CLUB.choose(table.seen(seat), random.Random(0)))
    table.hands[0] = faces("R2 G4 R6 B6 R8 G8 B9 K9 RJ GJ GQ RQ BK KA")
    right, partner, left = CLUB.choose(table.seen(0), random.Random(0)).places
    assert {right, left} == {0, 1}
    assert TEXTS[table.hands[0][partner]] in ("BK", "KA")


class Swapping:
    """Plays as club does, but gives the same three cards to other receivers."""

    name = "swapping"

    def choose(self, seen, rng):
        move = CLUB.choose(seen, rng)
        if not isinstance(move, GiveCards):
            return move
        right, partner, left = move.places
        return GiveCards((partner, left, right))


GIVERS = pytest.mark.parametrize("giver", [CLUB, BOTS["uniform"], Swapping()])


def after_exchange(seed, giver=CLUB):
    table = table_of(seed)
    while table.state.asked[0][1] is not Ask.CALL:
        seat = table.state.speaker
        table.take(seat, giver.choose(table.seen(seat), random.Random(0)))
    return table


@GIVERS
@pytest.mark.parametrize("seed", range(5))
def test_seat_knows_who_holds_its_gifts(seed, giver):
    table = after_exchange(seed, giver)
    for seat in SEATS:
        known = holders(table.seen(seat))
        assert [*known] == [*table.given[seat]]
        assert [*known.values()] == [(seat + steps) % 4 for steps in (1, 2, 3)]


@GIVERS
@pytest.mark.parametrize("seed", range(3))
def test_keen_judges_with_each_gift_in_the_hand_that_got_it(seed, giver):
    table, rng, judged = after_exchange(seed, giver), random.Random(seed), 0
    while (seat := table.state.speaker) is not None:
        seen = table.seen(seat)
        if KEEN.judges(seen):
            hands = deal(unseen_by(seen), 2, rng.getrandbits(64))
            assert [*map(len, hands)] == [*map(len, table.state.held)]
            for steps, face in enumerate(seen.given, 1):
                receiver = (seat + steps) % 4
                place = table.hands[receiver].index(face)
                assert (face in hands[receiver]) == (place in table.state.held[receiver])
            judged += len(replace(KEEN, worlds=2).judge(seen, rng).moves) > 1
        table.take(seat, CLUB.choose(seen, rng))
    assert judged


def test_seat_that_has_laid_a_five_alone_seldom_has_another():
    first, second, seven = faces("R5 G5 G7")
    unseen = Unseen(
        (second, seven), ((),) * 4, ((), (first,), (), ()), (0, 1, 0, 1), (0,) * 4, seat=0
    )
    found = [deal(unseen, 9, seed)[1:4:2] for seed in range(200)]
    assert 25 < found.count(((second,), (seven,))) < 75


def test_caller_is_dealt_a_hand_that_is_worth_a_call():
    own, hidden = tuple(FACES[:14]), tuple(FACES[14:])
    unseen = Unseen(
        hidden, (own, (), (), ()), ((),) * 4, (0, 14, 14, 14), (0, 0, 0, 100), seat=0
    )
    found = [deal(unseen, 100, seed) for seed in range(50)]
    assert all([*map(len, hands)] == [14] * 4 for hands in found)
    assert sum(log_odds(hands[3]) > 0 for hands in found) > 25


def test_partner_is_dealt_more_low_cards_than_an_enemy():
    own, hidden = tuple(FACES[4:18]), (*FACES[:4], *FACES[18:])
    unseen = Unseen(hidden, (own, (), (), ()), ((),) * 4, (0, 14, 14, 14), (0,) * 4, seat=0)
    low = [0] * 4
    for hands in (deal(unseen, 100, seed) for seed in range(200)):
        for seat in SEATS:
            low[seat] += sum(2 <= NUMBERS[face] <= 6 for face in hands[seat])
    assert low[2] > 1.05 * max(low[1], low[3])


def test_club_wishes_what_it_gave_to_the_next_enemy():
    table = after_exchange(1)
    while table.state.under is None:
        seat = table.state.speaker
        table.take(seat, CLUB.choose(table.seen(seat), random.Random(0)))
    (given, *_) = table.given[table.state.leader]
    assert table.state.wish == NUMBERS[given]


def test_club_that_knows_no_gifts_wishes_the_highest_number_of_the_others():
    state, hands = opened("M R9 GK", "R2 G7", "RA R8 K9", "BA B2 R8")
    assert answered(state, hands) == Lay((0,), wish=14)


def test_club_calls_with_a_hand_that_wins_most_tricks():
    state = new_round(Variant(), SEATS[0])
    state = state._replace(asked=((SEATS[0], Ask.CALL),), held=(frozenset(range(14)),) * 4)
    strong = "R3 D P RA GA BA RK GK BK RQ GQ R9 G9 M"
    assert answered(state, [faces(strong)]) == ShowMahJong(13, tichu=True)
    assert answered(state, [faces("R2 G3 B5 R7 G8 BT K4 RJ G6 K9 BQ H RK G2")]) == Hold()


def test_keen_calls_with_a_hand_that_is_nearly_worth_a_call_of_club():
    state = new_round(Variant(), SEATS[0])
    state = state._replace(asked=((SEATS[0], Ask.CALL),), held=(frozenset(range(14)),) * 4)
    hand = tuple(faces("R8 RQ G4 G5 G7 G9 GK B3 B6 BT BJ K6 KT D"))
    seen = Observation(state, SEATS[0], hand, (), 1, (0, 0))
    assert CLUB.choose(seen, random.Random(0)) == Hold()
    assert KEEN.choose(seen, random.Random(0)) == Hold(tichu=True)


@pytest.mark.slow
def test_club_beats_uniform_clearly():
    result = arena((CLUB, BOTS["uniform"]), range(12), 7)
    assert result.mean - result.reach > 100


@pytest.mark.slow
def test_keen_beats_club():
    result = arena((KEEN, CLUB), range(40), 5)
    assert result.mean - result.reach > 0
