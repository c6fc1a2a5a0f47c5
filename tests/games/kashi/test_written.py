"""The text of a board, of which its digest is made, and the variants that carry one."""

import hashlib
import json
from dataclasses import replace
from importlib.resources import files

import pytest

from matcha_p2p.edited_text import FaultyTextError
from matcha_p2p.games.kashi.board.board_file import read_board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.table.steps import new_game
from matcha_p2p.games.kashi.table.written import board_of, is_name, text_of
from matcha_p2p.wire.text import NAME_LIMIT
from tests.games.kashi.rules.positions import BOARD

SHIPPED = files("matcha_p2p.games.kashi.board").joinpath("board.toml").read_text()
TEXT = text_of(BOARD)


def test_text_of_a_board_gives_the_board_without_its_name():
    board = board_of(TEXT)
    assert board == replace(BOARD, name="")


def test_variant_with_a_text_is_played_on_its_board():
    other = TEXT.replace("],20]", "],0]")
    game = new_game(f"ichi {other}", 4)
    assert game.variant == f"ichi {other}"
    assert game.state.idle == 0
    assert game.rules() == [hashlib.sha256(other.encode()).digest()]


def test_variant_with_another_text_is_unknown():
    other = TEXT.replace("],20]", "],0]")
    for variant in (other, f"ni {other}", "ichi ", "ichi  ", f"ichi  {other}", "ichi []"):
        assert new_game(variant, 3) is None


@pytest.mark.parametrize("seats", [3, 4])
def test_shipped_board_has_one_variant(seats):
    assert new_game("ichi", seats) is not None
    assert new_game(f"ichi {text_of(shipped_board())}", seats) is None


@pytest.mark.parametrize("place", [0, 1, 2, 3, 4, 7])
def test_text_with_an_empty_list_is_no_board(place):
    data = json.loads(TEXT)
    data[place] = []
    assert board_of(json.dumps(data, separators=(",", ":"))) is None


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("crème", True),
        ("栗", True),
        ("cre\u0300me", False),
        ("\u202eecir", False),
        ("ri\u200bce", False),
        ("ri  ce", False),
        ("\u0300rice", False),
    ],
)
def test_name_of_a_file_is_admitted_if_it_is_admitted_in_a_variant(name, good):
    file = SHIPPED.replace('"rice"', f'"{name}"')
    text = text_of(BOARD).replace('"rice"', json.dumps(name))
    if good:
        board = read_board(file.encode(), is_name)
        assert board_of(text_of(board)).goods == board.goods == (name, *BOARD.goods[1:])
        assert text_of(board) == text
        return
    assert board_of(text) is None
    with pytest.raises(FaultyTextError) as error:
        read_board(file.encode(), is_name)
    (fault,) = error.value.faults
    at = next(n for n, row in enumerate(SHIPPED.split("\n"), 1) if '"rice"' in row)
    assert fault.line == at
    assert fault.said(str).isascii()


def test_name_of_a_board_is_checked_too():
    named = SHIPPED.replace('name = "', 'name = "\u202e')
    assert named != SHIPPED
    with pytest.raises(FaultyTextError, match="cannot be a name"):
        read_board(named.encode(), is_name)


@pytest.mark.parametrize("letters", [NAME_LIMIT, NAME_LIMIT + 1])
def test_name_is_as_long_in_a_file_as_in_a_variant(letters):
    name = "x" * letters
    file = SHIPPED.replace('"rice"', f'"{name}"')
    text = text_of(BOARD).replace('"rice"', f'"{name}"')
    if letters > NAME_LIMIT:
        assert board_of(text) is None
        with pytest.raises(FaultyTextError, match="1 to 24 letters"):
            read_board(file.encode())
    else:
        assert (
            board_of(text).goods == read_board(file.encode()).goods == (name, *BOARD.goods[1:])
        )
