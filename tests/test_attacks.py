"""SPEC.md's table of attacks: each has a test that exists, and each check stops an attack."""

import re
from pathlib import Path

import pytest

from matcha_p2p.errors import Check

TESTS = Path(__file__).parent
SPEC = (TESTS.parent / "SPEC.md").read_text(encoding="utf-8")
SECTION = SPEC.split('<a id="security"></a>', 1)[1].split("\n## ", 1)[0]
ATTACKS = [
    line.strip("| ").split(" | ") for line in SECTION.splitlines() if line.startswith("| ")
][1:]
DEFINED = [
    name
    for path in TESTS.rglob("test_*.py")
    for name in re.findall(
        r"^ *(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE
    )
]


def test_the_short_name_of_the_cheats_stands_for_one_test():
    (named,) = re.findall(r"`cheats` is `(\w+)`", SECTION)
    assert DEFINED.count(named) == 1


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: row[0][:60])
def test_an_attack_names_one_test(row):
    _, _, test = row
    assert test == "`cheats`" or DEFINED.count(test.strip("`")) == 1


def test_every_check_stops_an_attack():
    stopped = {code for _, by, _ in ATTACKS for code in re.findall(r"`(E_[A-Z]+)`", by)}
    assert stopped == {check.value for check in Check}


def test_no_attack_is_listed_twice():
    assert len({attack for attack, _, _ in ATTACKS}) == len(ATTACKS)
