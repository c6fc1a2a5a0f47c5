"""The traces and plays, by protocol/verifier: entry by entry, and by the rules alone.

The generator makes the traces by matcha_p2p, so it compares the product.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.transport.framing import Kind
from tests.judges import VERIFIER
from tests.told import Told, changed, is_right, plain
from tests.vectors import FOLDER, Case, plays

TRACES = sorted(path.stem for path in (FOLDER / "trace").glob("*.json"))


def trace_of(name: str) -> tuple[bytes, list[Any]]:
    """Return the transcript of a trace, and the cases."""
    content = json.loads((FOLDER / "trace" / f"{name}.json").read_text(encoding="ascii"))
    return Path(FOLDER, content["file"]).read_bytes(), content["cases"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) for name in TRACES]
)
def test_state_after_every_entry_is_that_of_the_trace(name):
    data, cases = trace_of(name)
    by_entry = {case["entry"]: case for case in cases}
    array: list[Any] = []
    table = VERIFIER["table"].Table()
    frames = [*parse_archive(data)]
    table.roster = VERIFIER["roster"].parse_roster(frames[0].payload)
    entries = [frame.payload for frame in frames if frame.kind is Kind.MSG]
    for number, entry in enumerate(entries):
        table.accept_entry(entry)
        if number in by_entry:
            case = by_entry.pop(number)
            array = changed(array, case["set"])
            assert plain(table.game.state()) == array
            assert plain(table.step.owing) == case["owing"]
            assert table._state()[:16].hex() == case["st"]
    assert (by_entry, case["entry"]) == ({}, len(entries) - 1)


@pytest.mark.parametrize("name", TRACES)
def test_trace_is_played_by_the_rules_alone(name):
    data, cases = trace_of(name)
    frames = [*parse_archive(data)]
    roster = VERIFIER["roster"].parse_roster(frames[0].payload)
    told = Told(*roster.rules[:3])
    array: list[Any] = []
    for case in cases:
        for outcome in case["outcomes"]:
            told.take(outcome)
        array = changed(array, case["set"])
        assert told.state() == array
    assert told.game.result() is not None


@pytest.mark.parametrize("case", plays(), ids=lambda case: f"{case['game']} {case['name']}")
def test_play_goes_as_told(case: Case):
    assert is_right(case)
