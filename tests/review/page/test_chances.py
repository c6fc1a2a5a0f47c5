"""The chances that a page computes are those of the bots' judge."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from matcha_p2p.games.matcha.bots.valuation.values import Values, page_network
from matcha_p2p.games.matcha.rules.edition import EDITIONS

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
def test_they_are_the_same(edition, node):
    rng = random.Random(f"chances {edition.name}")
    some = [tuple(rng.choices(range(5), k=5)) for _ in range(40)]
    cases = [(dealer, other) for dealer in some for other in some]
    asked = {"network": page_network(edition.name), "edition": edition.name, "cases": cases}
    done = subprocess.run(
        [node, FOLDER / "chances.js"],
        input=json.dumps(asked),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    values = Values.of(edition)
    expected = [values.chance(*case) for case in cases]
    assert json.loads(done.stdout) == pytest.approx(expected, rel=0, abs=1e-9)
    assert max(expected) - min(expected) > 0.5
