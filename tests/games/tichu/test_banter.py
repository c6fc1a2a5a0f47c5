"""What a bot says at a table of Tichu: now and then, and nothing about its cards."""

from typing import Any

from matcha_p2p.games.tichu.banter import Talker
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.table.events import (
    Called,
    HandSeen,
    RoundBegun,
    TrickTaken,
    WentOut,
)
from matcha_p2p.games.tichu.table.steps import new_game
from matcha_p2p.narration.news import News
from matcha_p2p.session.news import GameEvent, Settled
from matcha_p2p.wire.talk import PHRASES

GAME = new_game("round", 4)
ME, PARTNER, OPPONENT = SEATS[1], SEATS[3], SEATS[2]


def said(seed: int, seat, *events: Any) -> list[int]:
    talker = Talker(seed)
    heard: list[News] = [GameEvent(event, GAME) for event in events]
    remarks = [talker.remark(news, seat) for news in (*heard, Settled(b""))]
    return [remark.phrase.number for remark in remarks if remark is not None]


def numbers(seat, *events) -> set[int]:
    return {number for seed in range(200) for number in said(seed, seat, *events)} - {9}


def test_bot_makes_a_remark_now_and_then():
    round_ = [RoundBegun(1, ME), *(TrickTaken(seat, (), seat) for seat in SEATS * 3)]
    counts = [len(said(seed, ME, *round_, WentOut(OPPONENT, 0))) for seed in range(50)]
    assert 0 < sum(counts) < 50 * 4
    assert max(counts) <= 4


def test_bots_with_one_seed_do_not_speak_as_one():
    greetings = [[said(seed, seat, RoundBegun(1, ME)) for seat in SEATS] for seed in range(20)]
    assert any(words[0] != words[1] for words in greetings)


def test_a_call_is_boasted_of_praised_or_doubted():
    assert numbers(ME, Called(ME, 100)) == {1, 3}
    assert numbers(ME, Called(PARTNER, 100)) == {5}
    assert numbers(ME, Called(OPPONENT, 200)) == {4}
    assert all(0 < number <= PHRASES for number in numbers(ME, Called(ME, 100)))


def test_nobody_praises_itself():
    assert numbers(ME, WentOut(ME, 0)) == set()
    assert numbers(ME, WentOut(PARTNER, 0)) == {5}


def test_remarks_do_not_depend_on_cards():
    play = Laid(ME, (0,), 0, 0, leads=True)
    taken = TrickTaken(ME, (0,), ME)
    for seed in range(50):
        assert said(seed, ME, HandSeen((0, 1)), play, taken) == said(
            seed, ME, HandSeen((7, 9)), play._replace(cards=(9,)), TrickTaken(ME, (9,), ME)
        )
