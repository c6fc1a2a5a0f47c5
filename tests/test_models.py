"""The model of crash and resume: the sound one holds, every mistake in it is found."""

import re
from pathlib import Path

import pytest

from protocol.models import check
from protocol.models.check import (
    CASES,
    ENDLESS,
    HOPELESS,
    MISTAKES,
    PROPERTIES,
    Case,
    Finding,
)

pytestmark = pytest.mark.slow

README = Path(check.__file__).with_name("README.md").read_text(encoding="utf-8")
SUMMARY = Path(check.__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8")

needs_tools = pytest.mark.skipif(
    bool(check.missing()), reason=f"not installed: {' '.join(check.missing())}"
)


def row(case: Case) -> str:
    """Return what README.md says about ``case``."""
    found = re.search(rf"^\| {re.escape(case.name)} \|.*$", README, re.MULTILINE)
    assert found, f"README.md has no row for {case.name!r}"
    return found[0]


@needs_tools
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_is_found_as_it_must_be(case):
    """A sound case holds in all its states, as many as README.md says; a mistake shows."""
    finding = check.search(case)
    assert finding.fits(case), check.report(case, finding)
    if case.breaks is None:
        assert f"| {finding.states:,} |" in row(case)


@needs_tools
def test_story_of_a_mistake_ends_with_the_step_that_breaks_it():
    mistake = next(case for case in MISTAKES if case.name == "send before journal")
    assert check.story(mistake).endswith("makes entry 0, choice 1")


@needs_tools
def test_honest_seat_accuses_an_honest_one_when_neither_rule_on_links_to_oneself_holds():
    mistake = next(case for case in MISTAKES if case.name == "psk without the seat")
    assert mistake.liar is None
    told = check.story(mistake).splitlines()
    assert told[-2:] == [
        "seat 0: takes a link to itself, and hears its own SYNC",
        "seat 0: hears a SYNC that fails",
    ]


@needs_tools
@pytest.mark.parametrize("rule", ["ONE_PSK", "SYNC_ENDS_GAME"])
def test_either_rule_on_links_to_oneself_is_enough_between_honest_seats(rule):
    case = Case("one rule", order="01", dials=3, pipes=1, switches=(rule,))
    assert check.search(case).fits(case)


@needs_tools
def test_sound_case_has_no_story():
    assert check.story(Case("sound", order="01", crashes=1, cuts=0)) == ""


@needs_tools
def test_mistake_that_is_not_found_fails_the_run(monkeypatch, capsys):
    harmless = Case("harmless", order="01", crashes=0, cuts=0, breaks="stuck")
    monkeypatch.setattr(check, "CASES", (harmless,))
    assert check.main([]) == 1
    assert "WRONG" in capsys.readouterr().out


@needs_tools
def test_run_with_expected_results_succeeds(monkeypatch):
    broken = Case("broken", order="01", switches=("SEND_FIRST",), breaks="two_entries")
    monkeypatch.setattr(check, "CASES", (Case("sound", order="01"), broken))
    assert check.main([]) == 0


def test_missing_tool_is_named(monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    assert check.main(["--quick"]) == 3
    assert capsys.readouterr().out.startswith("spin and gcc must be installed")


def test_unknown_case_is_refused():
    with pytest.raises(SystemExit, match="2"):
        check.main(["no such case"])


@pytest.mark.parametrize(
    ("broken", "whole", "breaks", "fits"),
    [
        (None, True, None, True),
        ("stuck", False, None, False),
        (None, False, None, False),
        ("stuck", False, "stuck", True),
        ("refused", False, "stuck", False),
        (None, True, "stuck", False),
        (None, False, "stuck", False),
    ],
)
def test_finding_fits_only_the_right_fault_or_a_whole_search(broken, whole, breaks, fits):
    finding = Finding(broken, whole, states=1, seconds=0.0)
    assert finding.fits(Case("any", breaks=breaks)) is fits


def test_every_property_is_broken_by_some_mistake():
    assert {case.breaks for case in MISTAKES} == {*PROPERTIES, ENDLESS}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_number_of_seats_has_sound_cases_and_mistakes(seats):
    kinds = {case in MISTAKES for case in CASES if case.seats == seats}
    assert kinds == {True, False}


def test_every_switch_of_the_model_is_in_some_case():
    model = check.MODEL.read_text(encoding="utf-8")
    asked = re.findall(r"^#(?:ifdef|ifndef|elif defined) ?\(?(\w+)", model, re.MULTILINE)
    switched = {switch for case in CASES for switch in case.switches}
    assert set(asked) == {*Case("any").bounds, *switched}


def test_every_bound_of_the_model_is_set_by_every_case():
    model = check.MODEL.read_text(encoding="utf-8")
    bounds = set(re.findall(r"^#ifndef (\w+)\n#define \1 ", model, re.MULTILINE))
    assert {*Case("any").bounds} == bounds


def test_readme_has_a_row_for_every_case_that_tells_its_verdict():
    assert len({case.name for case in CASES}) == len(CASES)
    for case in CASES:
        assert f"| {case.breaks or 'holds'} |" in row(case)


def test_readme_tells_the_limits_of_every_protocol():
    _, _, hopeless = README.partition("## What no protocol can mend")
    assert all(f"| {case.name} |" in hopeless for case in HOPELESS)


def test_summary_repeats_counts_and_number_of_mistakes():
    """protocol/README.md tells nothing that the README of the models does not."""
    _, _, section = SUMMARY.partition("## What the model of resume shows")
    section, _, _ = section.partition("\n## ")
    counts = re.findall(r"\d+(?:,\d{3})+", section)
    assert counts
    assert all(f"| {count} |" in README for count in counts)
    assert f"{len(MISTAKES)} broken variants" in section
