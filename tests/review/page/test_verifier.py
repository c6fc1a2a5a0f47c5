"""The JavaScript verifier, module by module and file by file, against protocol/vectors."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.judges import ours
from tests.mutants.catalogue import make
from tests.vectors import accepted, cases, refused

FOLDER = Path(__file__).parent
SOURCES = FOLDER.parents[2] / "matcha_p2p" / "review" / "page"
MODULES = (
    "encoding", "hash", "drawing", "group", "elements", "names", "keys", "cards", "pop",
    "shares", "shuffle", "rules", "state", "entries", "records",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_every_case_of_a_vector_file_gets_its_value_or_its_check(name, node):
    done = subprocess.run(
        [node, FOLDER / "vectors.js", name], capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout) == ("", f"{len(cases(name))}\n")


@pytest.mark.slow
@pytest.mark.parametrize("golden", accepted(), ids=str)
def test_a_golden_transcript_is_accepted(golden, page_verifier):
    assert page_verifier(golden.data) == golden.expected


@pytest.mark.slow
@pytest.mark.parametrize("bad", refused(), ids=str)
def test_a_bad_transcript_is_refused_where_and_for_what_it_says(bad, page_verifier):
    assert page_verifier(bad.data) == bad.expected


@pytest.mark.slow
def test_mutants_are_refused_as_the_package_refuses_them(page_verifier):
    """Two thousand: tests/test_mutants.py holds the package against each one's intention."""
    made = list(make(2000))
    differing = {each.operator for each in made if page_verifier(each.data) != ours(each.data)}
    assert len(made) == 2000
    assert differing == set()


@pytest.mark.parametrize(
    "path", sorted(SOURCES.rglob("*.js")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_module_imports_its_neighbours_and_nothing_else(path):
    imported = re.findall(r"""(?:from|import)\s*\(?["']([^"']+)""", path.read_text("utf-8"))
    for name in imported:
        assert name.startswith(("./", "../verifier/"))
        assert (path.parent / name).is_file()
