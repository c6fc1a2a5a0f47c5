"""Bots in processes of their own, at seats of real games."""

import sys
from pathlib import Path

import pytest

from tests.processes import host, join

pytestmark = pytest.mark.slow

HELLO = '{"v": 1, "name": "odd", "editions": ["2015", "2020"]}'
SLOW = f"""
import json, sys, time
print('{HELLO}', flush=True)
waited = False
for line in sys.stdin:
    said = json.loads(line)
    if said["do"] == "choose":
        if not waited:
            time.sleep(10)
        waited = True
        move = said["observation"]["legal"][-1]
        print(json.dumps({{"id": said["id"], "move": move}}), flush=True)
"""
DYING = f"print('{HELLO}', flush=True)"
LYING = f"""
print('{HELLO}', flush=True)
input()
print('{{"id": 1, "move": "9z"}}')
"""


def command(folder: Path, program: str) -> str:
    """Return the name of the bot that runs this Python program."""
    path = folder / "bot.py"
    path.write_text(program, encoding="utf-8")
    return f"cmd:{sys.executable} {path}"


@pytest.mark.parametrize(
    ("program", "why"),
    [(DYING, "ended without an answer"), (LYING, "'9z', which is no legal move")],
    ids=["dying", "lying"],
)
def test_bot_that_fails_resigns_with_the_reason(tmp_path, program, why):
    bot = ("--play", command(tmp_path, program), "--edition", "2020")
    with host(tmp_path / "a", *bot) as first:
        invite = first.until("invite")["invite"]
        with join(tmp_path / "b", invite) as second:
            assert (first.end(), second.end()) == (0, 0)
    (result,) = second.facts("game-ended")
    assert (result["winners"], result["how"]) == ([1], "resigned")
    (complaint,) = [line for line in first.complaints if "seat concedes" in line]
    assert why in complaint


def test_bot_that_thinks_for_ten_seconds_does_not_hold_up_the_line(tmp_path):
    bot = ("--play", command(tmp_path, SLOW), "--edition", "2020")
    with host(tmp_path / "a", *bot) as first:
        invite = first.until("invite")["invite"]
        with join(tmp_path / "b", invite) as second:
            assert (first.end(), second.end()) == (0, 0)
    (result,) = second.facts("game-ended")
    assert result["how"] != "resigned"
    assert "quiet" not in {fact.get("state") for fact in second.seen}
