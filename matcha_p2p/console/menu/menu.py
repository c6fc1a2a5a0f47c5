"""The questions of the menu as values: a question and a key give a new question or an answer.

The functions neither draw on a terminal nor wait; line mode asks the same questions.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.console.menu.bowl import CELLS, bowl
from matcha_p2p.console.menu.codes import large_digits, qr_lines
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.kinds import kind
from matcha_p2p.language import Sentence

LONGEST: Final = 1000
"""Characters of a typed or pasted text; further characters are dropped."""

_KEYS_MENU: Final = Sentence("Up, Down, Enter or a number choose   Esc goes back")
_KEYS_FIRST: Final = Sentence("Up, Down, Enter or a number choose   Esc leaves")
_KEYS_TEXT_FIELD: Final = Sentence("Enter accepts   Esc goes back")
_KEYS_TEXT_PAGE: Final = Sentence("Up, Down, PgUp, PgDn scroll   Esc goes back")
_KEYS_WAIT: Final = Sentence("Esc ends it")

_QR_TOO_WIDE: Final = Sentence("The terminal is too narrow for the QR code.")

_FILL: Final = Sentence("{prompt} [{default}]")

_NUMBERS: Final = "1234567890"
"""The keys that choose the first ten entries."""

_LEAVE_KEYS: Final = ("escape", "f10", "c-c")
_STEPS: Final = {"up": -1, "left": -1, "down": 1, "right": 1}
_BOWL_FROM: Final = (76, 20)  # columns and rows
_WIDEST: Final = 100
_FRAME: Final = 3  # the title, the stroke below it, and the keys


@kind
class Menu(NamedTuple):
    """The person chooses one of ``entries``. at: the entry that Enter chooses.

    said: paragraphs above the entries. teaches: a rule of the game, below the entries; the
    first menu alone has a rule, and also the bowl of tea. rings: whether the bell rings,
    because the menu comes unexpectedly. writes: whether a text may be given instead of an
    entry; its first letter is an answer, and the next letters are for the field that asks for
    the text. keys: further answers about the entry under the cursor, each by its letter, with
    its label. numbers: of the entries, by which they are chosen: 1, 2, 3 if not given.
    """

    title: str
    said: tuple[str, ...]
    entries: tuple[str, ...]
    at: int = 0
    teaches: str = ""
    rings: bool = False
    writes: bool = False
    keys: tuple[tuple[str, str], ...] = ()
    numbers: tuple[int, ...] = ()

    def number(self, at: int) -> int:
        """Return the number that chooses the entry ``at``."""
        return self.numbers[at] if self.numbers else at + 1

    def numbered(self, number: int) -> int | None:
        """Return the place of the entry that ``number`` chooses, or None."""
        places = range(len(self.entries))
        return next((at for at in places if self.number(at) == number), None)


@kind
class TextField(NamedTuple):
    """The person writes a text; an empty text means ``default``, which may be empty as well."""

    title: str
    said: tuple[str, ...]
    prompt: str
    default: str = ""
    draft: str = ""


@kind
class TextPage(NamedTuple):
    """The person reads paragraphs; the ``headings`` among the paragraphs stand out."""

    title: str
    said: tuple[str, ...]
    headings: frozenset[str] = frozenset()


@kind
class Wait(NamedTuple):
    """The program waits, and says for what.

    text: a whole text to copy for another person. keys: answers meanwhile, each by its letter,
    with its label. prompt: line mode has no keys, and invites a paste with this text; without
    a prompt nothing is read.
    """

    title: str
    said: tuple[str, ...]
    text: str = ""
    keys: tuple[tuple[str, str], ...] = ()
    prompt: str = ""


@kind
class QrCode(NamedTuple):
    """``text`` is shown as a QR code."""

    title: str
    said: tuple[str, ...]
    text: str


MenuQuestion: TypeAlias = Menu | TextField | TextPage | Wait | QrCode


@kind
class Chosen(NamedTuple):
    """The entry ``at`` was chosen."""

    at: int


@kind
class Written(NamedTuple):
    """``text`` was written; all characters are possible."""

    text: str


@kind
class Pressed(NamedTuple):
    """A key that the wait or the menu offers was pressed. at: the entry of the menu, or 0."""

    key: str
    at: int = 0


@kind
class Back(NamedTuple):
    """No answer: the person goes back."""


class Large(str):
    """The digits of the line before; a screen draws the digits large, above all other texts."""

    __slots__ = ()


Asides: TypeAlias = Mapping[str, Sequence[str]]
"""The lines told besides the question, by heading."""

MenuAnswer: TypeAlias = Chosen | Written | Pressed | Back


def press(question: MenuQuestion, key: str) -> MenuQuestion | MenuAnswer:
    """Return the question or answer after ``key``: a name of ``screen``, or a character."""
    if key in _LEAVE_KEYS:
        return Back()
    match question:
        case Menu():
            return _press_menu(question, key)
        case TextField(draft=draft, default=default):
            return Written(draft.strip() or default) if key == "enter" else question
        case TextPage() | QrCode():
            return Back() if latin(key) in ("enter", "q") else question
        case Wait(keys=keys):
            return Pressed(latin(key)) if latin(key) in dict(keys) else question


def paste(question: MenuQuestion, text: str) -> MenuAnswer | None:
    """Return the answer made by a pasted text, or None. A field takes the text by ``write``."""
    match question:
        case Menu(writes=True):
            return Written(text)
        case Wait(prompt=prompt) if prompt:
            return Written(text)
        case _:
            return None


def write(question: MenuQuestion, text: str) -> MenuQuestion:
    """If the question is a field, return the question with ``text`` written, else unchanged."""
    match question:
        case TextField():
            spoken = re.sub(r"\s", " ", text)
            printable = "".join(character for character in spoken if character.isprintable())
            return question._replace(draft=printable[:LONGEST])
        case _:
            return question


def _press_menu(menu: Menu, key: str) -> MenuQuestion | MenuAnswer:
    typed, key = key, latin(key)
    count = len(menu.entries)
    if key in _STEPS:
        return menu._replace(at=(menu.at + _STEPS[key]) % count)
    if key in ("home", "end"):
        return menu._replace(at=0 if key == "home" else count - 1)
    if key == "enter":
        return Chosen(menu.at)
    if key == "q":
        return Back()
    at = menu.numbered(_NUMBERS.find(key) + 1)
    if at is not None:
        return Chosen(at)
    if key in dict(menu.keys):
        return Pressed(key, menu.at)
    if menu.writes and len(typed) == 1 and typed.isalpha():
        return Written(typed)
    return menu


def _end(text: str, cells: int) -> str:
    """Return ``text``.

    If ``text`` is too wide, return a mark of the cut and the end that fits.
    """
    if terminal_cells.width(text) <= cells:
        return text
    end = text
    while end and terminal_cells.width(end) > cells - terminal_cells.width(terminal_cells.CUT):
        end = end[1:]
    return terminal_cells.CUT + end if cells > 0 else ""


def fill(text_field: TextField) -> str:
    """Return the prompt of a field, with the meaning of an empty answer."""
    if not text_field.default:
        return text_field.prompt
    return _FILL(prompt=text_field.prompt, default=text_field.default)


def draw(
    question: MenuQuestion, told: Asides, size: tuple[int, int], skin: Skin, now: float = 0.0
) -> terminal_cells.TerminalFrame:
    """Return a frame of ``size``, which is columns and rows.

    told: the lines under each heading, besides the question. now: seconds, for the steam.
    """
    columns, rows = size
    kept = 0
    match question:
        case Menu(teaches=teaches) if teaches and _has_bowl(columns, rows, skin):
            lines, at, keys = _beside_bowl(question, columns, rows, now)
        case Menu() | TextField() | TextPage() if columns > _WIDEST:
            lines, at, keys, kept = _body(question, told, (_WIDEST, rows), skin)
            margin = ("", " " * ((columns - _WIDEST) // 2))
            lines = [[margin, *line] for line in lines]
        case _:  # an invite that fits stays in one line, to be copied whole
            lines, at, keys, kept = _body(question, told, size, skin)
    return terminal_cells.TerminalFrame(
        tuple(lines[kept:]),
        head=(
            [("class:title", terminal_cells.fit(f" {question.title}", columns))],
            [("class:faint", skin.across * columns)],
            *lines[:kept],
        ),
        foot=(_foot(keys, columns),),
        at=None if at is None else at - kept if at >= rows - _FRAME else 0,
        page=f"{type(question).__name__} {question.title}",
    )


def _foot(keys: str, columns: int) -> terminal_cells.Line:
    """Return the line of the keys.

    A letter stands out, and a click on the letter presses the key.
    """
    line: terminal_cells.Line = []
    for entry in keys.split("  "):
        key, _, label = entry.partition(" ")
        click = terminal_cells.clicked(key) if len(key) == 1 else ""
        line.append(("class:keys", " " if not line else "  "))
        if click:
            line += [(f"class:letter {click}", key), (f"class:keys {click}", f" {label}")]
        else:
            line.append(("class:keys", entry))
    line.append(("class:keys", " " * (columns - terminal_cells.line_width(line))))
    return terminal_cells.fit_line(line, columns)


def _body(
    question: MenuQuestion, told: Asides, size: tuple[int, int], skin: Skin
) -> tuple[list[terminal_cells.Line], int | None, str, int]:
    """Return the lines, the line to keep in sight, the words about keys, and the lines kept.

    The first lines are kept if the entries below scroll. All entries of a menu are in sight, if
    they fit.
    """
    columns, rows = size
    headings = question.headings if isinstance(question, TextPage) else frozenset[str]()
    urgent = _told_lines(told, columns, skin, large=True)
    said = _apart(urgent, _paragraphs(question.said, columns, headings))
    besides = _told_lines(told, columns, skin, large=False)
    match question:
        case Menu(at=at):
            above = _apart(said, besides)
            above += [[]] if above else []
            entries = [_entry(question, place, columns) for place in _places(question)]
            whole, room, kept = sum(map(len, entries)), rows - _FRAME, 0
            if len(above) + whole > room:
                above = [line for line in above if line]
                lasts = sum(map(bool, said))
                kept = lasts if len(above) + whole > room and 2 * lasts < room else 0
            below = whole if whole <= room - kept else sum(map(len, entries[: at + 1]))
            taught = _taught(question.teaches, columns)
            lines = _apart([*above, *chain(*entries)], taught)
            return lines, len(above) + below - 1, _menu_keys(question), kept
        case TextField():
            above = _apart(said, besides)
            above += [[]] if above else []
            lines = [*above, *_text_field_lines(question, columns)]
            return lines, len(lines) - 1, _KEYS_TEXT_FIELD(), 0
        case TextPage():
            return _apart(said, besides), None, _KEYS_TEXT_PAGE(), 0
        case Wait(text=text, keys=keys):
            shown: list[terminal_cells.Line] = [
                [("class:now", f" {line}")] for line in _split(text, columns)
            ]
            labels = (*(f"{key} {label}" for key, label in keys), _KEYS_WAIT())
            return _apart(said, shown, besides), None, "  ".join(labels), 0
        case QrCode(text=text):
            return _apart(said, _qr(text, columns, skin)), None, _KEYS_TEXT_PAGE(), 0


def _has_bowl(columns: int, rows: int, skin: Skin) -> bool:
    return columns >= _BOWL_FROM[0] and rows >= _BOWL_FROM[1] and skin.half_blocks


def _beside_bowl(
    menu: Menu, columns: int, rows: int, now: float
) -> tuple[list[terminal_cells.Line], int | None, str]:
    """Return the first menu: a bowl at its left, a rule of the game below both."""
    cells = min(_WIDEST, columns - 2) - CELLS - 2
    right = [
        *_paragraphs(menu.said, cells),
        [],
        *(line for place in _places(menu) for line in _entry(menu, place, cells)),
    ]
    left = bowl(now)
    high = max(len(left), len(right))
    left += [[]] * (high - len(left))
    right += [[]] * (high - len(right))
    body = [
        [*terminal_cells.fit_line(one, CELLS + 2), *terminal_cells.fit_line(other, cells)]
        for one, other in zip(left, right, strict=True)
    ]
    whole = _apart(body, _taught(menu.teaches, CELLS + 2 + cells))
    margin = ("", " " * ((columns - CELLS - 2 - cells) // 2))
    above: list[terminal_cells.Line] = [[]] * ((rows - _FRAME - len(whole)) // 2)
    return [*above, *([margin, *line] for line in whole)], 0, _menu_keys(menu)


def _menu_keys(menu: Menu) -> str:
    """Return the words about the keys of ``menu``."""
    usual = _KEYS_FIRST() if menu.teaches else _KEYS_MENU()
    return "  ".join((*(f"{key} {label}" for key, label in menu.keys), usual))


def _taught(teaches: str, columns: int) -> list[terminal_cells.Line]:
    lines = _paragraphs((teaches,), columns) if teaches else []
    return [[("class:lesson", text) for _, text in line] for line in lines]


def _qr(text: str, columns: int, skin: Skin) -> list[terminal_cells.Line]:
    lines = qr_lines(text, skin)
    if max(map(terminal_cells.line_width, lines)) > columns:
        return _paragraphs((_QR_TOO_WIDE(),), columns)
    return lines


def _apart(*parts: list[terminal_cells.Line]) -> list[terminal_cells.Line]:
    """Return the nonempty parts, with a line between two parts."""
    lines: list[terminal_cells.Line] = []
    for part in filter(None, parts):
        lines += [[], *part] if lines else part
    return lines


def _told_lines(
    told: Asides, columns: int, skin: Skin, *, large: bool
) -> list[terminal_cells.Line]:
    """Return the asides with large digits, or the asides without."""
    parts: list[list[terminal_cells.Line]] = []
    for heading, texts in told.items():
        if not texts or any(isinstance(text, Large) for text in texts) is not large:
            continue
        part: list[terminal_cells.Line] = [[("class:head", f" {heading}")]]
        for text in texts:
            is_large = isinstance(text, Large)
            part += large_digits(text, skin) if is_large else _paragraphs((text,), columns)
        parts.append(part)
    return _apart(*parts)


def _split(text: str, columns: int) -> list[str]:
    return terminal_cells.wrapped(text, max(1, columns - 2)) if text else []


def _paragraphs(
    said: Sequence[str], columns: int, headings: frozenset[str] = frozenset()
) -> list[terminal_cells.Line]:
    cells = max(1, columns - 2)
    return [
        [("class:now" if text in headings else "", f" {line}")]
        for text in said
        for line in terminal_cells.wrapped(text, cells)
    ]


def _places(menu: Menu) -> range:
    return range(len(menu.entries))


def _entry(menu: Menu, at: int, columns: int) -> list[terminal_cells.Line]:
    """Return the lines of the entry ``at``, a click on which chooses the entry."""
    number = _NUMBERS[menu.number(at) - 1] if menu.number(at) <= len(_NUMBERS) else " "
    mark, style = (">", "class:at") if at == menu.at else (" ", "")
    click = f" {terminal_cells.clicked(number)}" if number.strip() else ""
    begins = f" {mark} {number}  "
    lines = terminal_cells.wrapped(menu.entries[at], max(1, columns - 3 - len(begins)))
    texts = (f"{begins}{lines[0]} ", *(f"{' ' * len(begins)}{line} " for line in lines[1:]))
    cells = max(0, columns - 2)
    return [
        [("", " "), (f"{style}{click}".strip(), terminal_cells.fit(text, cells))]
        for text in texts
    ]


def _text_field_lines(asked: TextField, columns: int) -> list[terminal_cells.Line]:
    prompt = f" {fill(asked)} "
    cells = columns - terminal_cells.width(prompt) - 2
    above: list[terminal_cells.Line] = []
    if cells < columns // 3:  # a long prompt has a line of its own
        above, prompt, cells = _paragraphs((fill(asked),), columns), " ", columns - 3
    return [
        *above,
        [("class:due", prompt), terminal_cells.field(""), ("", _end(asked.draft, cells))],
    ]
