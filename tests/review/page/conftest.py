"""Node, and the JavaScript verifier as a judge beside those of tests/judges.py."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.judges import Finding

FOLDER = Path(__file__).parent


@pytest.fixture(scope="session")
def node():
    """Return the path of Node; skip the test on a machine without Node."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node is not installed, so the JavaScript verifier does not run")
    return found


@pytest.fixture(scope="session")
def page_verifier(node):
    """Return a function that gives the JavaScript verifier's finding for a file."""
    judge = subprocess.Popen(
        [node, str(FOLDER / "judge.js")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )

    def find(data: bytes) -> Finding:
        judge.stdin.write(len(data).to_bytes(4) + data)
        judge.stdin.flush()
        return Finding(**json.loads(judge.stdout.readline()))

    yield find
    judge.communicate()
