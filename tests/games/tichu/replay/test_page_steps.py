"""Steps of a page of Tichu tell the story of the replay, with an event for each step."""

import pytest

from matcha_p2p.games.tichu.replay.steps import replay_of
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.review.steps import Viewpoint
from matcha_p2p.review.told import isolated
from matcha_p2p.seats import Seat
from tests.games.tichu.party import course
from tests.games.tichu.review.test_export import report
from tests.review.exporting import told_steps

pytestmark = pytest.mark.slow


def test_each_look_tells_what_the_replay_tells():
    found = report(course(1))
    replay = replay_of(found, written=isolated)
    steps = told_steps(found)
    assert len(steps) == len(replay.steps)
    for at, step in enumerate(steps):
        for look, shown in (("open", (0, 1, 2, 3)), ("public", ()), ("2", (2,))):
            told = step.said.get(look, step.said["open"])
            assert list(told) == replay.sentences(at, Viewpoint(Seat(0), shown))


def test_event_has_its_kind_its_round_and_its_seat():
    found = report(course(1))
    laid = [step.event for step in told_steps(found) if step.event["kind"] == "laid"]
    plays = [step for step in replay_of(found).steps if isinstance(step.event, Laid)]
    assert [(event["round"], event["seat"]) for event in laid] == [
        (play.game.number, play.event.seat) for play in plays
    ]


def test_gifts_stand_at_the_first_lead_if_all_books_are_open():
    for opened, count in (((), 0), ((0, 1, 2), 0), ((0, 1, 2, 3), 1)):
        steps = told_steps(report(course(1), opened=opened))
        given = [step.event for step in steps if "gifts" in step.event]
        assert [event["kind"] for event in given] == ["mah-jong-shown"] * count


def test_step_needs_the_entries_up_to_its_event():
    found = report(course(1))
    whole = told_steps(found)
    assert [step.entries for step in whole] == sorted(step.entries for step in whole)
    assert whole[-1].entries <= len(found.accepted)
    for length in (60, 120, 200):
        part = told_steps(report(course(1), length))
        told = [step for step in whole if step.entries <= length]
        assert [step.said["public" if "public" in step.said else "open"] for step in told] == [
            step.said["open"] for step in part
        ]
