"""Some of the mutants of the core, as ``python -m tests.mutation`` judges all of them."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation import operators
from tests.mutation.__main__ import SUITES, explained

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent

SOURCE = '''
"""Words about it."""
SIZE: Final = 32


@cache
def check(seat: int = 0, *, last: bool) -> bool:
    """Say no."""
    if seat < SIZE and not last:
        raise Refused(Check.TURN, f"no {seat}")
    verify(seat, last)
    return seat in (0, 1)
'''
MUTANTS = {
    "SIZE: Final = [32 => 33]",
    "SIZE: Final = [32 => 31]",
    "check: def check(seat: int=[0 => 1], *, last: bool) -> bool:",
    "check: if [seat < SIZE and (not last) => not (seat < SIZE and (not last))]:",
    "check: if [seat < SIZE and (not last) => seat < SIZE or not last]:",
    "check: if [seat < SIZE and (not last) => seat < SIZE]:",
    "check: if [seat < SIZE and (not last) => not last]:",
    "check: if [seat < SIZE => seat <= SIZE] and (not last):",
    "check: if [seat < SIZE => seat >= SIZE] and (not last):",
    "check: if seat < SIZE and [not last => last]:",
    "check: [raise Refused(Check.TURN, f'no {seat}') => pass]",
    "check: raise Refused([Check.TURN => Check.CHAIN], f'no {seat}')",
    "check: [verify(seat, last) => pass]",
    "check: [verify(seat, last) => verify(last, seat)]",
    "check: return [seat in (0, 1) => seat not in (0, 1)]",
    "check: return seat in ([0 => 1], 1)",
    "check: return seat in (0, [1 => 2])",
    "check: return seat in (0, [1 => 0])",
}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.mutation", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_code_is_changed_and_texts_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr(operators, "PACKAGE", tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "short.py").write_text(SOURCE)
    mutants = operators.mutants_of("rules")
    names = {mutant.name.removeprefix("rules/short.py ") for mutant in mutants}
    assert names == MUTANTS


def test_a_mutant_has_one_change(tmp_path, monkeypatch):
    monkeypatch.setattr(operators, "PACKAGE", tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "short.py").write_text(SOURCE)
    (dropped,) = [
        m for m in operators.mutants_of("rules") if "[verify(seat, last) => p" in m.name
    ]
    before = ast.unparse(ast.parse(SOURCE))
    assert ast.unparse(dropped.changed()) == before.replace("verify(seat, last)", "pass")


@pytest.mark.parametrize("package", ["games/matcha/rules", "chain"])
def test_sample_of_mutants_has_no_unexplained_survivor(package):
    done = run("--package", package, "--sample", "20")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_function_is_told_from_its_mutants():
    """No test can notice one of the mutants: survivors.toml explains the mutant."""
    done = run("--package", "games/matcha/rules", "--only", "scoring.py leader")
    assert done.returncode == 0, done.stdout + done.stderr
    _, mutants, killed, _, survived, explained, *_ = done.stdout.splitlines()[-1].split()
    assert int(mutants) == int(killed) + 1 > 5
    assert (survived, explained) == ("1", "1")


def test_each_explained_mutant_exists():
    mutants = {mutant.name for package in SUITES for mutant in operators.mutants_of(package)}
    assert not explained() - mutants
