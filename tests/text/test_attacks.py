"""protocol/attacks.toml: each attack has a test that exists, and each check stops an attack."""

import re
import tomllib
from pathlib import Path

import pytest

from matcha_p2p.errors import Check

TESTS = Path(__file__).parents[1]
ATTACKS = tomllib.loads((TESTS.parent / "protocol/attacks.toml").read_text("utf-8"))["attack"]
DEFINED = [
    name
    for path in TESTS.rglob("test_*.py")
    for name in re.findall(
        r"^ *(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE
    )
]


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: row["attack"][:60])
def test_an_attack_names_one_test(row):
    assert row.keys() == {"attack", "stopped", "checks", "test"}
    assert DEFINED.count(row["test"]) == 1


def test_every_check_stops_an_attack():
    assert {code for row in ATTACKS for code in row["checks"]} == {each.value for each in Check}


def test_no_attack_is_listed_twice():
    assert len({row["attack"] for row in ATTACKS}) == len(ATTACKS)
