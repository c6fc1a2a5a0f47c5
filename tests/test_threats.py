"""The tables of threats say what is there: checks, errors, cheats and tests that exist."""

import ast
import inspect
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from matcha_p2p import errors
from matcha_p2p.errors import Check
from tests.cheats.catalogue import CHEATS

TESTS = Path(__file__).parent
THREATS = tomllib.loads((TESTS.parent / "protocol" / "threats.toml").read_text())["threat"]
SPEC = (TESTS.parent / "SPEC.md").read_text(encoding="utf-8")
ATTACKS = [
    line.strip("|\n").split(" | ")
    for line in SPEC.split('<a id="security"></a>', 1)[1].split("\n## ", 1)[0].splitlines()
    if line.startswith("| ")
][1:]
TEST = re.compile(r"`([a-z_/]+\.py)::(test_\w+)`")
AUTHORS = ("stranger", "network", "peer", "file", "machine", "watcher", "shower")
OUTCOMES = {"silence", "nothing", "waiting", "resumed", "shown clean", "hidden", "told"}
ERRORS = {name for name, thing in vars(errors).items() if inspect.isclass(thing)}


@cache
def defined_in(path: Path) -> set[str]:
    """Return the names of the tests in a file."""
    tree = ast.parse(path.read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, functions)}


@pytest.mark.parametrize("row", THREATS, ids=lambda row: row["threat"])
def test_a_row_names_a_test_and_an_outcome_that_exist(row):
    assert set(row) - {"cheat"} == {"by", "threat", "defence", "outcome", "test"}
    assert row["by"] in AUTHORS
    assert row["outcome"] in OUTCOMES | ERRORS | {check.value for check in Check}
    file, _, name = row["test"].partition("::")
    assert name.startswith("test_")
    assert name in defined_in(TESTS / file)


WITH_CHEAT = [row for row in THREATS if "cheat" in row]


@pytest.mark.parametrize("row", WITH_CHEAT, ids=lambda row: row["threat"])
def test_a_row_with_a_cheat_is_about_the_check_that_it_breaks(row):
    checks = {cheat.row.check.value for cheat in CHEATS if cheat.row.number == row["cheat"]}
    assert row["outcome"] in checks


def test_every_check_stands_against_some_threat():
    assert {check.value for check in Check} <= {row["outcome"] for row in THREATS}


def test_no_threat_is_listed_twice():
    assert len({row["threat"] for row in THREATS}) == len(THREATS)


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: row[0].strip()[:60])
def test_an_attack_of_the_spec_names_a_test_that_exists(row):
    _, _, shown = row
    named = shown.strip().removesuffix("|").strip()
    if named == "`cheats`":
        named = section_of_cheats()
    found = TEST.fullmatch(named)
    assert found is not None
    assert found[2] in defined_in(TESTS / found[1])


def section_of_cheats() -> str:
    """Return the test that SPEC.md calls ``cheats``."""
    return re.findall(r"`cheats`\s+is\s+(`[^`]+`)", SPEC)[0]
