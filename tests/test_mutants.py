"""Entries with one thing changed and everything else mended: signatures show nothing here.

A cheat with its own keys, or even both seats' keys, can sign every entry. So each of
these mutants is signed and chained as it should be, what follows in the message is made to
match, and only the check that is about the change can refuse it.
"""

from functools import cache
from pathlib import Path

import pytest

from tests.judges import ours, theirs
from tests.mutants.catalogue import OPERATORS, Made, make

pytestmark = pytest.mark.slow

README = Path(__file__).parent.parent / "protocol" / "README.md"
COUNT = 2000
SHARE = 5  # every so many also by the independent verifier, which is slow


@cache
def mutants() -> tuple[Made, ...]:
    return tuple(make(COUNT))


def test_every_mutant_is_refused_by_the_intended_check_at_its_entry():
    assert len(mutants()) == COUNT
    wrong = {
        (made.operator, found)
        for made in mutants()
        if not made.is_refused_as(found := ours(made.data))
    }
    assert wrong == set()


def test_the_independent_verifier_says_the_same_of_each():
    sample = mutants()[::SHARE]
    differing = {made.operator for made in sample if ours(made.data) != theirs(made.data)}
    assert differing == set()


def test_each_of_as_many_operators_as_the_readme_says_has_mutants():
    assert f"There are {len(OPERATORS)} ways to change a game" in README.read_text()
    assert {made.operator for made in mutants()} == OPERATORS.keys()
