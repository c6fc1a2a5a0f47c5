"""Two players and a watcher at real terminals: the sight of each on the others."""

import re
import sys

import pytest

from tests.console.pseudo_terminal import Terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no ptys"),
]


def test_watcher_sees_a_round_after_its_end_until_a_player_says_no(tmp_path):
    where = ("--name", "Mina", "--address", "127.0.0.1", "--port", "0", "--edition", "2020")
    with Terminal(tmp_path / "h", "host", *where, "--watch", "2") as mina:
        mina.until("Waiting on port")
        mina.until("(?m)^ *matcha1[a-z0-9]+")
        watch = re.search("matchawatch1[a-z0-9]+", mina.text)[0]
        invite = re.search(r"(?m)^ *(matcha1[a-z0-9]+)", mina.text)[1]
        with (
            Terminal(tmp_path / "w", "watch", watch, "--name", "Ann") as ann,
            Terminal(tmp_path / "g", "join", invite, "--name", "Taro") as taro,
        ):
            for player in (mina, taro):
                player.until('watched by 1: "Ann"')
            ann.until("You see each round when it is over")
            dealt = ann.text
            players = (mina, taro)
            first, second = players if "you lead" in mina.text else players[::-1]
            for player in (first, second, first):  # in a round each has two turns
                player.until("Your move")
                player.type("p\r")
                player.until("You pass")
            assert ann.text == dealt
            second.until("Your move")
            second.type("p\r")
            ann.until("round 2 of 3")
            taro.type("v")
            taro.until("Watchers see")
            taro.type("1\r")
            ann.until("The game was left or closed")
            mina.until("allows no watchers")
            ann.type("q")
            ann.until("A player of this game no longer allows watching.")
