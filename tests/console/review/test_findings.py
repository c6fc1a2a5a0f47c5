"""The analysis of any game: verdict, chart, list, and the keys that step through the list."""

from dataclasses import replace
from itertools import pairwise

import pytest
import trio

from matcha_p2p.console.review.findings import (
    KEYS_LIST,
    Findings,
    judge_all,
    keys_words,
    page,
    reading_after,
    tell_all,
)
from matcha_p2p.console.table.bars import keys_bar
from matcha_p2p.console.table.focus import Page, Reading
from matcha_p2p.console.table.full_screen import with_findings
from matcha_p2p.console.terminal.cells import line_width
from matcha_p2p.console.terminal.skins import ASCII, PLAIN, with_framed_cards
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.review.analysis import GameAnalysis, Mistake
from tests.games.kashi.scenes import analysed

LIST = Reading(Page.ANALYSIS)
FRAMED = with_framed_cards(PLAIN)


def mistake(number, loss, name=""):
    cost = f"{loss} points"
    return Mistake(f"Round {number}", name, "a pair of nines", "passing", loss, cost)


def findings(*losses, count=None):
    """Return findings whose losses of 10 and more are mistakes."""
    found = (
        (each, mistake(at, each) if each >= 10 else None) for at, each in enumerate(losses)
    )
    return Findings(
        b"file", len(losses) if count is None else count, tuple(found), ("A note.",)
    )


def shown(found, columns=80, skin=FRAMED):
    return ["".join(text for _, text in line) for line in page(found, columns, skin)]


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (Findings(b"file"), "The game is being read."),
        (findings(0, 20, count=9), "Decisions judged so far: 2 of 9. Mistakes so far: 1."),
        (
            findings(20, 0, 50, 10),
            "Decisions judged: 4. Mistakes: 3. The dearest is number 2: 50 points.",
        ),
        (
            findings(0, 5),
            "Decisions judged: 2. No mistake, so there is none to step to on the board.",
        ),
        (
            findings(),
            "Decisions judged: 0. No mistake, so there is none to step to on the board.",
        ),
    ],
)
def test_verdict_has_the_numbers_and_the_dearest_mistake(found, verdict):
    assert shown(found)[0] == f" {verdict}"


def test_list_is_in_the_order_of_the_game_with_the_same_columns():
    lines = shown(findings(20, 0, 50, 10))
    (head,) = (line for line in lines if "where" in line)
    assert head.split() == ["where", "played", "better", "lost"]
    rows = [line.split() for line in lines if " a pair of nines " in line]
    assert [(row[0], row[2], row[-2]) for row in rows] == [
        ("1", "0", "20"),
        ("2", "2", "50"),
        ("3", "3", "10"),
    ]
    assert lines[-1] == " A note."


def test_mistake_of_another_player_has_the_name():
    found = replace(findings(20), judged=((20, mistake(3, 20, "Taro")),))
    assert "Round 3, Taro" in "\n".join(shown(found))
    assert found.listed() == [
        "1. Round 3, Taro: a pair of nines. Better: passing. Lost: 20 points."
    ]


def test_bars_are_as_high_as_the_losses_and_numbered_as_the_list():
    lines = shown(findings(20, 0, 40, 10))
    at = next(at for at, line in enumerate(lines) if line.strip() == "1  .  2  3")
    columns = [[line[1 + 3 * place :][:2] for line in lines[at - 4 : at]] for place in range(4)]
    assert [each.count("██") for each in columns] == [2, 0, 4, 1]


@pytest.mark.parametrize("skin", [PLAIN, ASCII, FRAMED])
def test_dearer_mistake_has_a_longer_bar(skin):
    """Also of the smallest loss a bar is seen."""
    lines = shown(findings(56, 30, 47, 37, 1, 0), skin=skin)
    at = next(at for at, line in enumerate(lines) if line.strip() == "1  2  3  4  .  .")
    bars = [tuple(line[1 + 3 * place] for line in lines[at - 4 : at]) for place in range(6)]
    (full,) = set(bars[0])
    high = [sum(" ▁▂▃▄▅▆▇█.:#".index(sign) for sign in bar) for bar in bars]
    assert full in "█#"
    assert high[0] > high[2] > high[3] > high[1] > high[4] > high[5] == 0


@pytest.mark.parametrize("columns", [60, 80, 160])
@pytest.mark.parametrize("skin", [PLAIN, ASCII, FRAMED])
def test_page_fits_with_a_bar_for_each_decision(columns, skin):
    found = findings(*range(60))
    lines = page(found, columns, skin)
    assert max(map(line_width, lines)) <= columns
    labels = " ".join("".join(text for _, text in line) for line in lines)
    assert all(f" {number} " in labels for number in range(1, 51))


@pytest.mark.parametrize("language", LANGUAGES)
def test_bars_are_whole_on_the_smallest_terminal(language):
    speak(language)
    try:
        words = KEYS_LIST(), keys_words(1), keys_words(2)
        lines = ["".join(text for _, text in keys_bar(each, 60)) for each in words]
    finally:
        speak("en")
    assert all(line.endswith(" ") for line in lines), lines


def test_keys_step_round_and_back_to_the_list():
    places = [reading_after(LIST, "a", 3)]
    for key in "aaaA":
        places.append(reading_after(places[-1], key, 3))
    assert [it.at for it in places] == [0, 1, 2, 0, 2]
    assert reading_after(LIST, "A", 3).at == 2
    assert reading_after(places[0], "escape", 3) == LIST
    assert all(one != two for one, two in pairwise(places))


def test_without_mistakes_the_keys_leave_the_page_open():
    assert reading_after(LIST, "a", 0) == reading_after(LIST, "A", 0) == LIST


class Quick:
    """Finds four decisions, each dearer than the one before; the last two are mistakes."""

    class Found(int):
        loss = property(lambda self: 5.0 * self)

    def begin(self, asked):
        assert asked == b"file"
        return GameAnalysis(("Mina", "Taro"), tuple(range(4)))

    def judge(self, decision):
        return self.Found(decision)

    def mistake(self, found, names, seat):
        return mistake(found, found.loss, "" if seat == 0 else names[0]) if found > 1 else None

    def notes(self, *_):
        return ["A note."]


async def test_decisions_are_shown_one_after_another_and_the_notes_at_the_end():
    told: list[Findings] = []
    with trio.fail_after(30):
        await judge_all(Quick(), b"file", 0, told.append)
    assert [len(it.judged) for it in told] == [0, 1, 2, 3, 4]
    assert [len(it.mistakes) for it in told] == [0, 0, 0, 1, 2]
    assert [it.notes for it in told] == [()] * 4 + [("A note.",)]


async def test_line_mode_tells_the_same_list_and_verdict():
    lines: list[str] = []
    await tell_all(Quick(), b"file", 0, lines.extend)
    assert lines == [
        "1. Round 2: a pair of nines. Better: passing. Lost: 10.0 points.",
        "2. Round 3: a pair of nines. Better: passing. Lost: 15.0 points.",
        "Decisions judged: 4. Mistakes: 2. The dearest is number 2: 15.0 points.",
        "A note.",
    ]


def test_findings_of_another_game_are_dropped():
    scene = analysed()
    assert with_findings(scene, Findings(b"other", 3)) == scene
    later = replace(scene.findings, count=22)
    assert with_findings(scene, later).findings == later
