"""Every check is needed: without the check, a vector is wrongly accepted or refused."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
CODES = [
    check["code"]
    for check in tomllib.loads((ROOT / "protocol" / "checks.toml").read_text())["check"]
]

# Behind it the slot of the back is looked up, and there is none.
NOTHING_TO_GO_ON_WITH = {"E_BACK"}


@pytest.mark.parametrize("code", CODES)
def test_without_the_check_a_vector_turns_red(code):
    """A vector is accepted, or refused by another check; a crash is not enough."""
    command = [sys.executable, "-m", "tests.ablation", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    outcomes = json.loads(done.stdout)
    assert outcomes
    red = {name for name, outcome in outcomes.items() if outcome != code}
    crashed = {name for name in red if outcomes[name].startswith("crash")}
    assert red if code in NOTHING_TO_GO_ON_WITH else red - crashed


def test_every_check_is_raised_somewhere():
    command = [sys.executable, "-m", "tests.ablation", "--sites"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    raised = {line.split()[0] for line in done.stdout.splitlines()}
    passed_down = {"check", "error.check"}
    assert raised - passed_down | {"Check.POP"} == {f"Check.{code[2:]}" for code in CODES}
