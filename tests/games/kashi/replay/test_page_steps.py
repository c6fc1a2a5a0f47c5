"""A game of Kashi-ichi in steps for a page: the story of the replay, and the drawn board."""

import pytest

from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games.kashi import events
from matcha_p2p.games.kashi.replay.page_steps import page_steps
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.review.told import OPEN, isolated
from tests.vectors import FOLDER

WHOLE = ["three.matcha", "four.matcha", "other-board.matcha"]


def report(file: str):
    found = verify_transcript((FOLDER / "kashi" / file).read_bytes())
    assert found.failure is None
    return found


@pytest.mark.parametrize("file", WHOLE)
def test_steps_tell_what_the_replay_tells_and_show_its_players(file):
    found = report(file)
    replay, steps = replay_of(found, isolated), page_steps(found)
    assert len(steps) == len(replay.steps)
    for at, step in enumerate(steps):
        assert list(step.said[OPEN]) == replay.sentences(at)
        keepers = replay.steps[at].game.players
        for shown, keeper in zip(step.state["players"], keepers, strict=True):
            assert (shown["person"], shown["shops"]) == (keeper.person, keeper.shops)
            assert (shown["points"], shown["goods"]) == (keeper.points, keeper.goods)


@pytest.mark.parametrize("file", WHOLE)
def test_way_of_a_turn_leads_from_the_old_square_to_the_new_square(file):
    found = report(file)
    before = None
    for step, told in zip(replay_of(found).steps, page_steps(found), strict=True):
        if isinstance(step.event, events.TurnTaken):
            seat = step.event.seat
            assert before is not None
            assert told.state["way"][0] == before.players[seat].person
            assert told.state["way"][-1] == step.game.players[seat].person
        before = step.game


def test_board_stands_at_the_first_step_alone():
    first, *rest = page_steps(report("turn.matcha"))
    assert first.state["board"]["grid"][0] == "5aa1abA"
    assert [0, "tea"] in first.state["board"]["tiles"]
    assert all(step.state["board"] is None for step in rest)
