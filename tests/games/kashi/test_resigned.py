"""Every copy of a game that ends by a resignation has the same winners.

A message may cross the resignation, so copies end at different entries.
"""

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.review.summary import summarize_transcript
from tests.judges import agreed
from tests.vectors import Case, cases, copy_of, of_kashi

NAMES = [case["file"] for case in cases("kashi/index") if case["verdict"] == "RESIGNED"]


def case_of(name: str) -> Case:
    return next(case for case in cases("kashi/index") if case["file"] == name)


def transcript(name: str) -> bytes:
    return next(file.data for file in of_kashi() if f"{file.name}.matcha" == name)


@pytest.mark.parametrize("name", NAMES)
def test_players_verifiers_and_list_of_games_find_the_same_winners(name):
    case = case_of(name)
    data, winners = transcript(name), tuple(case["winners"])
    report = verify_transcript(data)
    assert report.result.winners == winners
    assert agreed(data).winners == winners
    assert summarize_transcript(data).winners == winners
    chain = copy_of(data, entries=case["entries"], seed=case["seed"])
    assert chain.ended == report.result


def test_entry_that_crosses_a_resignation_changes_no_winner():
    case = case_of("resigned-crossing.matcha")
    data, entries = transcript(case["file"]), case["entries"]
    whole = copy_of(data, entries=entries, seed=case["seed"])
    shorter = copy_of(data, entries=entries - 1, seed=case["seed"])
    assert whole.ended == shorter.ended
    assert whole.game != shorter.game
    report = verify_transcript(shorter.transcript)
    assert (report.verdict, report.result) == (Verdict.RESIGNED, whole.ended)
