"""The answers of each bot: legal, blind to hidden hands, and sensible."""

import random
from dataclasses import replace

import pytest

from matcha_p2p.games.tichu.bots import BOT_NAMES, LEVELS
from matcha_p2p.games.tichu.bots.answers import HOLD, PASS, TICHU, GiveDragon
from matcha_p2p.games.tichu.bots.arena import OpenRound, arena, deal
from matcha_p2p.games.tichu.bots.observation import FaceView
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.rules.audit import audit
from matcha_p2p.games.tichu.rules.cards import MAH_JONG, TEXTS
from matcha_p2p.games.tichu.rules.moves import legal_plays
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, Variant
from matcha_p2p.games.tichu.rules.scoring import score
from tests.games.tichu.rules.table import faces, go, opened

CLUB, KEEN = BOTS["club"], BOTS["keen"]


def table_of(seed, **variant):
    return OpenRound(Variant(**variant), SEATS[seed % 4], deal(random.Random(seed)))


def answered(state, hands, bot=CLUB, given=()):
    """Return what the bot answers that is asked now."""
    seat = state.speaker
    hand = tuple(sorted(hands[seat][place] for place in state.held[seat]))
    return bot.choose(FaceView(state, seat, hand, given), random.Random(0))


def text(move):
    return " ".join(TEXTS[face] for face in move.play.faces)


@pytest.mark.parametrize("every_window", [True, False])
@pytest.mark.parametrize("name", BOT_NAMES)
def test_each_answer_is_legal(name, every_window):
    table, rng = table_of(0, every_window=every_window), random.Random(0)
    while (seat := table.state.speaker) is not None:
        seen = table.seen(seat)
        move = BOTS[name].choose(seen, rng)
        assert move in seen.legal_moves()
        table.take(seat, move)
    assert audit(table.state, table.hands) is None
    assert sum(score(table.state)) % 100 == 0


@pytest.mark.parametrize("name", ["club", "keen"])
def test_bot_does_not_see_hidden_hands(name):
    """The unseen cards are exchanged among the others; the same seed gives the same answer."""
    table, rng, mixing = table_of(9), random.Random(9), random.Random(10)
    while (seat := table.state.speaker) is not None:
        move = BOTS[name].choose(table.seen(seat), random.Random(1))
        if table.state.leader is not None:
            hands = [list(hand) for hand in table.hands]
            known = set(table.given[seat])
            hidden = [
                (other, place)
                for other in SEATS
                for place in table.state.held[other]
                if other != seat and hands[other][place] not in known
            ]
            drawn = [hands[other][place] for other, place in hidden]
            mixing.shuffle(drawn)
            for (other, place), face in zip(hidden, drawn, strict=True):
                table.hands[other][place] = face
            assert BOTS[name].choose(table.seen(seat), random.Random(1)) == move
            table.hands = hands
        table.take(seat, BOTS[name].choose(table.seen(seat), rng))


def test_keen_answers_at_once_in_a_window_without_a_bomb():
    """A search over no worlds would fail, so no search is made."""
    table, rng, windows = table_of(0), random.Random(0), 0
    hasty = replace(KEEN, cards=56, worlds=0)
    while (seat := table.state.speaker) is not None:
        seen = table.seen(seat)
        if seen.ask is Ask.HOLD and not legal_plays(seen.state, seen.hand):
            windows += 1
            assert hasty.choose(seen, rng) == HOLD
        table.take(seat, CLUB.choose(seen, rng))
    assert windows > 20


def test_bots_are_known_by_name():
    assert tuple(BOTS) == BOT_NAMES
    assert all(name == bot.name for name, bot in BOTS.items())
    assert set(LEVELS) < set(BOTS)


def test_club_leads_its_lowest_long_part():
    state, hands = opened("M R2 G3 B4 K5 G9 K9 KK", "RA", "GA", "BA")
    assert text(answered(state, hands)) == "M R2 G3 B4 K5"


def test_club_follows_with_its_weakest_whole_part():
    state, hands = opened("M R5 G7", "R6 R9 G9 GK RA", "R7 B7 K8", "BA B2 R8")
    state = go(state, hands, "0 R5")
    assert text(answered(state, hands)) == "R6"


def test_club_leaves_a_high_trick_to_its_partner():
    state, hands = opened("M RK R5", "R2 G2", "RA R8 K9", "BA B2 R8")
    state = go(state, hands, "0 RK", "1 pass")
    assert answered(state, hands) == PASS


def test_club_bombs_an_enemy_at_the_last_call_for_points():
    bomb = "R3 G3 B3 K3"
    state, hands = opened("M RK GK R5 G5", f"{bomb} R6 R8 GT", "R4 G4 G9", "B2 K2 G8")
    state = go(state, hands, "0 RK GK")
    assert answered(state, hands) == PASS
    state = go(state, hands, "1 pass", "1 hold", "2 pass", "1 hold", "3 pass")
    assert text(answered(state, hands)) == bomb


def test_club_gives_the_trick_of_the_dragon_to_the_fuller_hand():
    state, hands = opened("M D R5", "R2 G2", "RA R8 K9", "BA B2 R8")
    state = go(state, hands, "0 D", "1 pass", "2 pass", "3 pass")
    assert answered(state, hands) == GiveDragon(3)


def test_club_gives_low_cards_to_enemies_and_a_high_one_to_its_partner():
    table = table_of(0)
    for seat in SEATS:
        table.take(seat, CLUB.choose(table.seen(seat), random.Random(0)))
    table.hands[0] = faces("R2 G4 R6 B6 R8 G8 B9 K9 RJ GJ GQ RQ BK KA")
    assert set(CLUB.choose(table.seen(0), random.Random(0)).faces[::2]) == set(faces("R2 G4"))
    assert TEXTS[CLUB.choose(table.seen(0), random.Random(0)).faces[1]] in ("BK", "KA")


def test_club_wishes_what_it_gave_to_the_next_enemy():
    state, hands = opened("M R9 GK", "R2 G7", "RA R8 K9", "BA B2 R8")
    gifts = tuple(faces("G7 RA BA"))
    assert answered(state, hands, given=gifts).wish == 7
    assert answered(state, hands).wish == 14
    assert MAH_JONG in answered(state, hands).play.faces


def test_club_calls_with_a_hand_that_wins_most_tricks():
    table = table_of(0)
    strong = "R3 D P RA GA BA RK GK BK RQ GQ R9 G9 M"
    for hand, answer in ((strong, TICHU), ("R2 G3 B5 R7 G8 BT K4 RJ G6 K9 BQ H RK G2", HOLD)):
        seen = replace(table.seen(0), hand=tuple(sorted(faces(hand))))
        asked = ((SEATS[0], Ask.CALL),)
        state = seen.state._replace(asked=asked, held=(frozenset(range(14)),) * 4)
        assert CLUB.choose(replace(seen, state=state), random.Random(0)) == answer


@pytest.mark.slow
def test_club_beats_uniform_clearly():
    result = arena((CLUB, BOTS["uniform"]), range(12), 7)
    assert result.mean - result.reach > 100


@pytest.mark.slow
def test_keen_beats_club():
    result = arena((KEEN, CLUB), range(100), 5)
    assert result.mean - result.reach > 0
