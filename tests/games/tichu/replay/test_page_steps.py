"""A game of Tichu in steps for a page: the same story as the replay, and the drawn state."""

import pytest

from matcha_p2p.games.tichu import events
from matcha_p2p.games.tichu.replay.page_steps import page_steps
from matcha_p2p.games.tichu.replay.steps import replay_of
from matcha_p2p.games.tichu.rules.cards import FACES
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.review.told import isolated
from tests.games.tichu.party import course
from tests.games.tichu.review.test_export import report

pytestmark = pytest.mark.slow


def test_each_look_tells_what_the_replay_tells():
    found = report(course(1))
    replay = replay_of(found, isolated)
    steps = page_steps(found)
    assert len(steps) == len(replay.steps)
    for at, step in enumerate(steps):
        for look, shown in (("open", (0, 1, 2, 3)), ("public", ()), ("2", (2,))):
            told = step.said.get(look, step.said["open"])
            assert list(told) == replay.sentences(at, shown)


def test_cards_of_hands_tricks_and_table_are_the_whole_deck_after_each_play():
    found = report(course(1))
    gone: list[int] = []
    trick: list[int] = []
    for step, told in zip(replay_of(found).steps, page_steps(found), strict=True):
        state = told.state
        if isinstance(step.event, Laid):
            trick += step.event.faces
            assert (state["top"], state["by"]) == (list(step.event.faces), step.event.seat)
        if isinstance(step.event, events.TrickTaken):
            gone += step.event.faces
            trick = []
        assert state["pile"] == trick
        if step.game.round.leader is not None:
            held = [face for hand in state["hands"] for face in hand]
            assert sorted([*held, *trick, *gone]) == list(FACES)
            assert [len(hand) for hand in state["hands"]] == state["counts"]


def test_round_in_play_has_no_open_hand():
    steps = page_steps(report(course(1), 200))
    assert any(step.state["kind"] == "laid" for step in steps)
    assert all(step.state["hands"] == [None] * 4 for step in steps)
    assert all(step.state["gifts"] is None for step in steps)


def test_step_needs_the_entries_up_to_its_event():
    found = report(course(1))
    whole = page_steps(found)
    assert [step.entries for step in whole] == sorted(step.entries for step in whole)
    assert whole[-1].entries <= len(found.accepted)
    for length in (60, 120, 200):
        part = page_steps(report(course(1), length))
        told = [step for step in whole if step.entries <= length]
        assert [step.said["public" if "public" in step.said else "open"] for step in told] == [
            step.said["open"] for step in part
        ]


def test_points_of_a_round_are_told_once_it_is_counted():
    counted = [step.state for step in page_steps(report(course(1))) if step.state["points"]]
    assert [(state["kind"], state["points"], state["totals"]) for state in counted] == [
        ("counted", [90, 10], [90, 10])
    ]
