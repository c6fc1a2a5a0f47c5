"""What typed cards can be, where a seat is asked."""

import pytest

from matcha_p2p.games.tichu.rules.actions import GiveCards, GiveTrick, Hold, Lay, ShowMahJong
from matcha_p2p.games.tichu.rules.cards import TEXTS
from matcha_p2p.games.tichu.rules.combinations import combination
from matcha_p2p.games.tichu.rules.notation import text_of
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, Variant, new_round
from matcha_p2p.games.tichu.words import notation
from matcha_p2p.games.tichu.words.notation import (
    CardsRead,
    read_gifts,
    read_lays,
    read_number,
    reads_as_cards,
    typed_answer,
)

CARD = notation._CARD


def faces(texts: str) -> tuple[int, ...]:
    return tuple(TEXTS.index(text) for text in texts.split())


def asked(hand: str, under: str = "", wish: int = 0, ask: Ask = Ask.TURN) -> Observation:
    """Return what seat 0 sees that holds ``hand`` while ``under`` lies."""
    mine = faces(hand)
    state = new_round(Variant(), SEATS[0])._replace(
        held=(frozenset(range(len(mine))), *(frozenset(range(14)),) * 3),
        asked=((SEATS[0], ask),),
        under=combination(faces(under), 0, None) if under else None,
        leader=SEATS[1],
        last=SEATS[1],
        wish=wish,
    )
    return Observation(state, SEATS[0], mine, (), 1, (0, 0))


def read(text: str, seen: Observation) -> CardsRead:
    return read_lays(text, seen)


def laid(text: str, seen: Observation) -> list[str]:
    """Return the plays that ``text`` can be, as they are typed in full."""
    found = read(text, seen)
    assert found.refused is None
    return [text_of(seen, lay) for lay in found.lays]


def rule(text: str, seen: Observation) -> str:
    found = read(text, seen)
    assert found.refused is not None
    assert not found.lays
    return found.refused.rule


@pytest.mark.parametrize(
    ("typed", "play"),
    [
        ("R7 G7", "R7 G7"),
        ("g7r7", "R7 G7"),
        ("77", "R7 G7"),
        ("7 7, 9 9 9", "R7 G7 R9 G9 B9"),
        ("10", "RT"),
        ("t", "RT"),
        ("P", "P"),
        ("p t", "RT PT"),
        ("h", "H"),
        ("M", "M"),
        ("7r 7g", "R7 G7"),
        ("7g7✦", "R7 G7"),
        ("10R Phx", "RT PT"),
        ("7✦7◉, 9r 9g 9⌂", "R7 G7 R9 G9 B9"),
        ("1", "M"),
        ("dog", "H"),
    ],
)
def test_cards_are_read_as_the_one_play_they_can_be(typed, play):
    assert laid(typed, asked("M R7 G7 R9 G9 B9 RT P H D")) == [play]


def test_a_letter_of_a_suit_and_a_king_is_read_in_both_ways():
    seen = asked("KK RK B3")
    assert laid("KK", seen) == ["RK KK", "KK"]
    assert laid("K K", seen) == ["RK KK"]
    assert laid("KK", asked("KK B3 R4")) == ["KK"]


def test_a_king_before_a_suit_is_no_black_card():
    seen = asked("KK RK BK K7 R7 G7")
    assert laid("Kb Ks", seen) == ["BK KK"]
    assert laid("K7 7", seen) == ["R7 K7"]
    assert laid("KB", seen) == laid("bK", seen) == ["BK"]
    assert laid("sK", seen) == ["KK"]


def test_the_phoenix_is_asked_for_where_it_can_be_two_cards():
    seen = asked("R7 G7 R9 G9 P")
    assert laid("77 99P", seen) == ["R7 G7 P7 R9 G9", "R7 G7 R9 G9 P9"]
    assert laid("77 99P9", seen) == ["R7 G7 R9 G9 P9"]
    assert laid("77 99P", asked("R7 G7 R9 G9 P", under="R8 G8 B8 R2 G2")) == ["R7 G7 R9 G9 P9"]


def test_a_straight_and_a_bomb_of_the_same_numbers_are_told_apart():
    seen = asked("R3 R4 R5 R6 R7 G5")
    assert laid("34567", seen) == ["R3 R4 R5 R6 R7", "R3 R4 G5 R6 R7"]
    assert laid("R3 R4 R5 R6 R7", seen) == ["R3 R4 R5 R6 R7"]
    assert laid("34567", asked("R3 R4 R5 R6 R7 G5", "D", ask=Ask.HOLD)) == ["R3 R4 R5 R6 R7"]


def test_numbers_alone_leave_a_bomb_whole():
    assert laid("5", asked("R3 R4 R5 R6 R7 G5")) == ["G5"]


@pytest.mark.parametrize(
    ("typed", "under", "wish", "ask", "number"),
    [
        ("B7", "", 0, Ask.TURN, "T7"),
        ("P7P", "", 0, Ask.TURN, "T7"),
        ("79", "", 0, Ask.TURN, "T14"),
        ("7", "B9", 0, Ask.TURN, "T16"),
        ("77", "B6", 0, Ask.TURN, "T16"),
        ("7D", "", 0, Ask.TURN, "T15"),
        ("7H", "", 0, Ask.TURN, "T18"),
        ("H", "B6", 0, Ask.TURN, "T18"),
        ("P", "D", 0, Ask.TURN, "T17"),
        ("7", "B6", 9, Ask.TURN, "T21"),
        ("9", "B6", 0, Ask.HOLD, "T24"),
        ("9", "", 0, Ask.PUSH, "T4"),
    ],
)
def test_what_is_refused_names_the_rule(typed, under, wish, ask, number):
    assert rule(typed, asked("R7 G7 R9 P H D", under, wish, ask)) == number


@pytest.mark.parametrize("typed", ["", "pass", "hold", "tichu", "R", "77 x"])
def test_what_is_no_card_is_read_as_none(typed):
    assert not reads_as_cards(typed)


def test_gifts_keep_the_order_in_which_they_are_typed():
    held = dict(enumerate(faces("R7 G7 D H R2")))
    assert read_gifts("2 D 7", held) == (4, 2, 0)
    assert read_gifts("77H", held) == (0, 1, 3)
    assert read_gifts("hdg7", held) == (3, 2, 1)
    for wrong in ("77", "777", "7 7 7 7", "B2 7 7", ""):
        assert read_gifts(wrong, held) is None


@pytest.mark.parametrize("hand", ["KK RK B3", "RK GK BK KK K2 K3 K4 K5 K6 K7 K8 K9 KT KJ"])
@pytest.mark.parametrize("text", ["K", "K K", "KK ", "kj", "K7G", "P7", "10", "K2", "K2K3"])
def test_letters_without_end_are_looked_at_few_times(monkeypatch, text, hand):
    """Each look tells whether one or two letters name a card."""
    looks = 0

    class Counted:
        def fullmatch(self, letters):
            nonlocal looks
            looks += 1
            return CARD.fullmatch(letters)

    monkeypatch.setattr(notation, "_CARD", Counted())
    seen = asked(hand)
    for count in (1, 10, 12, 20, 24):
        looks = 0
        read(text * count, seen)
        read_gifts(text * count, seen.held)
        reads_as_cards(text * count)
        assert looks < 500


def test_cards_that_nobody_can_hold_are_cards():
    assert all(map(reads_as_cards, ["77777", "P7P7", "K" * 24, "RK" * 15, "10,10 k"]))
    assert read("77777", asked("R7 G7")).refused.rule == "T7"


@pytest.mark.parametrize(("typed", "number"), [("8", 8), ("10", 10), ("q", 12), ("1", None)])
def test_a_number_is_read(typed, number):
    assert read_number(typed) == number


def test_moves_are_told_as_they_are_typed():
    seen = asked("M RT GT BA K9 P D")
    assert typed_answer(seen, Lay((1, 2, 5), wild=10, tichu=True)) == "tichu 10r 10g P10"
    assert typed_answer(seen, Lay((0,), wish=10)) == "M wish 10"
    assert typed_answer(seen, GiveCards((3, 4, 6))) == "give D 9s Ab"
    assert typed_answer(seen, Hold()) == "hold"


def test_moves_are_written_as_they_are_read():
    seen = asked("M R7 G7 P D")
    assert text_of(seen, Lay((0,), wish=12, tichu=True)) == "tichu M wish Q"
    assert text_of(seen, Lay((1, 2, 3), wild=7)) == "R7 G7 P7"
    assert text_of(seen, Lay((3, 2, 1), wild=6)) == "P6 R7 G7"
    assert text_of(seen, GiveCards((0, 1, 4))) == "give D R7 M"
    assert text_of(seen, GiveTrick(SEATS[1])) == "gift right"
    assert text_of(seen, GiveTrick(SEATS[3])) == "gift left"
    assert text_of(seen, ShowMahJong(0)) == text_of(seen, Hold()) == "hold"
