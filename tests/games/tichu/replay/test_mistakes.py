"""A replay and a page of Tichu step from mistake to mistake."""

import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from matcha_p2p.console.review.findings import beside
from matcha_p2p.console.review.replay import (
    JUDGE,
    JudgedView,
    MistakeSearch,
    position_at,
)
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games import game_of
from matcha_p2p.games.tichu.bots.solving.core import core
from matcha_p2p.games.tichu.replay.state import watch
from matcha_p2p.games.tichu.review.analysis import MISTAKE
from matcha_p2p.games.tichu.review.mistakes import BetterMove
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.table.events import TurnPassed
from matcha_p2p.language import Sentence
from matcha_p2p.review.analysis import page_mistakes
from matcha_p2p.review.told import PageMistake, told_mistakes
from tests.console.frames import assert_as_reviewed
from tests.console.pseudo_terminal import Terminal
from tests.games.tichu.party import course
from tests.games.tichu.replay.test_screen import (
    FILE,
    SCREENS,
    drawn,
    pressed,
    replayed,
    verified,
)
from tests.games.tichu.review.test_export import report

pytestmark = pytest.mark.slow


@cache
def found() -> tuple[PageMistake, ...]:
    return tuple(page_mistakes(game_of("tichu"), verified()))


def judged():
    return replace(watch(replayed()), judging=MistakeSearch(found(), done=True))


def test_each_mistake_is_at_the_step_of_its_decision():
    steps = replayed().steps
    assert len(found()) > 2
    for mistake in found():
        seen = mistake.told().board.seen
        event = steps[mistake.step].event
        assert isinstance(event, Laid | TurnPassed)
        assert event.seat == seen.seat
        assert steps[mistake.step - 1].game.laid == seen.laid
        assert mistake.told().loss >= MISTAKE
        assert f"trick {seen.trick}" in mistake.told().place


def test_a_game_without_a_finished_round_is_not_judged():
    assert page_mistakes(game_of("tichu"), report(course(1), 200)) is None


def test_mistakes_are_told_in_each_language():
    sentences = told_mistakes(found())["sentences"]
    assert len({str(said) for said in sentences.values()}) == len(sentences)


def test_key_a_asks_for_the_judgement_once():
    view = JudgedView(SYMBOLS)
    state, asked = view.press(position_at(watch(replayed())), "a", 0.0)
    assert asked == JUDGE
    assert "The game is being read." in drawn(state.place)
    state, again = view.press(state, "a", 0.0)
    assert again is None
    assert state.place.at == 0


def test_key_a_is_offered_for_what_it_does_next():
    assert "a analysis" in drawn(watch(replayed()))
    assert "a next  A before" in drawn(judged())
    harmless = drawn(replace(watch(replayed()), judging=MistakeSearch((), done=True)))
    assert "no mistake to step to" in harmless
    assert " a " not in harmless.splitlines()[-1]


def test_keys_go_from_mistake_to_mistake_and_round_again():
    place, steps = judged(), [mistake.step for mistake in found()]
    for number, step in enumerate(steps, start=1):
        place = place.press("a")
        assert place.at == step
        assert f"Mistake {number} of {len(steps)}:" in drawn(place)
    assert place.press("a").at == steps[0]
    assert place.press("A").at == steps[-2]
    assert pressed(judged(), "A").at == steps[-1]


def test_board_shows_the_table_before_a_mistake_with_the_better_cards_lifted():
    place = judged()
    for _ in found():
        place = place.press("a")
        seen, places, made = place.mistake.board
        scene = place.scene()
        assert scene.seat == seen.seat
        assert scene.game.laid == seen.laid
        assert scene.marked == places
        assert places <= scene.held.keys()
        faces = {scene.held[each] for each in places}
        assert set(place.mistake.marks.get("cards", ())) == faces
        assert scene.made == made
        assert scene.lesson == beside(place.mistake)
        for size in ((60, 16), (80, 24), (120, 40)):  # the marks are in sight
            hand = "".join(
                line for line in drawn(place, *size).splitlines() if "played" not in line
            )
            assert ("!" in hand) == bool(made)
            assert "[" not in hand
    assert any(mistake.told().board.places for mistake in found())


@pytest.mark.skipif(core() is None, reason="keen judges less without the compiled core")
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (60, 16)])
def test_mistake_looks_as_reviewed(columns, rows):
    path = SCREENS / f"replay_mistake-{columns}x{rows}.txt"
    assert_as_reviewed(path, drawn(judged().press("a"), columns, rows))


def test_number_of_mistakes_is_told_at_each_other_step():
    count = len(found())
    judging = MistakeSearch(found(), judged=7, all=90)
    place = replace(watch(replayed()), judging=judging)
    assert f"Judged 7 of 90; mistakes so far: {count}." in drawn(place)
    assert f"Judged; mistakes: {count}." in drawn(judged())


def test_live_game_is_not_judged():
    live = replace(watch(replayed()), live=Sentence("Step {number} of {count}, live."))
    assert live.press("a") == live
    assert "a analysis" not in drawn(live)


def test_steps_of_mistakes_ascend():
    assert all(one.step < two.step for one, two in pairwise(found()))
    assert all(isinstance(mistake.told().board, BetterMove) for mistake in found())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_mistakes_are_found_and_shown_on_a_terminal(tmp_path):
    with Terminal(tmp_path, "replay", str(FILE)) as terminal:
        terminal.until("Step 1 of 97")
        terminal.type("a")
        terminal.until("; mistakes so far: 0.")
        terminal.until(f"Judged; mistakes: {len(found())}.")
        terminal.type("a")
        terminal.until(f"Mistake 1 of {len(found())}:")
        terminal.type("q")
        assert terminal.end() == 0
