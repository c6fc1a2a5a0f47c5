"""Text is read back as what it was written from."""

import pytest

from matcha_p2p.games.matcha.rules.cards import FACES
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, SLOTS, Play, placements, subsets
from matcha_p2p.games.matcha.rules.notation import (
    face,
    faces,
    mat_text,
    move_text,
    parse_move,
    read,
)
from matcha_p2p.games.matcha.rules.observation import observe

ALL_MOVES = {
    *(move for mats in MATS_OF_ROUND for move in placements(mats, SLOTS)),
    *subsets(SLOTS),
}


def test_every_face_is_read_back():
    assert [face(card.name) for card in FACES] == list(FACES)
    assert face("t3").name == "T3"
    assert faces("T1 Z") == (face("T1"), face("Z"))


def test_every_move_is_read_back():
    assert len(ALL_MOVES) == 30 + 1 + 32
    for move in ALL_MOVES:
        assert parse_move(move_text(move)) == move


@pytest.mark.parametrize(
    "text", ["", "P", "0a", "6a", "1g", "1", "a", "k0", "k21", "k11", "k6"]
)
def test_other_text_is_no_move(text):
    with pytest.raises(ValueError, match="is no move"):
        parse_move(text)


@pytest.mark.parametrize("text", ["", "T0", "T5", "K1", "Z1"])
def test_other_text_is_no_card(text):
    with pytest.raises(ValueError, match="no card is called"):
        face(text)


def test_mats_show_their_demand():
    assert [mat_text(mat) for mat in range(6)] == ["a#", "b*", "c#", "d*", "e#", "f*"]


def test_legal_moves_alone_are_read_for_a_seat(board, edition):
    table = board(edition)
    seen = observe(table.game, 0, table.hands[0])
    assert read(seen, "2b") == Play(1, 1)
    with pytest.raises(ValueError, match="no legal move"):
        read(seen, "2c")
