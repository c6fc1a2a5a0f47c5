"""How long a round lasts on the screen in practice, by a clock of its own."""

import random
import statistics

import pytest

from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.tichu.answers import undecided
from matcha_p2p.games.tichu.bots.hint import advise
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.lessons.lessons import Deal
from matcha_p2p.games.tichu.lessons.tutorial import Classroom
from matcha_p2p.games.tichu.rules.cards import FACES, TEXTS
from matcha_p2p.games.tichu.screen.screen import TichuView
from matcha_p2p.narration.news import News
from tests.games.tichu.screen.scenes import YOU


def lasts(seed: int, speed: Speed) -> float:
    """Return the seconds of a round in which seat 0 answers each question at once."""
    chance, now = random.Random(seed), 0.0
    view = TichuView(Look(SYMBOLS, speed=speed), advise)
    state = view.begin(YOU)

    def hear(news: News) -> None:
        nonlocal state
        state, _ = view.hear(state, news, now)

    room, club = Classroom(hear, "Anna"), BOTS["club"]
    cards = [TEXTS[face] for face in chance.sample(FACES, 56)]
    first, second, third, fourth = (" ".join(cards[14 * seat :][:14]) for seat in range(4))
    room.deal(Deal((first, second, third, fourth), ("", "", "", ""), (), ()))
    while room.game.number == 1 and not room.game.is_over:
        seat = room.game.round.asked[0][0]
        seen = room.view(seat)
        if seat == YOU and undecided(seen, calls=False) is None:
            now += state.lasts(now)
        room.make(club.choose(seen, chance))
    return now + state.lasts(now)


@pytest.mark.slow
def test_a_round_lasts_a_minute_at_normal_speed():
    seconds = [lasts(seed, Speed.NORMAL) for seed in range(20)]
    assert 45 < statistics.median(seconds) < 70
    slow = [lasts(seed, Speed.SLOW) for seed in range(5)]
    assert slow == pytest.approx([1.6 * each for each in seconds[:5]])
    for seed in range(5):  # no card is seen on its way
        assert 0.3 * seconds[seed] < lasts(seed, Speed.FAST) < 0.4 * seconds[seed]
    assert lasts(0, Speed.OFF) == 0
