"""Pictures of the screens, from the functions that draw them: ``python -m pictures DIR``.

Each is a PNG as a terminal would show it. Names of scenes (such as ``tichu-lead``), sizes as
80x24, themes, depths, skins and languages among the arguments choose what is drawn; without
any, every screen of each game in each language, dark and light, in 80x24 and 120x40. What moves
in Matcha, a reveal and the end of a game, is an animated PNG at the speed of the game.
``--sheets`` puts the pictures of a size, a theme and a language on few sheets, to be looked
through.
"""

import argparse
import itertools
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import get_cwidth

from matcha_p2p.app.command.front_end import usual_icons
from matcha_p2p.console.terminal.cells import Line
from matcha_p2p.console.terminal.looks import THEMES, Depth, Look
from matcha_p2p.console.terminal.skins import ASCII, SKINS, Skin, skin_called, with_framed_cards
from matcha_p2p.games.kashi.screen.drawing.layout import draw as draw_kashi
from matcha_p2p.games.matcha.screen.drawing.layout import draw as draw_matcha
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.tichu.screen.drawing.layout import draw as draw_tichu
from matcha_p2p.language import LANGUAGES, speak
from tests.console.frames import ask, draw, lines_of
from tests.console.questions import QUESTIONS
from tests.console.scenes import SCENES
from tests.games.kashi.scenes import SCENES as KASHI
from tests.games.matcha.screen.test_show import ended, revealed
from tests.games.tichu.screen.scenes import SCENES as TICHU

Screen = Callable[[int, int, Skin], list[Line]]
"""Draws a screen of so many columns and rows."""


def drawing(drawn, state, columns: int, rows: int, skin: Skin) -> list[Line]:
    """Draw a screen. state: makes the scene. drawn: the ``layout.draw`` of its game."""
    return lines_of(drawn(state(), columns, rows, skin), columns, rows)


def question(asked, columns: int, rows: int, skin: Skin) -> list[Line]:
    return ask(asked(), columns, rows, skin)


SCREENS: Mapping[str, Screen] = (
    {name: partial(drawing, draw_matcha, state) for name, state in SCENES.items()}
    | {f"tichu-{name}": partial(drawing, draw_tichu, state) for name, state in TICHU.items()}
    | {f"kashi-{name}": partial(drawing, draw_kashi, state) for name, state in KASHI.items()}
    | {name: partial(question, asked) for name, asked in QUESTIONS.items()}
)
FILMS = {"revealed": revealed, "ended": ended}
CELL = (10, 20)
FONTS = (
    ("DejaVuSansMono.ttf", "DejaVuSans.ttf"),
    ("DejaVuSansMono-Bold.ttf", "DejaVuSans.ttf"),
)
"""Plain and bold: the first that has a character is taken."""

WIDE_FONTS = ("NotoSansCJK-Regular.ttc", "ipag.ttf")
"""For what is two cells wide: the first that is installed (fonts-noto-cjk, fonts-ipafont)."""

SIXTEEN = {
    "black": "000000",
    "red": "aa0000",
    "green": "00aa00",
    "yellow": "aa5500",
    "blue": "0000aa",
    "magenta": "aa00aa",
    "cyan": "00aaaa",
    "gray": "aaaaaa",
    "brightblack": "555555",
    "brightred": "ff5555",
    "brightgreen": "55ff55",
    "brightyellow": "ffff55",
    "brightblue": "5555ff",
    "brightmagenta": "ff55ff",
    "brightcyan": "55ffff",
    "white": "ffffff",
}
"""What the names of the sixteen colours mean on a terminal of the usual kind."""


def rgb(colour: str, usual: str) -> str:
    """Return a colour of prompt_toolkit as six digits; ``usual`` where none is set."""
    if not colour or colour == "default":
        return usual
    return SIXTEEN[colour.removeprefix("ansi")] if colour.startswith("ansi") else colour


def colours(style: Style, names: str) -> tuple[str, str, bool]:
    """Return the colours of a text and of its ground, and whether it is bold."""
    attrs = style.get_attrs_for_style_str(f"class:table {names}")
    text, ground = rgb(attrs.color or "", "cccccc"), rgb(attrs.bgcolor or "", "101010")
    return (
        (ground, text, bool(attrs.bold)) if attrs.reverse else (text, ground, bool(attrs.bold))
    )


@cache
def font(bold: bool, character: str) -> ImageFont.FreeTypeFont:
    """Return the first font with the character, or the first font of all."""
    if get_cwidth(character) > 1:
        return _wide_font()
    fonts = [ImageFont.truetype(name, 16) for name in FONTS[bold]]
    return next((each for each in fonts if not _lacks(each, character)), fonts[0])


@cache
def _wide_font() -> ImageFont.FreeTypeFont:
    for name in WIDE_FONTS:
        with suppress(OSError):
            return ImageFont.truetype(name, 18)
    raise SystemExit(f"Install one of these fonts: {', '.join(WIDE_FONTS)}")


def _lacks(face: ImageFont.FreeTypeFont, character: str) -> bool:
    return bytes(face.getmask(character)) == bytes(face.getmask("\uffff"))


def paint(lines: list[Line], columns: int, look: Look) -> Image.Image:
    """Return the picture of a screen."""
    width, height = CELL
    style = Style(list(look.styles.items()))
    image = Image.new("RGB", (columns * width, len(lines) * height))
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        x, y = 0, row * height
        for names, text in line:
            ink, ground, bold = colours(style, names)
            for character in text:
                cells = get_cwidth(character) * width
                pen.rectangle((x, y, x + cells - 1, y + height - 1), f"#{ground}")
                face = font(bold, character)
                pen.text((x + cells // 2, y + 15), character, f"#{ink}", face, anchor="ms")
                x += cells
    return image


def film(
    frames: list[tuple[float, Scene]], size: tuple[int, int], look: Look, file: Path
) -> None:
    """Write what moves; the last frame stays for two seconds."""
    images = [paint(draw(scene, *size, look.skin), size[0], look) for _, scene in frames]
    times = [at for at, _ in frames] + [frames[-1][0] + 2]
    lasting = [round(1000 * (until - at)) for at, until in pairwise(times)]
    images[0].save(file, save_all=True, append_images=images[1:], duration=lasting, loop=0)


def put_on_sheets(files: list[Path], folder: Path, name: str) -> None:
    """Put pictures of a size side by side, two by two, and remove the single pictures."""
    for number in range(0, len(files), 4):
        tiles = [_middle(file) for file in files[number : number + 4]]
        width, height = tiles[0].size
        sheet = Image.new("RGB", (2 * width + 8, 2 * height + 8), "#ff00ff")
        for at, tile in enumerate(tiles):
            sheet.paste(tile, ((at % 2) * (width + 8), (at // 2) * (height + 8)))
        sheet.save(folder / f"{name}-{number // 4}.png")
    for file in files:
        file.unlink()


def _middle(file: Path) -> Image.Image:
    """Return a picture, or the frame in the middle of what moves."""
    with Image.open(file) as image:
        image.seek(getattr(image, "n_frames", 1) // 2)
        return image.convert("RGB")


def look_of(theme: str, depth: Depth, icons: str) -> Look:
    icons = usual_icons() if icons == "usual" else icons
    skin: Skin = ASCII if icons == "ascii" else skin_called(icons)
    framed = depth in (Depth.NONE, Depth.SIXTEEN)
    return Look(with_framed_cards(skin) if framed else skin, theme, depth)


def main() -> None:
    depths = {depth.name.lower(): depth for depth in Depth}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("wanted", nargs="*")
    parser.add_argument("--sheets", action="store_true")
    asked = parser.parse_intermixed_args()

    def of(known, usual: list[str]) -> list[str]:
        return [each for each in asked.wanted if each in known] or usual

    sizes = [each for each in asked.wanted if each[0].isdigit()] or ["80x24", "120x40"]
    asked.folder.mkdir(parents=True, exist_ok=True)
    made: dict[tuple[str, ...], list[Path]] = {}
    for name, size, theme, depth, skin, language in itertools.product(
        of((*SCREENS, *FILMS), [*SCREENS, *FILMS]),
        sizes,
        of(THEMES, ["dark", "light"]),
        of(depths, ["true"]),
        of((*SKINS, "ascii"), ["usual"]),
        of(LANGUAGES, list(LANGUAGES)),
    ):
        speak(language)
        columns, rows = map(int, size.split("x"))
        look = look_of(theme, depths[depth], skin)
        file = asked.folder / f"{name}-{size}-{theme}-{depth}-{skin}-{language}.png"
        if name in FILMS:
            film(FILMS[name]().frames(), (columns, rows), look, file)
        else:
            lines = SCREENS[name](columns, rows, look.skin)
            paint(lines, columns, look).quantize(256).save(file)
        made.setdefault((size, theme, depth, skin, language), []).append(file)
    if asked.sheets:
        for key, files in made.items():
            put_on_sheets(files, asked.folder, "-".join(("sheet", *key)))


if __name__ == "__main__":
    main()
