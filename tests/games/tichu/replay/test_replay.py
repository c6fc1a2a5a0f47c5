"""``matcha replay`` of Tichu: every event by name, with all hands once a round is over."""

import pytest

from matcha_p2p.games.game import Words
from matcha_p2p.games.tichu.replay import steps
from matcha_p2p.games.tichu.table.events import MahJongShown
from matcha_p2p.games.tichu.words.onlooker import Onlooker
from tests.app.library.test_verify_and_export import run
from tests.games.tichu.party import course
from tests.games.tichu.review.test_export import kept, report, transcript

pytestmark = pytest.mark.slow

WORDS: Words = Onlooker(("Mina", "Anna", "Bea", "Carl"))


def lines(tmp_path, data: bytes, *options: str) -> list[str]:
    result = run("replay", "--ui", "line", kept(tmp_path, data), *options)
    assert result.exit_code == 0
    return result.stdout.splitlines()


def test_every_play_and_the_end_are_told_by_name(tmp_path):
    told = lines(tmp_path, transcript(course(1)))
    assert told[0] == "A valid game of seat 0, seat 1, seat 2, seat 3: COMPLETE."
    plays = [move for _, move in course(1).decided if hasattr(move, "wild")]
    assert len([line for line in told if "cards left" in line]) == len(plays)
    assert not [line for line in told if "you" in line.lower().split()]
    assert "Round 1: seat 0 and seat 2 20, seat 1 and seat 3 80." in told
    assert told[-1] == "seat 1 and seat 3 win, 80 to 20."


@pytest.mark.parametrize(("view", "count"), [("both", 4), ("public", 0), ("second", 1)])
def test_hands_of_a_finished_round_are_shown_as_the_view_says(tmp_path, view, count):
    told = lines(tmp_path, transcript(course(1)), "--view", view)
    held = [line for line in told if " holds " in line]
    assert len(held) == count
    assert all(line.startswith("seat 1") for line in held if view == "second")


def test_hands_are_those_that_the_seats_saw():
    replay = steps.replay_of(report(course(1)))
    (shown,) = (step for step in replay.steps if isinstance(step.event, MahJongShown))
    seen = {
        view.seat: view.hand for view, _ in course(1).decided if view.state.leader is not None
    }
    assert {seat: sorted(hand) for seat, hand in seen.items()} == {
        seat: sorted(shown.hands[seat]) for seat in seen
    }


def test_a_round_in_play_shows_no_hand(tmp_path):
    told = lines(tmp_path, transcript(course(1), 200))
    assert not [line for line in told if " holds " in line]
    assert [line for line in told if "cards left" in line]


@pytest.mark.parametrize(
    ("loser", "winners"), [(0, "seat 1 and seat 3"), (3, "seat 0 and seat 2")]
)
def test_a_resignation_is_the_last_line(tmp_path, loser, winners):
    data = course(1).party.resigned(200, loser)
    assert lines(tmp_path, data)[-1] == f"{winners} win: the other team has conceded."


def test_replay_begins_at_the_given_step(tmp_path):
    whole = lines(tmp_path, transcript(course(1)))
    assert lines(tmp_path, transcript(course(1)), "--from", "2") == [whole[0], *whole[2:]]


def test_game_without_a_round_is_told(tmp_path):
    assert lines(tmp_path, transcript(course(1), 2)) == ["In this game nobody has moved."]


def test_a_game_of_several_rounds_tells_each_with_its_own_hands(tmp_path):
    told = lines(tmp_path, transcript(course(1, "300")))
    rounds = [line for line in told if " is asked first." in line]
    assert len(rounds) > 1
    assert len([line for line in told if " holds " in line]) == 4 * len(rounds)
