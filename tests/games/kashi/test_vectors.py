"""The transcripts and boards of protocol/vectors/kashi, by each verifier."""

import re

import pytest

from matcha_p2p.games.kashi.table.steps import new_game
from matcha_p2p.games.kashi.table.written import text_of
from matcha_p2p.table.greeting import rules_digest
from tests.judges import VERIFIER, ours, reported, theirs
from tests.vectors import every, of_kashi

files = pytest.mark.parametrize("file", of_kashi(), ids=str)


@files
def test_file_is_judged_as_it_says(file):
    assert ours(file.data) == file.expected


@pytest.mark.parametrize(
    "file", [file for file in of_kashi() if file.expected.check == "E_RULE"], ids=str
)
def test_refused_move_breaks_the_rule_that_its_file_names(file):
    """And the reason is a sentence."""
    rule = file.name.split(": ")[1]
    failure = reported(file.data).failure
    assert re.fullmatch(rf"{rule}: [^{{}}]+\.", failure.sentence)


@pytest.mark.slow
@files
def test_file_is_judged_as_it_says_by_the_other_verifier(file):
    assert theirs(file.data) == file.expected


@every("kashi/boards")
def test_board_has_its_text_and_its_digests(case):
    for seats, digest in case["rules"].items():
        game = new_game(case["variant"], int(seats))
        other = VERIFIER["games"].find_game("kashi", case["variant"], int(seats))
        assert text_of(game.state.board) == other.board.text == case["text"]
        assert [bytes.fromhex(case["digest"])] == game.rules() == other.values
        assert rules_digest(game).hex() == digest
