"""Colours: each style's colours in each theme, and the number of the terminal's colours.

A style is a class, or several at once: a suit on paper is not the colour of the same suit on
the table. Every text stands out from its ground by 4.5 to 1 or more, and in high contrast by 7
to 1, also with the nearest of 256 colours; a test computes the contrasts.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from matcha_p2p.console.terminal.skins import Skin

_SUITS: Final = ("leaf", "bowl", "water", "scoop", "whisk", "zero")


class Depth(enum.Enum):
    """The number of colours."""

    NONE = enum.auto()
    SIXTEEN = enum.auto()
    MANY = enum.auto()  # 256
    TRUE = enum.auto()


class Speed(enum.Enum):
    """The speed at which events are shown; OFF shows each event at once."""

    OFF = "off"
    FAST = "fast"
    NORMAL = "normal"
    SLOW = "slow"

    @property
    def moves(self) -> bool:
        """Whether cards are seen on their way."""
        return self in (Speed.NORMAL, Speed.SLOW)


class Bell(enum.Enum):
    """The events for which the bell of the terminal rings."""

    TURN = "turn"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class _Colours:
    """The colours of a theme. The colours of suits are in the order of ``_SUITS``.

    A pair is the ground, then the text on the ground. areas: of the squares of each area, of
    every second square, and of the text on both. seats: of what belongs to each seat. cloth: of
    a table with cards. lit: of the field on the cloth. dim: of faint text on both. panel: of
    the pane beside the table. paper2: the ground of every second card where cards touch.
    """

    table: tuple[str, str]
    faint: str
    gold: str
    suits: tuple[str, ...]
    paper: tuple[str, tuple[str, ...]]
    shade: tuple[str, tuple[str, ...]]
    better: str
    caught: str
    back: tuple[str, str]
    seal: tuple[str, str]
    title: tuple[str, str]
    keys: tuple[str, str]
    letter: str
    due: tuple[str, str]
    at: tuple[str, str]
    alarm: tuple[str, str]
    chip: str
    areas: tuple[tuple[str, str], ...]
    ink: str
    seats: tuple[tuple[str, str], ...]
    way: tuple[str, str]
    call: tuple[str, str]
    cloth: tuple[str, str]
    lit: tuple[str, str]
    dim: str
    panel: tuple[str, str]
    paper2: str


_INK: Final = ("#17613a", "#9c2f10", "#1a5299", "#6f4a00", "#742f8c", "#44443e")

_DARK: Final = _Colours(
    table=("#141a16", "#dadacc"),
    faint="#a9b0a6",
    gold="#ffd166",
    suits=("#5fd38d", "#ff9270", "#74baff", "#e8c04a", "#dcaaea", "#c9c9c0"),
    paper=("#f2e8d0", _INK),
    shade=("#35382f", ("#86d6a4", "#ffb096", "#9accff", "#e6cb78", "#e0bdec", "#d0d0c4")),
    better="#ffd98f",
    caught="#e2d2f4",
    back=("#14493c", "#2b7a62"),
    seal=("#0c2f27", "#f2e8d0"),
    title=("#1f5c3a", "#ffffff"),
    keys=("#212c26", "#d4d8ce"),
    letter="#ffd166",
    due=("#4a3910", "#ffecbc"),
    at=("#ffd166", "#1d1a10"),
    alarm=("#7d1a1a", "#ffffff"),
    chip="#ffffff",
    areas=(
        ("#1f4030", "#2a4f3b"),
        ("#4e2d22", "#5c372a"),
        ("#1f3654", "#284364"),
        ("#463a14", "#54471c"),
        ("#432a4c", "#50345a"),
    ),
    ink="#f4efe0",
    seats=(
        ("#ffd166", "#1d1a10"),
        ("#8cc4ff", "#1d1a10"),
        ("#ff9d8f", "#1d1a10"),
        ("#f4f4ee", "#1d1a10"),
    ),
    way=("#6a5a22", "#ffffff"),
    call=("#ffd166", "#1d1a10"),
    cloth=("#24452f", "#efe9d6"),
    lit=("#2f5638", "#ffffff"),
    dim="#c3d2bd",
    panel=("#1c241f", "#e6e3d6"),
    paper2="#e4d7b6",
)
_LIGHT: Final = _Colours(
    table=("#e0d7c0", "#1f221b"),
    faint="#4d5146",
    gold="#643a00",
    suits=_INK,
    paper=("#fffdf6", _INK),
    shade=("#cfc59f", ("#0f4a2a", "#7d230a", "#123f78", "#573900", "#5a2270", "#3a3a34")),
    better="#ffe39e",
    caught="#eadcf8",
    back=("#2b7a62", "#14493c"),
    seal=("#0c2f27", "#fffdf6"),
    title=("#1f5c3a", "#ffffff"),
    keys=("#cfc5a8", "#1f221b"),
    letter="#643a00",
    due=("#ffe7a8", "#2b2000"),
    at=("#23261f", "#ffe7a8"),
    alarm=("#8d1515", "#ffffff"),
    chip="#ffffff",
    areas=(
        ("#cfe8d3", "#c0dec6"),
        ("#f8dccf", "#f1cebd"),
        ("#d6e5f7", "#c5d9f0"),
        ("#f4e7bb", "#ebdba3"),
        ("#ecdcf2", "#e0cae8"),
    ),
    ink="#1f221b",
    seats=(
        ("#7a4700", "#ffffff"),
        ("#1a5299", "#ffffff"),
        ("#9c1c10", "#ffffff"),
        ("#23261f", "#ffffff"),
    ),
    way=("#ffd97a", "#1f221b"),
    call=("#643a00", "#ffffff"),
    cloth=("#c6d8a6", "#1d2a14"),
    lit=("#dfeac8", "#1d2a14"),
    dim="#3c4a2c",
    panel=("#fffdf6", "#23261f"),
    paper2="#efe6d0",
)
_CONTRAST: Final = _Colours(
    table=("#000000", "#ffffff"),
    faint="#ffffff",
    gold="#ffff00",
    suits=("#87ffaf", "#ffaf87", "#87d7ff", "#ffff5f", "#ffafff", "#ffffff"),
    paper=("#ffffff", ("#004d20", "#7a1a00", "#00005f", "#3d2800", "#5a0f75", "#000000")),
    shade=("#1c1c1c", ("#87ffaf", "#ffaf87", "#87d7ff", "#ffff5f", "#ffafff", "#ffffff")),
    better="#ffff87",
    caught="#ffd7ff",
    back=("#005f5f", "#00afaf"),
    seal=("#000000", "#ffffff"),
    title=("#ffffff", "#000000"),
    keys=("#ffffff", "#000000"),
    letter="#000000",
    due=("#ffff00", "#000000"),
    at=("#ffffff", "#000000"),
    alarm=("#ffffff", "#870000"),
    chip="#ffffff",
    areas=(
        ("#004d1a", "#003311"),
        ("#5f1a00", "#401100"),
        ("#00336b", "#00224a"),
        ("#443a00", "#332c00"),
        ("#4d1457", "#330d3a"),
    ),
    ink="#ffffff",
    seats=(
        ("#ffff5f", "#000000"),
        ("#87d7ff", "#000000"),
        ("#ffaf87", "#000000"),
        ("#ffffff", "#000000"),
    ),
    way=("#ffff00", "#000000"),
    call=("#ffffff", "#000000"),
    cloth=("#000000", "#ffffff"),
    lit=("#262626", "#ffffff"),
    dim="#ffffff",
    panel=("#303030", "#ffffff"),
    paper2="#ffffff",
)


# The nearest of 256 colours would turn most tints grey, so these are chosen.
_MANY: Final = {
    "dark": replace(
        _DARK,
        areas=(
            ("#005f00", "#008700"),
            ("#5f0000", "#870000"),
            ("#00005f", "#000087"),
            ("#5f5f00", "#875f00"),
            ("#5f005f", "#5f0087"),
        ),
        ink="#ffffff",
        cloth=("#262626", "#eeeeee"),
        lit=("#005f00", "#ffffff"),
        dim="#d0d0d0",
        panel=("#080808", "#eeeeee"),
        shade=("#3a3a3a", _DARK.shade[1]),
    ),
    "light": replace(
        _LIGHT,
        areas=(
            ("#d7ffd7", "#afd7af"),
            ("#ffd7d7", "#ffafaf"),
            ("#d7d7ff", "#afd7ff"),
            ("#ffffaf", "#d7d787"),
            ("#ffd7ff", "#d7afd7"),
        ),
        ink="#000000",
        cloth=("#d7d7af", "#1c1c1c"),
        lit=("#d7ffd7", "#1c1c1c"),
        dim="#3a3a3a",
        shade=("#dadada", _LIGHT.shade[1]),
    ),
    "contrast": replace(
        _CONTRAST,
        areas=(
            ("#005f00", "#1c1c1c"),
            ("#5f0000", "#870000"),
            ("#00005f", "#000087"),
            ("#303030", "#444444"),
            ("#5f005f", "#5f0087"),
        ),
    ),
}


def _styles(colours: _Colours) -> dict[str, str]:
    """Return the styles of a theme. Later rules go before earlier ones."""

    def on(pair: tuple[str, str]) -> str:
        ground, text = pair
        return f"bg:{ground} {text}"

    paper, ink = colours.paper
    shade, pale = colours.shade
    styles = {
        "table": on(colours.table),
        "faint": colours.faint,
        "head": f"bold {colours.faint}",
        "now": f"bold {colours.gold}",
        "due": f"bold {on(colours.due)}",
        "at": f"bold {on(colours.at)}",
        "title": f"bold {on(colours.title)}",
        "keys": on(colours.keys),
        "letter": f"bold {on((colours.keys[0], colours.letter))}",
        "alarm": f"bold {on(colours.alarm)}",
        "qr": "bg:#ffffff #000000",
        "lesson": f"bold {colours.gold}",
        "talk": "",
        "back": on(colours.back),
        "seal": f"bold {on(colours.seal)}",
        "paper": f"bg:{paper} {ink[-1]}",
        "shade": f"bg:{shade} {pale[-1]}",
        "better": f"bg:{colours.better} {ink[-1]}",
        "caught": f"bg:{colours.caught} {ink[-1]}",
        "way": on(colours.way),
        "cloth": on(colours.cloth),
        "lit": on(colours.lit),
        "panel": on(colours.panel),
        "call": f"bold {on(colours.call)}",
        "paper2": f"bg:{colours.paper2} {ink[-1]}",
    }
    for ground in ("cloth", "lit"):
        styles[f"{ground} faint"] = colours.dim
        styles[f"{ground} head"] = "bold"
    styles["cloth head"] += f" {colours.cloth[1]}"
    styles["lit head"] += f" {colours.lit[1]}"
    styles["alarm faint"] = f"bold {colours.alarm[1]}"
    styles["alarm head"] = f"bold {colours.alarm[1]}"
    for number, (even, odd) in enumerate(colours.areas):
        styles[f"area{number}"] = on((even, colours.ink))
        styles[f"area{number} odd"] = on((odd, colours.ink))
    for seat, pair in enumerate(colours.seats):
        styles[f"seat{seat}"] = f"bold {on(pair)}"
        styles[f"roof{seat}"] = pair[0]
    grounds = {"shade": pale, "paper": ink, "paper2": ink, "better": ink, "caught": ink}
    for place, suit in enumerate(_SUITS):
        styles[suit] = colours.suits[place]
        for ground, texts in grounds.items():
            styles[f"{ground} {suit}"] = f"bold {texts[place]}"
        styles[f"seal {suit}"] = colours.seal[1]
        styles[f"chip {suit}"] = f"bold bg:{ink[place]} {colours.chip}"
        styles[f"band {suit}"] = f"bg:{colours.suits[place]} {colours.table[0]}"
        styles[f"now {suit}"] = f"bold {colours.gold}"
    return styles


_SIXTEEN: Final = {
    # The ground is set, so that the text on the ground can be read in any terminal.
    "table": "bg:ansiblack ansigray",
    "faint": "ansigray",
    "head": "bold ansiwhite",
    "now": "bold ansibrightyellow",
    "due": "bold ansibrightyellow",
    "at": "bold bg:ansigray ansiblack",
    "title": "bg:ansigray ansiblack",
    "keys": "bg:ansigray ansiblack",
    "letter": "bold bg:ansigray ansiblack",
    "alarm": "bold bg:ansired ansiwhite",
    "alarm head": "bold ansiwhite",
    "alarm faint": "bold ansiwhite",
    "qr": "bg:ansiwhite ansiblack",
    "lesson": "bold ansibrightyellow",
    "talk": "",
    "back": "ansibrightblack",
    "seal": "bold ansiwhite",
    "paper": "bold ansiwhite",
    "shade": "ansigray",
    "better": "bold ansibrightyellow",
    "caught": "bold ansibrightmagenta",
    "leaf": "ansibrightgreen",
    "bowl": "ansibrightred",
    "water": "ansibrightcyan",
    "scoop": "ansibrightyellow",
    "whisk": "ansibrightmagenta",
    "zero": "ansigray",
    "chip": "bold",
    "band": "",
    "way": "",
    "cloth": "",
    "lit": "",
    "panel": "",
    "paper2": "bold ansiwhite",
    "call": "bold bg:ansibrightyellow ansiblack",
    "area0": "ansibrightgreen",
    "area1": "ansibrightred",
    "area2": "ansibrightcyan",
    "area3": "ansibrightyellow",
    "area4": "ansibrightmagenta",
    "odd": "",
    "roof0": "",
    "roof1": "",
    "roof2": "",
    "roof3": "",
    "seat0": "bold ansibrightyellow",
    "seat1": "bold ansibrightcyan",
    "seat2": "bold ansibrightred",
    "seat3": "bold ansiwhite",
}
_NONE: Final = {
    "table": "", "faint": "", "head": "bold", "now": "bold",
    "due": "bold", "at": "reverse bold", "title": "reverse", "keys": "reverse",
    "letter": "reverse bold",
    "qr": "reverse", "alarm": "bold reverse",
    "lesson": "bold", "talk": "", "back": "", "seal": "bold",
    "paper": "bold", "shade": "", "better": "bold underline", "caught": "", "leaf": "",
    "bowl": "", "water": "", "scoop": "", "whisk": "", "zero": "", "chip": "bold", "band": "",
    "cloth": "", "lit": "", "panel": "", "paper2": "bold",
    "way": "", "call": "bold reverse",
    "area0": "", "area1": "", "area2": "", "area3": "", "area4": "",
    "odd": "", "roof0": "", "roof1": "", "roof2": "", "roof3": "",
    "seat0": "bold", "seat1": "bold", "seat2": "bold", "seat3": "bold",
}  # fmt: skip

THEMES: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": _styles(_DARK),
    "light": _styles(_LIGHT),
    "contrast": _styles(_CONTRAST),
}
_THEMES_OF_256: Final = {name: _styles(colours) for name, colours in _MANY.items()}


@dataclass(frozen=True, slots=True)
class Look:
    """The characters, the colours, the speed and the bell."""

    skin: Skin
    theme: str = "dark"
    depth: Depth = Depth.TRUE
    speed: Speed = Speed.OFF
    bell: Bell = Bell.TURN

    @property
    def styles(self) -> Mapping[str, str]:
        """The meaning of each style, in the words of prompt_toolkit."""
        match self.depth:
            case Depth.NONE:
                return _NONE
            case Depth.SIXTEEN:
                return _SIXTEEN
            case Depth.MANY:
                return _THEMES_OF_256[self.theme]
            case Depth.TRUE:
                return THEMES[self.theme]


def depth_of(environ: Mapping[str, str], color: str) -> Depth:
    """Return the colours of a terminal with the variables ``environ``.

    color: "auto", "always" for at least 256 colours, or "never".
    """
    term = environ.get("TERM", "")
    if color == "never" or (color == "auto" and (environ.get("NO_COLOR") or _is_mono(term))):
        return Depth.NONE
    true = environ.get("COLORTERM", "") in ("truecolor", "24bit") or "direct" in term
    if true and not term.startswith("screen"):  # screen inherits the variable of its terminal
        return Depth.TRUE
    many = "256" in term or term.startswith(_RICH) or environ.get("OS") == "Windows_NT"
    return Depth.MANY if many or color == "always" else Depth.SIXTEEN


_RICH: Final = ("alacritty", "foot", "xterm-kitty", "xterm-ghostty", "wezterm", "tmux")


def _is_mono(term: str) -> bool:
    return term.startswith("vt") or term.endswith(("-mono", "-m"))
