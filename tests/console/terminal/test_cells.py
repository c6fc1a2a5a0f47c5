"""Text is broken into lines by its cells, in any script."""

import pytest

from matcha_p2p.console.terminal.cells import fit_line, width, wrapped

JAPANESE = "山札は茶葉（T）、茶碗（B）の一から四までと、零（Z）が二枚です。「試合」は三回。"


def test_words_stay_whole():
    assert wrapped("a bowl of tea, whisked", 9) == ["a bowl of", "tea,", "whisked"]
    assert wrapped("a  b", 9) == ["a  b"]
    assert wrapped("", 9) == [""]


def test_a_word_longer_than_a_line_is_cut():
    assert wrapped("see aaaaaaaaaa", 4) == ["see", "aaaa", "aaaa", "aa"]


def test_an_item_hangs():
    assert wrapped("- leaf beats bowl and water", 12) == [
        "- leaf beats",
        "  bowl and",
        "  water",
    ]


@pytest.mark.parametrize("cells", [4, 7, 10, 19, 20, 33])
def test_japanese_fills_lines(cells):
    lines = wrapped(JAPANESE, cells)
    assert "".join(lines) == JAPANESE
    assert max(map(width, lines)) <= cells
    if cells >= 10:
        assert not any(line[0] in "、。）」" for line in lines)
        assert not any(line[-1] in "（「" for line in lines)


@pytest.mark.parametrize(
    "phrases",
    [
        "あなたは|お湯2を|畳bに|伏せました。|Minaさんの|番です。",
        "畳a|（茶葉3）は|数字合わせ、|畳b|（お湯1）は|スート合わせです。",
        "トークンを|得ます。|Ctrl-Cで|終了します。",
        "カードは|1〜5、|次に|畳aか、|そうでなければpで|パス。",
        "ごめん、|ちょーっと|待って！",
        "「茶筅」と|言いました。",
    ],
)
def test_japanese_is_broken_between_phrases(phrases):
    parts = phrases.split("|")
    text = "".join(parts)
    for first in range(1, len(parts)):
        head = "".join(parts[:first])
        cells = max(width(head), *map(width, parts))
        for line in wrapped(text, cells)[:-1]:
            text_so_far = text[: text.index(line) + len(line)]
            assert text_so_far in {"".join(parts[:end]) for end in range(len(parts))}


@pytest.mark.parametrize(
    ("text", "cells", "lines"),
    [
        ("You gain a leaf token.", 18, ["You gain a", "leaf token."]),
        ("- You gain a leaf token.", 20, ["- You gain a", "  leaf token."]),
        ("Mina lays 杓1。パス。", 18, ["Mina lays", "杓1。パス。"]),
        ("You gain internationally.", 12, ["You gain", "internationa", "lly."]),
        ("p passes.", 4, ["p", "pass", "es."]),
    ],
)
def test_no_short_word_stands_alone_in_the_last_line(text, cells, lines):
    assert wrapped(text, cells) == lines


def test_brackets_of_other_scripts_break_nothing():
    assert wrapped("a token(s) [port-used]", 12) == ["a token(s)", "[port-used]"]


@pytest.mark.parametrize("cells", [1, 2, 3])
def test_no_line_is_too_narrow(cells):
    for text in (JAPANESE, "- an item", "e\u0301" * 5):
        assert "".join("".join(wrapped(text, cells)).split()) == "".join(text.split())


def test_a_line_says_where_words_are_cut_off():
    line = [("class:a", "one "), ("", "two"), ("class:b", " three")]
    assert fit_line(line, 7) == [("class:a", "one "), ("", "tw~")]
    assert fit_line(line, 9) == [("class:a", "one "), ("", "two"), ("class:b", " ~")]
    assert fit_line(line, 13) == line
    blank = [("", "one"), ("class:paper", "   ")]
    assert fit_line(blank, 3) == [("", "one")]
    assert fit_line(blank, 4) == [("", "one"), ("class:paper", " ")]
    assert fit_line([("", "茶"), ("", "茶")], 3) == [("", "茶"), ("", "~")]
