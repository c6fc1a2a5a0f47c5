"""Every condition of the independent verifier is shown by a vector, or known to be beyond."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conditions.places import changes
from tests.conditions.running import claim, claimed, explained, run

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_what_the_readme_claims_is_what_the_tool_counts():
    assert claimed() == claim()


@pytest.mark.slow
def test_each_change_has_a_name_of_its_own_and_each_reason_a_change():
    names = [change.name for change in changes()]
    assert len(names) == len(set(names))
    assert explained().keys() <= set(names)


@pytest.mark.slow
def test_a_sample_is_shown_by_vectors_but_for_what_is_explained():
    found = run(sample=25, quick=True)
    assert found.faults == []
    assert found.shown


@pytest.mark.slow
def test_every_change_is_shown_by_a_vector_or_explained():
    """In a process of its own: what a quick run has left out of the trials stays left out."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.conditions"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
