"""T33, T35: rounds with open hands, line by line."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.errors import TranscriptError
from matcha_p2p.games.tichu.rules.audit import audit, holder
from matcha_p2p.games.tichu.rules.log import play_log
from matcha_p2p.games.tichu.rules.scoring import score
from tests.games.tichu.rules.table import Player, header, told

DECK = list(range(56))
START = [header(DECK), *([seat, "grand", False] for seat in range(4))]


@pytest.mark.parametrize("windows", ["every", "plays"])
@pytest.mark.parametrize("seed", range(15))
def test_random_round_is_played_to_its_end(seed, windows):
    player = Player(seed, windows=windows, late_tichu=seed % 2 == 0).play()
    *lines, outcome = told(*player.lines)
    assert [line["line"] for line in lines] == list(range(2, len(player.lines) + 1))
    assert not [line for line in lines if "refused" in line]
    assert lines[-1]["speaker"] is None
    assert lines[-1]["order"] == player.state.out
    left = [sorted(player.hand(seat)) for seat in range(4)]
    assert outcome == {"score": score(player.state), "won": player.state.won, "left": left}
    assert sorted(sum((*player.state.won, *map(tuple, left)), ())) == DECK


def test_line_tells_where_the_round_stands():
    """T35: refused lines change nothing."""
    lines = told(*START, [0, "tichu"], [1, "hold"], [0, "push", 0, 1, 2])
    assert lines[4] == {
        "line": 6,
        "speaker": 0,
        "sizes": [14] * 4,
        "wish": 0,
        "called": (100, 0, 0, 0),
        "order": (),
    }
    assert lines[5] == {"line": 7, "refused": "T4"}
    assert lines[6]["speaker"] == 1


@pytest.mark.parametrize("given", [(0, 0, 1), (0, 1, 55)])
def test_three_own_cards_are_given_away(given):
    """T11."""
    assert told(*START, [0, "push", *given])[-1]["refused"] == "T11"


def test_gifts_arrive_when_all_have_given():
    """T11 to T13: to the next, the partner, the one before; then the Mah Jong leads."""
    pushes = [[0, "push", 0, 1, 2], [1, "push", 8, 9, 10], [2, "push", 16, 17, 18]]
    lines = [*START, *pushes, [3, "push", 52, 24, 25], *([s, "hold"] for s in range(4))]
    assert told(*lines)[-1]["speaker"] == 0
    assert told(*lines, [0, "play", [52], 0, 9])[-1]["wish"] == 9
    for got in (10, 17, 52):
        assert "refused" not in told(*lines, [0, "play", [got], 0, 0])[-1]
    assert told(*lines, [0, "play", [0], 0, 0])[-1]["refused"] == "T7"
    assert told(*lines, [0, "play", [10, 10], 0, 0])[-1]["refused"] == "T7"


def fouled():
    """Return a log in which a wish is passed over, and who did so in which line."""
    for seed in range(30):
        lines = Player(seed, fouls=True).play().lines
        outcome = told(*lines)[-1]
        if "foul" in outcome:
            return lines, outcome["foul"]
    raise AssertionError("no random round has a foul")


def test_rounds_follow_each_other_in_a_log():
    """T35: the header of the next round follows a round that is over."""
    first, second = Player(1).play().lines, Player(2).play().lines
    both = told(*first, *second)
    assert (both[: len(told(*first))], len(both)) == (
        told(*first),
        len(told(*first)) + len(told(*second)),
    )
    assert both[-1] == told(*second)[-1]


def test_wish_passed_over_is_a_foul():
    """T33: told at the end, with seat and line."""
    lines, (seat, line) = fouled()
    assert lines[line - 1] == [seat, "pass"]
    assert all("refused" not in each for each in told(*lines))


@pytest.mark.parametrize("seed", range(10))
def test_round_without_a_duty_passed_over_is_no_foul(seed):
    """T33: turns at which the wished card could not be laid are no fouls."""
    player = Player(seed).play()
    assert audit(player.state, player.hands) is None


def test_hidden_mah_jong_is_found():
    """T13, T33."""
    assert holder([[1], [2], [52, 3], [4]]) == 2


@pytest.mark.parametrize(
    "first",
    [
        "",
        "[]",
        "{",
        "[" * 100_000,
        {},
        header(DECK[1:]),
        header([0, *DECK[:-1]]),
        header(DECK, first=4),
        header(DECK, first=True),
        header(DECK, windows="never"),
        header(DECK, windows=[]),
        header(DECK, late_tichu=1),
        header(DECK) | {"more": 1},
        header([str(face) for face in DECK]),
    ],
)
def test_first_line_that_is_malformed_is_named(first):
    """T35."""
    with pytest.raises(TranscriptError, match="Line 1 "):
        told(first, [0, "hold"])


def test_empty_log_is_malformed():
    with pytest.raises(TranscriptError, match="Line 1 "):
        told()


@pytest.mark.parametrize(
    "line",
    [
        "nothing",
        "9" * 5000,
        {},
        [],
        [0],
        [4, "hold"],
        [True, "hold"],
        [0, "sing"],
        [0, ["hold"]],
        [0, "grand"],
        [0, "grand", 1],
        [0, "hold", 1],
        [0, "push", 1, 2],
        [0, "push", 1, 2, 56],
        [0, "push", 1, 2, True],
        [0, "play", [1], 0],
        [0, "play", 1, 0, 0],
        [0, "play", [-1], 0, 0],
        [0, "play", [1], True, 0],
        [0, "gift", 4],
    ],
)
def test_action_that_is_malformed_is_named(line):
    """T35."""
    with pytest.raises(TranscriptError, match="Line 3 "):
        told(header(DECK), [0, "grand", True], line)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 60) | st.sampled_from(["play", "push", "hold"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=2),
)


ANSWERS = st.tuples(st.integers(0, 3), st.sampled_from(["pass", "hold", "tichu"]))


@pytest.mark.slow
@given(st.lists(VALUES | ANSWERS, max_size=6))
def test_any_values_are_taken_refused_or_named(values):
    lines = map(json.dumps, [*START, *values])
    with contextlib.suppress(TranscriptError):
        assert all("line" in each for each in play_log(lines))
