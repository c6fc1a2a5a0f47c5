"""A replay and a page of Kashi-ichi step from mistake to mistake."""

from dataclasses import replace
from functools import cache

import pytest

from matcha_p2p.chain.verify import verified_transcript
from matcha_p2p.console.review.findings import beside
from matcha_p2p.console.review.replay import MistakeSearch
from matcha_p2p.games import game_of
from matcha_p2p.games.kashi.bots import judge
from matcha_p2p.games.kashi.bots.keen import Plan
from matcha_p2p.games.kashi.replay.state import watch
from matcha_p2p.games.kashi.rules.game import take_turn
from matcha_p2p.games.kashi.screen.routes import trodden
from matcha_p2p.games.kashi.table.events import TurnTaken
from matcha_p2p.games.kashi.table.signed import number_of
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.review.analysis import page_mistakes
from matcha_p2p.review.told import PageMistake, told_mistakes
from tests.console.frames import assert_as_reviewed
from tests.console.table.test_layout import LAYOUTS, page_of_advice
from tests.games.kashi.test_replay_screen import FILES, SCREENS, drawn, replayed, verified

pytestmark = pytest.mark.slow

WRONG = (12, 18, 31)
"""The steps of three turns that lose points; these tests judge no other turn."""


@cache
def found() -> tuple[PageMistake, ...]:
    """Return the mistakes among a few turns."""
    replay = replayed()
    kept = {replay.steps[at].event for at in WRONG}
    real, fine = judge.judged, judge.JudgedTurn(Plan((), None, 0), 0.0, 0.0, 0.0)

    def few(game, seat, made):
        return real(game, seat, made) if TurnTaken(seat, made) in kept else fine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "judged", few)
        return tuple(page_mistakes(game_of("kashi"), verified()))


def judged():
    return replace(watch(replayed()), judging=MistakeSearch(found(), done=True))


def test_turn_that_loses_points_is_a_mistake():
    assert tuple(mistake.step for mistake in found()) == WRONG
    for mistake in found():
        game, seat, actions, _ = mistake.told().board
        assert replayed().steps[mistake.step].event.seat == seat
        take_turn(game, seat, actions)  # the better turn is legal
        assert mistake.told().name == f"seat {seat}"


def test_turn_of_the_best_bot_loses_nothing():
    game, seat, actions, _ = found()[0].told().board
    again = judge.judged(game, seat, actions)
    assert again.better.actions == actions
    assert again.best == again.lead
    assert not again.is_mistake


def test_board_shows_the_market_before_a_mistake_with_the_better_way_lit():
    place = judged()
    for mistake in found():
        place = place.press("a")
        assert place.at == mistake.step
        game, seat, actions, made = mistake.told().board
        scene = place.scene()
        assert (scene.game, scene.seat) == (game, seat)
        assert scene.lit == trodden(game, game.players[seat].person, actions)
        assert scene.made == trodden(game, game.players[seat].person, made)
        assert scene.lesson == beside(place.mistake)
        assert place.mistake.marks["way"] == [number_of(game.board, it) for it, _ in scene.lit]
        for square in place.mistake.marks["shops"]:
            assert f"a shop on {square // 100},{square % 100}" in place.mistake.better
    assert place.press("A").at == WRONG[-2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_mistake_is_told_whole_on_the_pages_of_the_smallest_terminal(language):
    place = judged().press("a")  # the steps themselves are told in English
    speak(language)
    try:
        told = ""
        for _ in range(9):  # after the last page the first comes again
            place = place.press("p")
            told += page_of_advice(LAYOUTS["kashi"], place.scene(), (60, 16))
        for said in beside(place.mistake).split("\n"):
            assert "".join(said.split()) in told
    finally:
        speak("en")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (60, 16)])
def test_mistake_looks_as_reviewed(columns, rows):
    path = SCREENS / f"replay_mistake-{columns}x{rows}.txt"
    assert_as_reviewed(path, drawn(judged().press("a"), columns, rows))


def test_mistakes_are_told_in_each_language():
    sentences = told_mistakes(found())["sentences"]
    assert len({str(said) for said in sentences.values()}) == len(LANGUAGES)


def test_error_of_a_loss_has_the_sign_of_a_book_on_a_page():
    for (line, *_), mistake in zip(
        told_mistakes(found())["sentences"]["en"], found(), strict=True
    ):
        assert line.count("(±") == 1
        assert line.replace("±", "+-") == mistake.told().said()[0]


def test_page_tells_how_many_turns_are_judged(monkeypatch):
    monkeypatch.setattr(
        judge, "judged", lambda *_: judge.JudgedTurn(Plan((), None, 0), 0.0, 0.0, 0.0)
    )
    told: list[tuple[int, int]] = []
    mistakes = page_mistakes(game_of("kashi"), verified(), count=lambda *now: told.append(now))
    assert not tuple(mistakes)
    turns = sum(isinstance(step.event, TurnTaken) for step in replayed().steps)
    assert told == [(done, turns) for done in range(turns)]


def test_a_game_without_a_turn_is_not_judged():
    report = verified_transcript((FILES / "starting.matcha").read_bytes())
    assert page_mistakes(game_of("kashi"), report) is None
