"""The odds beside the table, in practice: compared with a count of all hands."""

from dataclasses import replace
from itertools import combinations

import pytest

from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.matcha.rules.cards import DEMANDS, matches
from matcha_p2p.games.matcha.rules.observation import unseen
from matcha_p2p.games.matcha.screen.odds import odds
from matcha_p2p.language import LANGUAGES, speak
from tests.console.frames import draw
from tests.console.scenes import Story, first_move


def later():
    """Both players have shown two cards in round 1."""
    return Story().deal().play("1a", "1a", "3b", "4b").scene


@pytest.mark.parametrize(("scene", "known"), [(first_move, 0), (later, 2)])
def test_odds_are_those_of_all_hands_that_are_left(scene, known):
    seen = scene().question.observation
    hidden = unseen(seen)
    turned = [each.cards[1] for round_ in seen.game.rounds for each in round_.resolutions]
    shown = sum(card is not None for card in turned)
    assert shown == known
    hands = list(combinations(range(len(hidden)), 5 - shown))
    found = odds(seen)
    assert [each.mat for each in found] == list(range(2 * (len(seen.game.rounds) - 1), 6))
    for each in found:
        fits = [matches(DEMANDS[each.mat], seen.game.table[each.mat], card) for card in hidden]
        assert (each.matching, each.hidden) == (sum(fits), len(hidden))
        share = sum(any(fits[at] for at in hand) for hand in hands) / len(hands)
        assert each.held == pytest.approx(share)


def test_nothing_is_expected_of_a_player_who_can_lay_nothing_more():
    """After a pass at the mats of this round; without a card at all mats."""
    passed = replace(Story().deal().play("1a", "p").scene, advise=lambda _: None)
    seen = passed.question.observation
    assert [each.held is None for each in odds(seen)] == [True] * 2 + [False] * 4
    assert "MINA HAS ONE" in text(passed, 120, 40).upper()
    empty = seen._replace(game=seen.game._replace(hands=(seen.game.hands[0], frozenset())))
    assert {each.held for each in odds(empty)} == {None}
    alone = text(replace(passed, question=passed.question._replace(observation=empty)), 120, 40)
    assert "HIDDEN CARDS THAT MATCH" in alone
    assert "HAS ONE" not in alone
    assert "%" not in alone


def text(scene, columns, rows):
    return "\n".join(
        "".join(part for _, part in line) for line in draw(scene, columns, rows, SYMBOLS)
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_odds_stand_beside_the_table_in_practice_alone(language, restored):
    speak(language)
    practice = replace(first_move(), advise=lambda _: None)
    shown = text(practice, 120, 40)
    for each in odds(practice.question.observation):
        assert f"{each.held:.0%}" in shown
    assert "%" not in text(first_move(), 120, 40)
