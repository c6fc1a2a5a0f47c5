"""Hints of rounds 1 and 2 about hands follow from public facts, and have worth."""

import math

import numpy as np
import pytest
from training import tells

from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.solving.endings import ending_of, types_of
from matcha_p2p.games.matcha.bots.solving.tells import Habits, past_of, scenes, weights_of
from matcha_p2p.games.matcha.rules.edition import EDITION_2020, EDITIONS
from matcha_p2p.games.matcha.rules.phases import Placing
from tests.games.matcha.bots.positions import endings, few_or, observations


def of_set(seen, number):
    """Return the observations in the rounds of set ``number``."""
    return [
        it for it in seen if isinstance(it.game.phase, Placing) and it.game.number == number
    ]


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
def test_scenes_show_the_knowledge_of_the_players(edition):
    """Scenes agree with the past and its tokens, and with the games before the past existed."""
    checked = 0
    seen = observations(edition, "scenes")
    for number in {it.game.number for it in seen}:
        games = [it.game for it in of_set(seen, number)]
        if len(games[-1].rounds) < 3:
            continue
        past = past_of(games[-1])
        assert past.tokens == games[0].tokens
        told = {(it.number, it.turns): it for it, turn in scenes(past) if not turn.auto}
        for game in games:
            if len(game.rounds) < 3:
                scene = told.pop((len(game.rounds), game.rounds[-1].turns))
                assert scene.tokens == game.tokens
                assert scene.held == tuple(map(len, game.hands))
                assert scene.seat == game.phase.to_move
                assert scene.past == past_of(game)
                checked += 1
        assert not told
    assert checked


@few_or(20, few=3)
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
def test_each_type_has_a_weight(edition, count):
    for seen in endings(edition, "weights", count):
        ending, past = ending_of(seen.game), past_of(seen.game)
        found = weights_of(ending, past)
        for seat in (0, 1):
            assert set(found[seat]) == set(types_of(ending, seat))
            assert min(found[seat].values()) > 0
        assert weights_of(ending, past) == found


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
def test_habits_foretell_the_moves_of_a_bot(edition):
    habits = Habits.of(edition)
    told, nothing, count = 0.0, 0.0, 0
    for moves, made in tells.decisions(edition, BOTS["greedy"], 10, "foretold"):
        likely = [habits.likely(inputs) for inputs in moves]
        told -= math.log(likely[made] / sum(likely))
        nothing += math.log(len(moves))
        count += 1
    assert told / count < nothing / count - 0.1


@few_or(40, few=8)
def test_network_learns_and_is_stored_as_it_is(tmp_path, monkeypatch, count):
    monkeypatch.setattr(tells, "FOLDER", tmp_path)
    monkeypatch.setattr("matcha_p2p.games.matcha.bots.solving.tells.FOLDER", tmp_path)
    found = list(tells.decisions(EDITION_2020, BOTS["greedy"], count, "learnt"))
    network, entropy, nothing = tells.fitted(found, "learnt")
    assert entropy < nothing - 0.1
    tells.write(EDITION_2020, network)
    habits = Habits.of.__wrapped__(Habits, EDITION_2020)
    moves, _ = found[0]
    inputs = np.array([moves], np.float32)
    chances, _ = network.chances(inputs, np.ones((1, len(moves)), bool))
    likely = [habits.likely(each) for each in moves]
    assert [it / sum(likely) for it in likely] == pytest.approx(list(chances[0]), abs=0.02)
