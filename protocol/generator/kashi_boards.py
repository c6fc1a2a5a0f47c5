"""Changes that make the text of a board lawless (SPEC#kashi-board)."""

import json
from typing import Final

_ROWS: Final = ("1a2bA", "aaabb", "3a4bB", "cc#bb", "C5ccc")


def _rows(width: int, height: int, letter: str) -> str:
    """Return the grid, with rows and columns of a letter added."""
    rows = [row.ljust(width, letter) for row in _ROWS]
    return json.dumps(rows + [letter * width] * (height - len(rows)), separators=(",", ":"))


LARGEST: Final = (
    (_rows(5, 5, "z"), _rows(20, 20, "z")),
    ('["c",[3,0,0]]', '["c",[3,0,0]],["z",[0,0,0]]'),
)
"""The largest board: parts of the text, each with a replacement."""

FLAWS: Final = (
    ("two goods of one name", '"e"]', '"d"]'),
    ("four goods", ',"e"]', "]"),
    ("a name with a space at its end", '"e"]', '"e "]'),
    ("a name that is a number", '"e"]', "5]"),
    ("two guests of one name", '"B","C"]', '"B","B"]'),
    ("a text for an array", '["A","B","C"]', '"ABC"'),
    ("a guest too many", '"B","C"]', '"B","C","D"]'),
    ("a letter in another form", "caf\\u00e9", "caf\\u00E9"),
    ("a letter that is not escaped", "caf\\u00e9", "caf\u00e9"),
    ("a quotation mark in another form", "caf\\u00e9", "caf\\u0022"),
    ("a letter that is escaped", "caf\\u00e9", "caf\\u0065"),
    ("no row", '["1a2bA","aaabb","3a4bB","cc#bb","C5ccc"]', "[]"),
    ("an empty row", '["1a2bA","aaabb","3a4bB","cc#bb","C5ccc"]', '[""]'),
    ("rows of 21 letters", _rows(5, 5, "a"), _rows(21, 5, "a")),
    ("21 rows", _rows(5, 5, "a"), _rows(5, 21, "a")),
    ("rows of different length", '"aaabb"', '"aaabbb"'),
    ("a row that is a number", '"aaabb"', "1"),
    ("a letter that stands for nothing", '"aaabb"', '"aaab6"'),
    ("a good without a wholesaler", '"1a2bA"', '"aa2bA"'),
    ("a guest twice", '"aaabb"', '"aAabb"'),
    ("squares that nobody reaches", '"cc#bb","C5ccc"', '"#5#bb","C#ccc"'),
    ("a start on a tile", '"5,3"', '"5,2"'),
    ("a start without a square", '"5,3"', '"4,3"'),
    ("a start twice", '"5,3"', '"2,5"'),
    ("five starts", '"5,3"', '"5,3","5,4"'),
    ("a start written otherwise", '"5,3"', '"5 3"'),
    ("an area without points", ',["c",[3,0,0]]', ""),
    ("an area that the grid has not", '["c",[3,0,0]]', '["c",[3,0,0]],["d",[0,0,0]]'),
    ("areas in another order", '["b",[7,7,1]],["c",[3,0,0]]', '["c",[3,0,0]],["b",[7,7,1]]'),
    ("an area twice", '["c",[3,0,0]]', '["c",[3,0,0]],["c",[3,0,0]]'),
    ("an area with the letter of a tile", '["a",[9,4,2]]', '["1",[0,0,0]],["a",[9,4,2]]'),
    (
        "an area behind z",
        'ccc"],["2,1","2,3","2,5","5,3"],[["a",[9,4,2]],["b",[7,7,1]],["c",[3,0,0]]',
        'cc{"],["2,1","2,3","2,5","5,3"],[["a",[9,4,2]],["b",[7,7,1]],["c",[3,0,0]],["{",[0,0,0]]',
    ),
    ("an area of two letters", '["c",[3,0,0]]', '["c",[3,0,0]],["cc",[0,0,0]]'),
    ("points that rise", "[7,7,1]", "[7,7,8]"),
    ("two points", "[7,7,1]", "[7,7]"),
    ("points of 100", "[7,7,1]", "[100,7,1]"),
    ("ten action points", "[9,1,5,0]", "[10,1,5,0]"),
    ("three action points", "[9,1,5,0]", "[9,1,5]"),
    ("gold of two seats for three", "[30,40,9]", "[30,40]"),
    ("100 gold", "[30,40,9]", "[30,100,9]"),
    ("100 points at the start", "[0,1,30]", "[0,1,100]"),
    ("no shop in hand", ",3,1],", ",0,1],"),
    ("21 shops later", ",3,1],", ",3,21],"),
    ("tables of three alone", ",[[4,4,5,5],[7,7,5,5],2,1]", ""),
    ("an order too few", '[1,[1,1,0,0,0],0,6,[2,0,[0,0,0,0,0],0,""],0],', ""),
    ("an order of another number", "[[1,[1,1,0,0,0],0,6,", "[[2,[1,1,0,0,0],0,6,"),
    ("an order of one good", "[[1,[1,1,0,0,0],0,6,", "[[1,[1,0,0,0,0],0,6,"),
    ("an order of five goods", "[[1,[1,1,0,0,0],0,6,", "[[1,[1,4,0,0,0],0,6,"),
    ("a sixth kind of goods", "[[1,[1,1,0,0,0],0,6,", "[[1,[1,1,0,0,0,0],0,6,"),
    ("a fourth guest", "[[1,[1,1,0,0,0],0,6,", "[[1,[1,1,0,0,0],3,6,"),
    ("an order of 100 points", "[[1,[1,1,0,0,0],0,6,", "[[1,[1,1,0,0,0],0,100,"),
    ("true for 1", "[[1,[1,1,0,0,0],0,6,", "[[1,[1,true,0,0,0],0,6,"),
    ("a bonus of one action point", '[2,0,[0,0,0,0,0],0,""],0]', '[1,0,[0,0,0,0,0],0,""],0]'),
    ("a bonus of three", '[2,0,[0,0,0,0,0],0,""],0]', '[3,0,[0,0,0,0,0],0,""],0]'),
    ("a bonus of 100 gold", '[2,0,[0,0,0,0,0],0,""],0]', '[2,100,[0,0,0,0,0],0,""],0]'),
    ("an empty bonus", '[2,0,[0,0,0,0,0],0,""],0]', '[0,0,[0,0,0,0,0],0,""],0]'),
    ("more goods than the cost", '[2,0,[0,0,0,0,0],0,""],0]', '[2,0,[0,2,0,0,0],1,""],0]'),
    ("five goods to choose", '[2,0,[0,0,0,0,0],0,""],0]', '[2,0,[0,0,0,0,0],5,""],0]'),
    ("a good and a shop", '[2,0,[0,0,0,0,0],0,""],0]', '[2,0,[0,0,0,0,0],1,"shop/2"],0]'),
    ("an unknown shop", '[2,0,[0,0,0,0,0],0,""],0]', '[2,0,[0,0,0,0,0],0,"shop"],0]'),
    ("a shop that is a number", '[2,0,[0,0,0,0,0],0,""],0]', "[2,0,[0,0,0,0,0],0,0],0]"),
    ("a settlement of two goods", '[2,0,[0,0,0,0,0],0,""],0]', '[2,0,[0,0,0,0,0],0,""],1]'),
    ("a settlement of three goods", "[28,[1,0,0,1,2]", "[28,[1,0,0,1,1]"),
    ("two settlements", '[0,4,[0,0,0,0,0],0,""],1]', '[0,4,[0,0,0,0,0],0,""],0]'),
    ("a settlement of 2", '[0,4,[0,0,0,0,0],0,""],1]', '[0,4,[0,0,0,0,0],0,""],2]'),
    ("idle of 1000", "],1]", "],1000]"),
    ("idle below 0", "],1]", "],-1]"),
    ("idle of 1.0", "],1]", "],1.0]"),
    ("idle of -0", "],1]", "],-0]"),
    ("idle of 1e1", "],1]", "],1e1]"),
    ("a row with a zero before", '"5,3"', '"05,3"'),
    ("nothing behind idle", "],1]", "],1,0]"),
    ("a space", ",[9,1,5,0],", ", [9,1,5,0],"),
    ("an array that does not end", "],1]", "],1"),
)
"""Lawless boards: a part of the other board's text, and the replacement."""
