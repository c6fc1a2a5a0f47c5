"""Every condition of the independent verifier is shown by a vector, or known to be beyond.

So is every statement of the files that transcribe the boxes of SPEC.md.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conditions.places import changes, lines_of_boxes
from tests.conditions.running import claim, claimed, explained

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


def test_figures_of_the_readme_are_those_of_the_tool():
    assert claimed() == claim()


def test_each_change_has_its_own_name_and_each_reason_a_change():
    names = [change.name for change in changes()]
    assert len(names) == len(set(names))
    assert explained().keys() <= set(names)


def test_each_numbered_line_of_a_box_is_failed_by_a_vector():
    """The next test shows that a vector notices all changes which are not explained."""
    shown = [
        (change.name.partition(" ")[0], change.line)
        for change in changes()
        if change.name not in explained()
    ]
    lines = [*lines_of_boxes()]
    assert len(lines) > 100
    assert [
        name
        for name, source in lines
        if not any(file == name.partition(" ")[0] and at in source for file, at in shown)
    ] == []


def test_every_change_is_shown_by_a_vector_or_explained():
    done = subprocess.run(
        [sys.executable, "-m", "tests.conditions"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
