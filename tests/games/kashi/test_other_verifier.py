"""The independent verifier judges the texts of boards as matcha_p2p does."""

import json
import random

import pytest

from matcha_p2p.games.kashi.table.written import board_of, text_of
from tests.games.kashi.rules.positions import BOARD
from tests.judges import VERIFIER

TEXT = text_of(BOARD)
DISTURBING = [
    *(-1, 0, 1, 2, 4, 20, 99, 100, 999, 1000, 1.0, 1e5, True, None, [], {}, [[]]),
    *("", "a", "é", "😀", "\ud800", "3,4", "1,1", "x  y", " x", "rice", "shop/2"),
]


def is_board(text: str) -> bool:
    """Tell whether both take ``text`` for a board, or neither."""
    if board_of(text):
        assert VERIFIER["kashi_board"].read_board(text).text == text
        return True
    with pytest.raises(VERIFIER["codec"].CheckError, match="E_GAME"):
        VERIFIER["kashi_board"].read_board(text)
    return False


def changed(data, rng):
    """Return the data of a board with a single value taken out, doubled or replaced."""
    data = json.loads(json.dumps(data))
    node = data
    while True:
        place = rng.randrange(len(node))
        if not (isinstance(node[place], list) and node[place]) or rng.random() < 0.15:
            break
        node = node[place]
    match rng.randrange(5):
        case 0:
            del node[place]
        case 1:
            node.insert(place, node[place])
        case 2:
            other = rng.randrange(len(node))
            node[place], node[other] = node[other], node[place]
        case 3 if isinstance(node[place], int):
            node[place] += rng.choice([1, -1])
        case _:
            node[place] = rng.choice(DISTURBING)
    return data


def test_text_of_each_changed_board_is_judged_alike():
    rng = random.Random("boards")
    data = json.loads(TEXT)
    judged = [
        is_board(json.dumps(changed(data, rng), separators=(",", ":"))) for _ in range(100)
    ]
    assert 10 < sum(judged) < 90


@pytest.mark.slow
def test_texts_of_many_changed_boards_are_judged_alike():
    rng = random.Random("many boards")
    data = json.loads(TEXT)
    for _ in range(5000):
        once = changed(data, rng)
        is_board(json.dumps(changed(once, rng) if once else once, separators=(",", ":")))


@pytest.mark.parametrize(
    "text",
    [
        *("", "[", "[" * 100_000, "null", "[1,2]", f" {TEXT}", f"{TEXT} ", "1" * 5000),
        TEXT.replace("],20]", "],-0]"),
        TEXT.replace("],20]", "],2e1]"),
        TEXT.replace("],20]", "],NaN]"),
        TEXT.replace('"rice"', '"r\\u0069ce"'),
        TEXT.replace("rice", "café"),
        TEXT.replace('"a",[', '"A",['),
    ],
)
def test_other_texts_of_a_board_are_refused(text):
    assert not is_board(text)


def test_names_of_a_board_may_have_any_admitted_letter():
    assert is_board(TEXT.replace("rice", "caf\\u00e9"))
    assert is_board(TEXT.replace("rice", "\\ud840\\udc00"))
