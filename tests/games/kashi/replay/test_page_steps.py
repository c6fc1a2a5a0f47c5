"""A game of Kashi-ichi in steps for a page: the story of the replay."""

import pytest

from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.review.told import OPEN, isolated
from tests.review.exporting import told_steps
from tests.vectors import FOLDER

WHOLE = ["three.matcha", "four.matcha", "other-board.matcha"]


def report(file: str):
    found = verify_transcript((FOLDER / "kashi" / file).read_bytes())
    assert found.failure is None
    return found


@pytest.mark.parametrize("file", WHOLE)
def test_steps_tell_what_the_replay_tells(file):
    found = report(file)
    replay, steps = replay_of(found, written=isolated), told_steps(found)
    assert len(steps) == len(replay.steps)
    for at, step in enumerate(steps):
        assert list(step.said[OPEN]) == replay.sentences(at)
        assert step.event.get("seat") == getattr(replay.steps[at].event, "seat", None)
        assert step.entries == replay.steps[at].entries
