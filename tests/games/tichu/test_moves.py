"""The signed form of moves, and why moves are refused: protocol/vectors has the cheats."""

import re

import pytest

from matcha_p2p.errors import EncodingError, IllegalMoveError
from matcha_p2p.games.tichu.rules.actions import Lay, ShowMahJong
from matcha_p2p.games.tichu.rules.round import HAND, SEATS
from matcha_p2p.games.tichu.table.steps import FORMS
from matcha_p2p.table.moves import check_move
from tests.games.tichu.party import game
from tests.judges import reported
from tests.vectors import of_tichu

FILES = [file for file in of_tichu() if file.expected.check == "E_RULE"]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_refusal_has_the_number_of_a_rule_and_a_sentence(file):
    failure = reported(file.data).failure
    assert re.fullmatch(r"T\d+: [^{}]+\.", failure.sentence)


@pytest.mark.parametrize(
    "fields",
    [
        *(["lay", flag, 0, 0, 1] for flag in (-1, 2)),
        *(["lay", 0, wild, 0, 1] for wild in (-1, 15)),
        *(["lay", 0, 0, wish, 1] for wish in (-1, 15)),
        *(["lay", 0, 0, 0, places] for places in (0, 1 << HAND)),
        *([name, 2] for name in ("grand", "give", "hold", "pass")),
        *(["gift", seat] for seat in (-1, 4)),
        ["open", 0, HAND],
        ["hold"],
        ["bomb", 0],
    ],
    ids=str,
)
def test_field_of_another_range_is_no_move(fields):
    with pytest.raises(EncodingError):
        check_move(FORMS, fields)


@pytest.mark.parametrize("move", [Lay((0, HAND)), ShowMahJong(HAND)])
def test_place_that_the_hand_has_not_is_not_written(move):
    with pytest.raises(IllegalMoveError, match="T7"):
        game().write(SEATS[0], move, {})
