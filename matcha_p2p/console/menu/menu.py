"""The questions of the menu as values: a question and a key give a new question or an answer.

Nothing here draws on a terminal or waits; the same questions are asked line by line.
"""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from matcha_p2p.console.terminal.cells import CURSOR, CUT, Line, clicked, fit, width, wrapped
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.language import Sentence

LONGEST: Final = 1000
"""Characters of a text that is typed or pasted; more are dropped."""

_KEYS_MENU: Final = Sentence("Up, Down, Enter or a number choose   Esc goes back")
_KEYS_TEXT_FIELD: Final = Sentence("Enter takes it   Esc goes back")
_KEYS_TEXT_PAGE: Final = Sentence("Up, Down, PgUp, PgDn scroll   Esc goes back")

_FILL: Final = Sentence("{prompt} [{default}]")

_LEAVE_KEYS: Final = ("escape", "f10", "c-c")
_STEPS: Final = {"up": -1, "left": -1, "down": 1, "right": 1}
_SCROLLS: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
_FRAME: Final = 3  # the title, the stroke below it, and the keys
_FEWEST: Final = 3
"""Entries that are shown at least, when there is little room."""


@dataclass(frozen=True, slots=True)
class Menu:
    """One of ``entries`` is to be chosen. at: the one that Enter chooses.

    said: paragraphs above them.
    """

    title: str
    said: tuple[str, ...]
    entries: tuple[str, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class TextField:
    """A text is to be written; an empty one means ``default``, which may be empty as well."""

    title: str
    said: tuple[str, ...]
    prompt: str
    default: str = ""
    draft: str = ""


@dataclass(frozen=True, slots=True)
class TextPage:
    """Paragraphs are to be read; ``above`` lines of them are scrolled away."""

    title: str
    said: tuple[str, ...]
    above: int = 0


MenuQuestion: TypeAlias = Menu | TextField | TextPage


@dataclass(frozen=True, slots=True)
class Chosen:
    """The entry ``at`` was chosen."""

    at: int


@dataclass(frozen=True, slots=True)
class Written:
    """``text`` was written; it may hold anything."""

    text: str


@dataclass(frozen=True, slots=True)
class Back:
    """No answer: the person goes back."""


Answer: TypeAlias = Chosen | Written | Back


def press(question: MenuQuestion, key: str) -> MenuQuestion | Answer:
    """Return what follows from a key, named as in ``keys``, or the character typed."""
    if key in _LEAVE_KEYS:
        return Back()
    match question:
        case Menu():
            return _press_menu(question, key)
        case TextField():
            return _press_text_field(question, key)
        case TextPage():
            return _press_text_page(question, key)


def paste(question: MenuQuestion, text: str) -> MenuQuestion:
    """Return what follows from a pasted text: part of what is written, or nothing at all."""
    match question:
        case TextField():
            return _drafted(question, question.draft + " ".join(text.split()))
        case _:
            return question


def _press_menu(menu: Menu, key: str) -> MenuQuestion | Answer:
    key = latin(key)
    count = len(menu.entries)
    if key in _STEPS:
        return replace(menu, at=(menu.at + _STEPS[key]) % count)
    if key in ("home", "end"):
        return replace(menu, at=0 if key == "home" else count - 1)
    if key == "enter":
        return Chosen(menu.at)
    if key == "q":
        return Back()
    if key.isascii() and key.isdecimal() and 1 <= int(key) <= count:
        return Chosen(int(key) - 1)
    return menu


def _press_text_field(field: TextField, key: str) -> MenuQuestion | Answer:
    match key:
        case "enter":
            return Written(field.draft.strip() or field.default)
        case "c-h":
            return replace(field, draft=field.draft[:-1])
        case "c-u":
            return replace(field, draft="")
        case _ if len(key) == 1:
            return _drafted(field, field.draft + key)
        case _:
            return field


def _drafted(field: TextField, draft: str) -> TextField:
    printable = "".join(character for character in draft if character.isprintable())
    return replace(field, draft=printable[:LONGEST])


def _press_text_page(page: TextPage, key: str) -> MenuQuestion | Answer:
    if key in ("enter", "q"):
        return Back()
    above = {"home": 0, "end": 9_999}.get(key, page.above + _SCROLLS.get(key, 0))
    return replace(page, above=max(0, above))


def _end(text: str, cells: int) -> str:
    """Return ``text``, or as much of its end as fits after a mark of the cut."""
    if width(text) <= cells:
        return text
    end = text
    while end and width(end) > cells - width(CUT):
        end = end[1:]
    return CUT + end if cells > 0 else ""


def fill(field: TextField) -> str:
    """Return what is asked, and what an empty answer means."""
    if not field.default:
        return field.prompt
    return _FILL(prompt=field.prompt, default=field.default)


def clamped(question: MenuQuestion, columns: int, rows: int) -> MenuQuestion:
    """Return the question, a page scrolled no further than it goes."""
    match question:
        case TextPage(said=said, above=above):
            most = max(0, len(_paragraphs(said, columns)) - _room(rows))
            return replace(question, above=min(above, most))
        case _:
            return question


def draw(question: MenuQuestion, columns: int, rows: int, skin: Skin) -> list[Line]:
    """Return at most ``rows`` lines; they may be wider or narrower than ``columns``."""
    room = _room(rows)
    lines, keys = _body(question, columns, room)
    blank: list[Line] = [[]] * (room - len(lines))
    drawn: list[Line] = [
        [("class:title", fit(f" {question.title}", columns))],
        [("", skin.across * columns)],
        *lines,
        *blank,
        [("class:keys", fit(f" {keys}", columns))],
    ]
    return drawn[:rows]


def _body(question: MenuQuestion, columns: int, room: int) -> tuple[list[Line], str]:
    match question:
        case Menu():
            return _menu_lines(question, columns, room), _KEYS_MENU()
        case TextField():
            return _text_field_lines(question, columns, room), _KEYS_TEXT_FIELD()
        case TextPage(said=said, above=above):
            return _paragraphs(said, columns)[above : above + room], _KEYS_TEXT_PAGE()


def _room(rows: int) -> int:
    return max(0, rows - _FRAME)


def _paragraphs(said: tuple[str, ...], columns: int) -> list[Line]:
    cells = max(1, columns - 2)
    return [[("", f" {line}")] for text in said for line in wrapped(text, cells)]


def _menu_lines(menu: Menu, columns: int, room: int) -> list[Line]:
    """Return what is said as far as there is room, and the entries around the chosen one."""
    said = _paragraphs(menu.said, columns)
    count = len(menu.entries)
    for_entries = min(count, max(_FEWEST, room - len(said) - 1))
    said = said[: max(0, room - for_entries - 1)]
    gap: list[Line] = [[]] if said else []
    first = min(max(0, menu.at - for_entries // 2), count - for_entries)
    shown = range(first, first + for_entries)
    return [*said, *gap, *(_entry(menu, at, columns) for at in shown)][:room]


def _entry(menu: Menu, at: int, columns: int) -> Line:
    number = str(at + 1) if at < 9 else " "
    mark, style = (">", "class:at") if at == menu.at else (" ", "")
    click = f" {clicked(number)}" if at < 9 else ""
    text = fit(f" {mark} {number}  {menu.entries[at]} ", max(0, columns - 2))
    return [("", " "), (f"{style}{click}".strip(), text)]


def _text_field_lines(field: TextField, columns: int, room: int) -> list[Line]:
    asked = fill(field)
    prompt = f" {asked} "
    cells = columns - width(prompt) - 2
    if cells < columns // 3:  # a long prompt has a line of its own
        above, prompt, cells = [*_paragraphs((asked,), columns)], " ", columns - 3
    else:
        above = []
    line: Line = [("class:due", prompt), ("", _end(field.draft, cells)), CURSOR]
    said = _paragraphs(field.said, columns)[: max(0, room - len(above) - 2)]
    gap: list[Line] = [[]] if said else []
    return [*said, *gap, *above, line][-room:] if room else []
