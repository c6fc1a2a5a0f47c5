"""SPEC.md's table of attacks: each has a test that exists, and each check stops an attack."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from matcha_p2p.errors import Check

TESTS = Path(__file__).parent
SPEC = (TESTS.parent / "SPEC.md").read_text(encoding="utf-8")
SECTION = SPEC.split('<a id="security"></a>', 1)[1].split("\n## ", 1)[0]
ATTACKS = [
    line.strip("| ").split(" | ") for line in SECTION.splitlines() if line.startswith("| ")
][1:]
TEST = re.compile(r"`([a-z_/]+\.py)::(test_\w+)`")


@cache
def defined_in(path: Path) -> set[str]:
    """Return the names of the tests in a file."""
    tree = ast.parse(path.read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, functions)}


def names_a_test(text: str) -> bool:
    """Tell whether a text is the name of a test that exists."""
    found = TEST.fullmatch(text)
    return found is not None and found[2] in defined_in(TESTS / found[1])


def test_the_short_name_of_the_cheats_stands_for_a_test_that_exists():
    named = re.search(r"`cheats`\s+is\s+(`[^`]+`)", SECTION)
    assert named is not None
    assert names_a_test(named[1])


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: row[0][:60])
def test_an_attack_names_a_test_that_exists(row):
    _, _, test = row
    assert test == "`cheats`" or names_a_test(test)


def test_every_check_stops_an_attack():
    stopped = {code for _, by, _ in ATTACKS for code in re.findall(r"`(E_[A-Z]+)`", by)}
    assert stopped == {check.value for check in Check}


def test_no_attack_is_listed_twice():
    assert len({attack for attack, _, _ in ATTACKS}) == len(ATTACKS)
