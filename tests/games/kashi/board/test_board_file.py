"""Board files: K2 to K9."""

import contextlib
import random

import pytest

from matcha_p2p.edited_text import FaultyTextError
from matcha_p2p.games.kashi.board.board_file import MOST_BYTES, read_board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.rules.orders import Bonus, ShopBonus, parse_bonus
from matcha_p2p.games.kashi.table.written import digest, text_of
from tests.games.kashi.rules.positions import BOARD, at

TEXT = """\
format = "kashi board 1"
name = "Owner's"
idle = 4
goods = ["rice", "chestnut", "plum", "honey", "tea"]
guests = ["temple", "theatre", "harbour"]
grid = [
  "5aa1abA",
  "aaaaabb",
  "ddmmmbb",
  "Cdmmmb2",
  "ddmmmbb",
  "ddccccc",
  "4dcBcc3",
]
starts = ["3 3", "3 5", "5 3", "5 5"]
[areas]
m = [9, 5, 2]
a = [7, 4, 2]
b = [7, 4, 2]
c = [7, 4, 2]
d = [7, 4, 2]
[start]
gold = 5
points = { 3 = [10, 10, 11], 4 = [10, 10, 11, 14] }
[shops]
3 = [8, 3]
4 = [7, 2]
[unused]
"""
STARTS = '"3 3", "3 5", "5 3", "5 5"'
ORDERS = ['  "12 A 6 2ap",'] * 27 + ['  "1234 B 6 2g settle",'] * 3
FILE = TEXT.replace("[areas]", "\n".join(["orders = [", *ORDERS, "]", "[areas]"])).replace(
    "[unused]\n", ""
)


def line(text: str) -> int:
    """Return the line of the file that begins with ``text``."""
    return next(
        number
        for number, each in enumerate(FILE.split("\n"), 1)
        if each.lstrip().startswith(text)
    )


BROKEN = [
    ("kashi board 1", "kashi board 2", "format", "format"),
    ("idle = 4", "idle = -1", "idle", "whole number"),
    ("idle = 4", "idle = true", "idle", "whole number"),
    ("idle = 4", "idle = 1e3", "idle", "whole number"),
    ("idle = 4", "idel = 4", "idle", "idel"),
    ("Owner's", "\\u001b[2J", "name", "cannot be a name"),
    ('"chestnut"', '"rice"', "goods", "different names"),
    ('"chestnut", ', "", "goods", "different names"),
    ('"chestnut"', "7", "goods", "list of texts"),
    ('"harbour"', '""', "guests", "different names"),
    ('"5aa1abA"', '"5aa1abAa"', '"5aa1abA"', "another length"),
    ('"5aa1abA"', '"5aa1abB"', "grid", "A has to stand in the grid once"),
    ('"5aa1abA"', '"5aa1ab?"', '"5aa1abA"', "stands for nothing"),
    ('"4dcBcc3"', '"4dcB##3"', '"4dcBcc3"', None),
    ('"ddccccc"', '"#######"', '"4dcBcc3"', "cannot be reached"),
    ('"5 5"]', '"5 9"]', "starts", "A start is a square"),
    ('"5 5"]', '"5 3"]', "starts", "four different"),
    ('"5 5"]', '"1 1"]', "starts", "square of an area"),
    ('"5 5"]', "5]", "starts", "list of texts"),
    ('"rice", "chestnut", "plum", "honey", "tea"', "", "goods", "5 different names"),
    ('"temple", "theatre", "harbour"', "", "guests", "3 different names"),
    (STARTS, "", "starts", "four different"),
    ("\n".join(ORDERS), "", "orders", "30 orders; here are 0"),
    ("m = [9, 5, 2]", "", "[areas]", "m has no values"),
    ("m = [9, 5, 2]", "m = [9, 5]", "m =", "list of 3"),
    ("m = [9, 5, 2]", "m = [9, 2, 5]", "m =", "later rank"),
    ("m = [9, 5, 2]", "m = [9, 5, 2.0]", "m =", "whole number"),
    ("d = [7, 4, 2]", "d = [7, 4, 2]\ne = [7, 4, 2]", "[start]", "no area e"),
    ("gold = 5", "gold = 100", "gold", "whole number"),
    ("gold = 5", "", "[start]", "start.gold"),
    ("[10, 10, 11]", "[10, 11]", "points", "list of 3"),
    ("3 = [8, 3]", "3 = [8]", "3 =", "list of 2"),
    ("4 = [7, 2]", "", "[shops]", "shops.4"),
    ("4 = [7, 2]", "4 = [7, 2]\n5 = [7, 2]", None, "Nothing is called 5"),
    ('  "12 A 6 2ap",\n', "", "orders", "30 orders; here are 29"),
    ('"12 A 6 2ap"', '"12 A 6"', '"12 A', "is written as"),
    ('"12 A 6 2ap"', '"1 A 6 2ap"', '"12 A', "two to four goods"),
    ('"12 A 6 2ap"', '"16 A 6 2ap"', '"12 A', "two to four goods"),
    ('"12 A 6 2ap"', '"12 D 6 2ap"', '"12 A', "A, B or C"),
    ('"12 A 6 2ap"', '"12 A 06 2ap"', '"12 A', "points"),
    ('"12 A 6 2ap"', '"12 A 6 3ap"', '"12 A', "unknown"),
    ('"12 A 6 2ap"', '"12 A 6 3 good"', '"12 A', "more goods"),
    ('"12 A 6 2ap"', '"12 A 6 1 good shop/2"', '"12 A', "good and for a square"),
    ('"12 A 6 2ap"', '"1234 A 6 2ap settle"', "orders", "3 orders bring"),
    ('"1234 B 6 2g settle"', '"123 B 6 2g settle"', '"1234', "four goods"),
    ("[areas]", "[[areas]]", "[areas]", "has to be a table"),
    ("idle = 4", "idle = ", "idle", "no TOML"),
    ("idle = 4", "idle = 4\nidle = 5", "goods", "no TOML"),
    ("idle = 4", "idle = " + "9" * 5000, "idle", "too many digits"),
    ("idle = 4", "idle = " + "[" * 5000, "idle", "many brackets"),
    ('"5aa1abA"', "7", '"5aa1abA"', "list of texts"),
    ('"1234 B 6 2g settle"', "1234", '"1234', "list of texts"),
    ('"1234 B 6 2g settle"', "[]", '"1234', "list of texts"),
]


@pytest.mark.parametrize(("old", "new", "begins", "fault"), BROKEN)
def test_fault_is_named_with_its_line(old, new, begins, fault):
    text = FILE.replace(old, new, 1)
    assert text != FILE
    if fault is None:  # two squares less are no fault
        read_board(text.encode())
        return
    with pytest.raises(FaultyTextError) as error:
        read_board(text.encode())
    named = [it for it in error.value.faults if fault in it.said(str)]
    assert named, str(error.value)
    if begins is not None:
        assert named[0].line == line(begins)


def test_all_faults_are_told_in_the_order_of_lines():
    text = FILE.replace("idle = 4", "idle = -1").replace("3 = [8, 3]", "3 = []")
    with pytest.raises(FaultyTextError) as error:
        read_board(text.replace("[9, 5, 2]", "[9, 9, 10]").encode())
    lines = [fault.line for fault in error.value.faults]
    assert lines == sorted(lines)
    assert len(lines) == 3
    assert str(error.value).startswith("Line 3: idle")


@pytest.mark.parametrize(
    "data",
    [
        b"\xff",
        b"\x00",
        b"",
        b"[" * 5000,
        b"a = " + b"[" * 5000,
        b"a = " + b"{a=" * 4000,
        b"a = " + b"9" * 9000,
        b" " * (MOST_BYTES + 1),
        b"grid = []",
        b'grid = [""]\nstarts = [1]',
        b'grid = "aaa"',
        b"orders = [[]]",
        b"areas = 3\nstart = 4\nshops = [5]",
        b"start = 1979-05-27",
    ],
)
def test_hostile_bytes_are_faults(data):
    with pytest.raises(FaultyTextError, match="Line 1"):
        read_board(data)


def test_text_that_some_editor_has_written_is_the_same_board():
    marked = b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode()
    assert read_board(marked) == read_board(FILE.encode())


def test_invalid_text_is_found_on_its_line():
    with pytest.raises(FaultyTextError, match="Line 2: This is no UTF-8"):
        read_board(b"a = 1\nb = '\xe3'")


def test_no_bytes_crash_the_reader():
    rng = random.Random(1)
    data = FILE.encode()
    for _ in range(60):
        wrong = bytearray(data)
        for _ in range(rng.randrange(1, 4)):
            wrong[rng.randrange(len(wrong))] = rng.choice(b"[]{}=,.\"'#\n 0a\\")
        with contextlib.suppress(FaultyTextError):
            read_board(bytes(wrong))


def test_board_file_describes_the_board():
    """K3, K5, K7, K10."""
    board = read_board(FILE.encode())
    assert board.begins[0].gold == (5, 5, 5)
    assert board.begins[1].points == (10, 10, 11, 14)
    assert (board.begins[1].hand, board.begins[1].later) == (7, 2)
    assert board.ap == (3, 4, 5, 5)
    assert board.idle == 4
    assert [area.letter for area in board.areas] == ["a", "b", "c", "d", "m"]
    assert board.order(30).settle
    assert board.name_of(board.starts[3]) == "5,5"


def test_text_depends_on_rules_only():
    """K9: neither the name, nor the layout, nor another way to say the same."""
    text = text_of(read_board(FILE.encode()))
    same = FILE.replace("Owner's", "Mine").replace(
        "gold = 5", "gold = { 3 = [5, 5, 5], 4 = [5, 5, 5, 5] }"
    )
    assert text_of(read_board(("# mine\r\n" + same.replace("\n", "\r\n")).encode())) == text
    for old, new in (
        ("idle = 4", "idle = 5"),
        ("2ap", "3g"),
        ("[9, 5, 2]", "[8, 5, 2]"),
        ("plum", "fig"),
    ):
        assert text_of(read_board(FILE.replace(old, new, 1).encode())) != text


def test_shipped_board_is_ours():
    """K2, K3, K5."""
    assert digest(shipped_board()).hex() == (
        "fd454f321affb018bc1f00c5cfbc8cdda8541bbfc37b6d123fb9ed5ea4bc4ae5"
    )
    assert BOARD.squares.bit_count() == 49
    assert BOARD.tiles.bit_count() == 8
    assert [ground.bit_count() for ground in BOARD.grounds] == [8, 8, 8, 8, 9]
    assert sum(order.settle for order in BOARD.orders) == 3
    assert BOARD.wholesalers[1] == at("4,7")


@pytest.mark.parametrize(
    ("text", "bonus"),
    [
        ("2ap", Bonus(ap=2)),
        ("12g", Bonus(gold=12)),
        ("3g 1 good:2", Bonus(gold=3, named=(0, 1, 0, 0, 0))),
        ("2 good:1 1 good:5", Bonus(named=(2, 0, 0, 0, 1))),
        ("1g 1 good", Bonus(gold=1, chosen=1)),
        ("shop/2", Bonus(shop=ShopBonus.HALF_EMPTY)),
        ("shop/2 any", Bonus(shop=ShopBonus.HALF_ANY)),
        ("2g shop free any", Bonus(gold=2, shop=ShopBonus.FREE_ANY)),
        *(
            (text, None)
            for text in (
                "",
                "2ap ",
                "2g 3g",
                "0g",
                "shop free",
                "1 good:6",
                "2apx",
                "1 good 2 good",
            )
        ),
    ],
)
def test_bonus_is_read_in_the_words_of_the_file(text, bonus):
    """K6."""
    assert parse_bonus(text) == bonus
