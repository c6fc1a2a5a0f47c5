"""Logs: K49, K50; and whole games at random, which every rule has to survive."""

import json
import random
from dataclasses import replace

import pytest

from matcha_p2p.errors import TranscriptError
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.choices import legal_actions
from matcha_p2p.games.kashi.rules.log import play_log
from matcha_p2p.games.kashi.rules.moves import (
    Buy,
    Decline,
    Fulfil,
    Go,
    LayShop,
    PlaceShop,
    TakeGold,
)
from matcha_p2p.games.kashi.rules.notation import action_text, parse_action
from matcha_p2p.games.kashi.rules.orders import ORDERS
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.state import Ended, Turn
from tests.games.kashi.players import CARELESS, GREEDY, play
from tests.games.kashi.rules.positions import BOARD

LOG = [
    "# a game of three",
    "KASHI 1 3 idle=4",
    "START 0 3,3",
    "START 1 3,3   # on the same square",
    "",
    "START 2 5,5",
    "ROW 1 2 3 8 14",
    "TURN 0 go:2,3 gold",
    "TURN 1",
    "",
]


def last(*lines):
    *_, told = play_log([*LOG, *lines])
    return told


def test_log_tells_where_each_line_leads():
    told = list(play_log(LOG))
    assert [it["line"] for it in told] == [2, 3, 4, 6, 7, 8, 9]
    assert [it["due"] for it in told] == ["START"] * 3 + ["ROW"] + ["TURN"] * 3
    assert [it["seat"] for it in told] == [0, 1, 2, None, 0, 1, 2]
    assert told[-1]["persons"] == ["2,3", "3,3", "5,5"]
    assert told[-1]["gold"] == [7, 6, 6]
    json.dumps(told)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("KASHI 1 3", "K50"),
        ("START 0 3,3", "K50"),
        ("ROW 1 2 3 4 5", "K50"),
        ("DRAW 7", "K50"),
        ("UPKEEP 2 0", "K50"),
        ("IDLE 2 on", "K50"),
        ("TURN 0", "K14"),
        ("TURN", "K49"),
        ("TURN x", "K49"),
        ("TURN 02", "K49"),
        ("TURN 2 fly", "K49"),
        ("TURN 2 go:05,5", "K49"),
        ("TURN 2 go:9,9", "K2"),
        ("TURN 2 go:5,4/7", "K49"),
        ("TURN 2 fill:31", "K49"),
        ("TURN 2 gold gold gold", "K24"),
        ("TURN 2 " + "go:4,5 go:5,5 " * 3, "K15"),
        ("IDLE 2 perhaps", "K49"),
        ("DRAW", "K49"),
        ("turn 2", "K49"),
        ("TURN 2 " + "gold " * 500, "K49"),
        ("\x1b[2J", "K49"),
    ],
)
def test_refused_line_changes_nothing(line, rule):
    told = last(line)
    assert told["refused"] == rule
    assert told["why"].isprintable()
    assert last(line, "TURN 2")["kind"] == "TURN"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("KASHI 1 2", "K1"),
        ("KASHI 2 3", "K49"),
        ("KASHI 1", "K49"),
        ("KASHI 1 3 idle=x", "K49"),
        ("START 0 3,3", "K49"),
    ],
)
def test_log_waits_for_its_heading(line, rule):
    refused, begun = play_log([line, "KASHI 1 4"])
    assert refused["refused"] == rule
    assert begun["due"] == "START"


@pytest.mark.parametrize(
    ("lines", "refused"),
    [([], 0), (["", "# only words"], 0), (["KASHI 1 9"], 1), (["{}", "START 0 3,3"], 2)],
)
def test_log_without_a_game_ends_with_an_error(lines, refused):
    told = play_log(lines)
    assert ["refused" in next(told) for _ in range(refused)] == [True] * refused
    with pytest.raises(TranscriptError, match="The log plays no game"):
        next(told)


def test_game_of_the_file_can_be_idle():
    quiet = [f"TURN {turn % 3}" for turn in range(2, 12)]
    assert last(*quiet)["due"] == "IDLE"
    assert last(*quiet, "IDLE 0 settle")["due"] == "UPKEEP"
    assert last(*quiet, "IDLE 1 settle")["refused"] == "K39"
    assert last(*quiet, "IDLE 0 settle", "UPKEEP 0 0")["refused"] == "K42"


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("choice", [CARELESS, GREEDY])
def test_whole_game_plays_from_its_log(seats, choice):
    lines, games = zip(*play(BOARD, [choice] * seats, 7), strict=True)
    *_, told = play_log(lines)
    assert isinstance(games[-1].phase, Ended)
    assert told["won"] == games[-1].phase.winners
    assert told["line"] == len(lines)
    assert told["points"] == [own.points for own in games[-1].players]


def whole(game):
    """See that nothing was lost or made, and that no limit is passed."""
    shops = 14 if len(game.players) == 3 else 11
    assert len(game.drawn) == len(set(game.drawn)) <= ORDERS
    done = [number for own in game.players for number in own.orders]
    assert sorted([*game.row, *done]) == sorted(game.drawn)
    for own in game.players:
        assert len(own.shops) + own.hand + own.aside == shops
        assert own.hand >= 0
        assert own.gold >= 0
        assert own.points >= 0
        assert 0 <= sum(own.goods) <= 8
        assert min(own.goods) >= 0
        assert not any(BOARD.tiles >> square & 1 for square in own.shops)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_random_game_keeps_its_things(seed):
    for _, game in play(BOARD, [CARELESS, GREEDY, CARELESS], seed):
        whole(game)
        if game.turns and isinstance(game.phase, Turn):
            assert len(game.row) == 5


def every_action(rng):
    """Return some action, allowed or not."""
    square = rng.randrange(-1, 60)
    seat = rng.choice((None, 0, 1, 2, 3))
    return rng.choice(
        (
            Go(square, seat), Buy(), Buy(rng.randrange(5)), TakeGold(), LayShop(),
            LayShop(square), Fulfil(rng.randrange(1, 31)), Fulfil(1, Decline()),
            Fulfil(rng.randrange(1, 31), PlaceShop(square)),
        )
    )  # fmt: skip


@pytest.mark.parametrize("every", [12, pytest.param(3, marks=pytest.mark.slow)])
def test_legal_actions_are_the_accepted_actions(every):
    rng = random.Random(3)
    for _, game in list(play(BOARD, [CARELESS, GREEDY, GREEDY], 5))[5:160:every]:
        if not isinstance(game.phase, Turn):
            continue
        legal = legal_actions(game)
        assert len(set(legal)) == len(legal)
        for action in legal:
            whole(rules.act(game, action))
            assert parse_action(BOARD, action_text(BOARD, action)) == action
        for action in (every_action(rng) for _ in range(40)):
            try:
                rules.act(game, action)
            except RefusedError:
                assert action not in legal
            else:
                assert action in legal


def test_idle_of_a_board_is_used():
    """K9, K39."""
    told = [*play_log(["KASHI 1 3", *LOG[2:], "TURN 2"], replace(BOARD, idle=1))]
    assert told[-2]["due"] == "TURN"
    assert told[-1]["due"] == "IDLE"
