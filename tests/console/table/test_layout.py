"""The layout of all tables: the same places in each game, and nothing cut."""

import re
from dataclasses import replace
from importlib import import_module

import pytest

from matcha_p2p.console.table.bars import MARK
from matcha_p2p.console.table.focus import AT_TABLE, AtTable, OpenList, Talking
from matcha_p2p.console.terminal.cells import CUT, Line, key_of, line_width
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.language import LANGUAGES, speak
from tests.console.scenes import SCENES as MATCHA_SCENES
from tests.console.table.test_keymap import built
from tests.games.kashi.scenes import SCENES as KASHI_SCENES
from tests.games.tichu.screen.scenes import SCENES as TICHU_SCENES

LAYOUTS = {
    game: import_module(f"matcha_p2p.games.{game}.screen.drawing.layout").LAYOUT
    for game in ("matcha", "kashi", "tichu")
}
LEAF = re.compile(r"[(（]\d/\d[^)）]*[)）]")

WRITTEN = {"matcha": MATCHA_SCENES, "kashi": KASHI_SCENES, "tichu": TICHU_SCENES}
SCENES = {game: dict(built(scenes)) for game, scenes in WRITTEN.items()}

QUESTION = {(60, 16): 11, (80, 24): 19, (120, 40): 33}
"""The row of the question, by the size of the terminal."""

LOWER = {("kashi", "won"): 2}
"""How many rows lower the question stands at 60x16, where a small board has the end below."""


TABLES = [
    (game, name)
    for game, scenes in SCENES.items()
    for name, scene in scenes.items()
    if isinstance(scene.focus, AtTable | OpenList | Talking)
]


def shown(game, scene, size):
    layout = LAYOUTS[game]
    body = [*layout.draw(scene, *size, SYMBOLS).body]
    assert [line_width(line) <= size[0] for line in body] == [True] * size[1]
    asks = [text(line).split() for line in layout.asks(scene, size[0], SYMBOLS)]
    words = [text(line).split() for line in body]
    row = next(at for at in range(len(body)) if words[at : at + len(asks)] == asks)
    return body, row


def advice_in(layout, scene, size):
    """Return the advice on a screen, all its pages one after the other."""
    pages = []
    for turned in range(9):
        shown = replace(scene, turned=(scene.advice, turned))
        pages.append(page_of_advice(layout, shown, size))
    return "".join(dict.fromkeys(pages))


def page_of_advice(layout, scene, size):
    """Return what is in sight of the advice, without spaces and without the number of pages."""
    body = layout.draw(scene, *size, SYMBOLS).body
    told = [part for line in body for style, part in line if "class:lesson" in style]
    return LEAF.sub("", "".join("".join(told).split()))


def text(line: Line) -> str:
    return "".join(part for _, part in line)


@pytest.mark.parametrize("size", QUESTION)
@pytest.mark.parametrize(("game", "name"), TABLES)
def test_title_question_pane_and_bars_have_the_same_rows_in_each_game(game, name, size):
    """Long advice and a line of talk may lift the question, and nothing else."""
    scene = SCENES[game][name]
    body, row = shown(game, scene, size)
    assert all(style == "class:title" for style, _ in body[0])
    if scene.advice or scene.is_talking:
        assert row <= QUESTION[size]
    else:
        low = LOWER.get((game, name), 0) if size == (60, 16) else 0
        assert row == QUESTION[size] + low
    panes = [at for at, line in enumerate(body) if "class:panel" in str(line)]
    assert panes == list(range(1, 1 + len(panes)))
    assert not panes or row - 3 <= panes[-1] < row
    for bar in body[-2:]:
        assert {style.split()[0] for style, _ in bar if style} <= {"class:keys", "class:letter"}


@pytest.mark.parametrize("size", QUESTION)
@pytest.mark.parametrize(("game", "name"), TABLES)
def test_advice_is_whole_and_nothing_is_cut(game, name, size):
    scene = SCENES[game][name]
    body, _ = shown(game, scene, size)
    assert not [line for line in body[1:] if CUT in text(line)]
    if size[0] > 60:
        assert CUT not in text(body[0])
    if not scene.is_talking:
        told = advice_in(LAYOUTS[game], scene, size)
        assert all("".join(part.split()) in told for part in scene.advice.split("\n"))
        assert {"?", "q"} <= {key_of(style) for style, _ in body[-1]}


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_during_an_act_the_question_names_the_key_of_the_bar(game, name):
    scene = replace(SCENES[game][name], focus=AT_TABLE)
    show = import_module(f"matcha_p2p.games.{game}.screen.show").Show()
    past = show.of_past(scene, scene)
    asked = text(LAYOUTS[game].asks(past, 80, SYMBOLS)[0])
    assert not asked.startswith(MARK) or "Space" in asked
    assert " Space go on " in text(LAYOUTS[game].draw(past, 80, 24, SYMBOLS).body[-2])


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize(("game", "name"), TABLES)
def test_what_was_said_is_in_sight(game, name, size):
    """Also where a pane is full; only a hint goes before talk that was read."""
    layout = LAYOUTS[game]
    scene = SCENES[game][name]
    if scene.is_talking or scene.advice or not scene.name:
        return
    scene = replace(scene, talk=((0, "well"),), unread=0, muted=None, advise=lambda _: None)
    drawn = "".join(map(text, layout.draw(scene, *size, SYMBOLS).body))
    assert drawn.count(": well") == 1


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_places_are_the_same_in_each_language(language):
    speak(language)
    try:
        # A scene holds sentences of its language.
        built_again = {game: dict(built(scenes)) for game, scenes in WRITTEN.items()}
        for game, name in TABLES:
            scene = built_again[game][name]
            for size, usual in QUESTION.items():
                _, row = shown(game, scene, size)
                lifted = scene.advice or scene.is_talking
                low = size[1] == 16  # two lines of a question and two of news lift it
                assert usual - low <= row <= usual or lifted or (game, name) in LOWER
    finally:
        speak("en")
