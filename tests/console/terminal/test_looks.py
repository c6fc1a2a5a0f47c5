"""Colours: enough different colours, and a second sign beside each colour."""

from functools import cache
from itertools import product

import pytest
from pictures import colours
from prompt_toolkit.output.vt100 import _256_colors
from prompt_toolkit.styles import Style

from matcha_p2p.console.terminal.looks import THEMES, Depth, Look, depth_of
from matcha_p2p.console.terminal.skins import KANJI, SYMBOLS, with_framed_cards
from matcha_p2p.games.kashi.screen.drawing.layout import draw as draw_kashi
from matcha_p2p.games.matcha.replay.state import watch
from matcha_p2p.games.matcha.screen.signs import signs_of
from matcha_p2p.games.tichu.screen.drawing.layout import draw as draw_tichu
from tests.console.frames import ask, draw, lines_of
from tests.console.questions import QUESTIONS
from tests.console.scenes import SCENES
from tests.games.kashi.scenes import SCENES as KASHI
from tests.games.matcha.replay.test_replay import replayed
from tests.games.matcha.screen.test_show import ended, revealed
from tests.games.tichu.screen.scenes import SCENES as TICHU

SIZES = [(60, 16), (80, 24), (120, 40)]
ROOFS = "▟▙⌂"
"""Pictures: below a roof stand the letter and the colour of the owner."""
LEAST = {"dark": 4.5, "light": 4.5, "contrast": 7.0}


@cache
def drawn_styles(skin) -> set[str]:
    """Return every style of a text on any screen.

    Screens: the table, a moving table, the end, the menu and a replay.
    """
    scenes = [scene() for scene in SCENES.values()]
    scenes += [scene for film in (revealed(), ended()) for _, scene in film.frames()]
    scenes += [watch(replayed("long", (0, 1)), at=at).scene() for at in (1, 9, 30)]
    screens = [
        draw(scene, columns, rows, skin) for scene, (columns, rows) in product(scenes, SIZES)
    ]
    screens += [
        ask(question(), columns, rows, skin, {"The router": ("It lets guests in.",)})
        for question, (columns, rows) in product(QUESTIONS.values(), SIZES)
    ]
    screens += [
        lines_of(draw_kashi(scene(), columns, rows, skin), columns, rows)
        for scene, (columns, rows) in product(KASHI.values(), SIZES)
    ]
    screens += [
        lines_of(draw_tichu(scene(), columns, rows, skin), columns, rows)
        for scene, (columns, rows) in product(TICHU.values(), SIZES)
    ]
    return {
        " ".join(name for name in style.split() if "key-" not in name)
        for lines in screens
        for line in lines
        for style, text in line
        if text.strip(f" {skin.back}{ROOFS}")
    }


def luminance(colour: tuple[int, int, int]) -> float:
    """Return the relative luminance of WCAG 2."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (each / 255 for each in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def as_shown(digits: str, depth: Depth) -> tuple[int, int, int]:
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    if depth is not Depth.MANY:
        return red, green, blue
    return _256_colors.colors[_256_colors[red, green, blue]]


@pytest.mark.parametrize("depth", [Depth.TRUE, Depth.MANY, Depth.SIXTEEN])
@pytest.mark.parametrize("theme", THEMES)
def test_every_text_stands_out_from_its_ground(theme, depth):
    skin = with_framed_cards(SYMBOLS) if depth is Depth.SIXTEEN else SYMBOLS
    style = Style(list(Look(skin, theme, depth).styles.items()))
    faint = {}
    for names in drawn_styles(skin):
        text, ground, _ = colours(style, names)
        found = contrast(as_shown(text, depth), as_shown(ground, depth))
        if found < (4.5 if depth is Depth.SIXTEEN else LEAST[theme]):
            faint[names] = (text, ground, round(found, 2))
    assert not faint


@pytest.mark.parametrize("depth", [Depth.TRUE, Depth.MANY])
@pytest.mark.parametrize("theme", THEMES)
def test_tints_of_areas_are_ten_different_colours(theme, depth):
    style = Style(list(Look(SYMBOLS, theme, depth).styles.items()))
    names = [f"class:area{area}{odd}" for area in range(5) for odd in ("", " class:odd")]
    assert len({as_shown(colours(style, name)[1], depth) for name in names}) == 10


@pytest.mark.parametrize("depth", [Depth.TRUE, Depth.MANY])
@pytest.mark.parametrize("theme", THEMES)
def test_the_pane_is_told_apart_from_the_cloth_beside_it(theme, depth):
    style = Style(list(Look(SYMBOLS, theme, depth).styles.items()))
    panel, cloth = (
        as_shown(colours(style, f"class:{name}")[1], depth) for name in ("panel", "cloth")
    )
    assert contrast(panel, cloth) > 1.3


def test_all_themes_and_depths_know_the_same_styles():
    names = {
        frozenset(
            name for style in Look(SYMBOLS, theme, depth).styles for name in style.split()
        )
        for theme, depth in product(THEMES, Depth)
    }
    assert len(names) == 1


@pytest.mark.parametrize(
    ("environ", "color", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "auto", Depth.TRUE),
        ({"TERM": "xterm-256color"}, "auto", Depth.MANY),
        ({"TERM": "screen-256color", "COLORTERM": "truecolor"}, "auto", Depth.MANY),
        ({"TERM": "xterm-kitty"}, "auto", Depth.MANY),
        ({"TERM": "linux"}, "auto", Depth.SIXTEEN),
        ({"TERM": "xterm"}, "auto", Depth.SIXTEEN),
        ({"TERM": "xterm"}, "always", Depth.MANY),
        ({"TERM": "vt100"}, "auto", Depth.NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "auto", Depth.NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "auto", Depth.MANY),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "always", Depth.MANY),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, "never", Depth.NONE),
        ({"OS": "Windows_NT"}, "auto", Depth.MANY),
    ],
)
def test_a_terminal_is_asked_for_no_more_colours_than_it_has(environ, color, depth):
    assert depth_of(environ, color) is depth


@pytest.mark.parametrize("skin", [SYMBOLS, KANJI], ids=["symbols", "kanji"])
def test_meaning_of_colours_is_told_without_colours(skin):
    """The turn, open mats, and chosen, gained and face-down cards."""
    framed = with_framed_cards(skin)
    for columns, rows in SIZES:
        lines = draw(SCENES["second_round"](), columns, rows, framed)
        text = "\n".join("".join(text for _, text in line) for line in lines)
        signs = signs_of(skin)
        for mark in (">Mina", ">c = 2", f"+{signs.letter(0) if rows < 24 else signs.token(0)}"):
            assert mark in text
        assert signs.card(SCENES["second_round"]().hand[1]) in text
        assert framed.back in text
        lines = draw(SCENES["aiming"](), columns, rows, framed)
        assert "> 1 <" in "\n".join("".join(text for _, text in line) for line in lines)


@pytest.mark.parametrize("depth", [Depth.TRUE, Depth.MANY])
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("one", "other"),
    [("paper", "table"), ("paper", "lit"), ("shade", "cloth"), ("lit", "cloth")],
)
def test_cards_and_the_lit_field_stand_out_from_the_ground_below_them(theme, depth, one, other):
    style = Style(list(Look(SYMBOLS, theme, depth).styles.items()))
    grounds = [as_shown(colours(style, f"class:{name}")[1], depth) for name in (one, other)]
    assert max(abs(a - b) for a, b in zip(*grounds, strict=True)) >= 12
