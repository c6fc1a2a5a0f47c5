"""The lines around a table: the title, the question, the news and the keys."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.console.table import captions
from matcha_p2p.console.table.focus import Admitting, Departing, Focus, Leaving, Page, Talking
from matcha_p2p.console.table.scene import TableScene
from matcha_p2p.console.table.talk import phrases_in_rows, talk_lines
from matcha_p2p.console.terminal.cells import (
    CUT,
    Line,
    TerminalFrame,
    clicked,
    cut,
    field,
    fit,
    fit_line,
    line_width,
    width,
    wrapped,
)
from matcha_p2p.console.terminal.keyboard import narrow
from matcha_p2p.console.terminal.skins import LEAST_COLUMNS, LEAST_ROWS, Skin
from matcha_p2p.narration import after_game, audience
from matcha_p2p.narration.names import quoted
from matcha_p2p.narration.quick_phrases import MEANS, PHRASES, phrase_of
from matcha_p2p.narration.sentences import listed
from matcha_p2p.wire.talk import Visibility

MARK: Final = "> "
"""Begins the line of a question, as in line mode."""

_CLICKED: Final = {"?": "f1", "/": "tab"}  # the keys that clicks on signs mean
_WATCHER: Final = 8
"""The least cells of a name, beside the number of watchers."""


def fits(columns: int, rows: int) -> bool:
    """Tell whether a table has room in a terminal of this size."""
    return columns >= LEAST_COLUMNS and rows >= LEAST_ROWS


def too_small(columns: int) -> list[Line]:
    """Return the words for a terminal without room for a table."""
    return [[("", text)] for text in wrapped(captions.TOO_SMALL(), columns)]


def page_frame(
    scene: TableScene, page: Page, title: str, lines: Sequence[Line], look: tuple[int, Skin]
) -> TerminalFrame:
    """Return the frame of an open page. look: the columns, and the skin."""
    columns, skin = look
    return TerminalFrame(
        tuple(lines),
        head=(
            [("class:title", fit(f" {title}{unread(scene)}", columns))],
            [("", skin.across * columns)],
        ),
        foot=([("class:keys", fit(f" {captions.KEYS_READING()}", columns))],),
        page=page.name,
        from_end=page is Page.REVIEW,
    )


def unread(scene: TableScene) -> str:
    """Return the note about unread talk, or ""."""
    return f"   {captions.UNREAD(count=scene.unread)}" if scene.unread else ""


def title_bar(scene: TableScene, progress: str, players: str, columns: int) -> Line:
    """Return the title: the progress at the left, the players at the right."""
    left = f" {progress}"
    if scene.checked:
        left += f"   {after_game.MARK()}"
    right = f"{players}{_delay(scene)}" if scene.name else ""
    if scene.audience.names:
        left += _watchers(scene, columns - width(left) - width(right) - 2)
        right = right if width(left) + width(right) + 2 <= columns else players
    room = columns - width(left) - 1
    right = cut(right, max(0, room - 1))
    return [("class:title", left + " " * (room - width(right)) + right + " ")]


def _delay(scene: TableScene) -> str:
    """Return the time to the other player and back, or "" while the connection is down."""
    if scene.round_trip is None or scene.trouble:
        return ""
    return f"   {captions.DELAY(milliseconds=max(1, round(1000 * scene.round_trip)))}"


def _watchers(scene: TableScene, cells: int) -> str:
    """Return the number of watchers and, if ``cells`` suffice, their names."""
    names = scene.audience.names
    number = f"   {audience.NUMBER(count=len(names))}"
    if cells < width(number) + _WATCHER:
        return number
    return cut(f"   {audience.MARK(count=len(names), names=listed(map(quoted, names)))}", cells)


def framed_question(focus: Focus, columns: int, *, for_good: bool) -> Line | None:
    """Return the line of a question outside the game, or None.

    for_good: whether a game that is left is not saved.
    """
    match focus:
        case Talking(draft):
            return _draft(draft, columns)
        case Leaving(at):
            return _partings(at, for_good=for_good)
        case Admitting(sight):
            return answers(
                audience.ASK(), [audience.ANSWERS[each]() for each in Visibility], sight
            )
        case Departing():
            return [("", f" {captions.DEPARTING()}")]
        case _:
            return None


def _draft(draft: str, columns: int) -> Line:
    """Return the end of the draft that fits."""
    prompt = f"{MARK}{captions.TALK_PROMPT()} "
    room = columns - width(prompt) - 1
    shown = draft
    while width(shown) > room:
        shown = CUT + shown[2:]
    number = phrase_of(narrow(draft))
    meaning = "" if number is None else MEANS(phrase=PHRASES[number]())
    return [("class:due", prompt), field("class:due"), ("class:due", f"{shown}{meaning}")]


def _partings(at: int, *, for_good: bool) -> Line:
    later, *others = captions.PARTINGS
    if for_good:
        later = captions.PARTING_FOR_GOOD
    return answers(captions.PARTING(), [answer() for answer in (later, *others)], at)


def answers(question: str, answers: Sequence[str], at: int) -> Line:
    """Return a question with its answers; the answer ``at`` is marked."""
    line: Line = [("class:due", f"{MARK}{question} ")]
    for place, answer in enumerate(answers):
        if place == at:
            line.append(("class:at", f">{answer}<"))
        else:
            line.append(("", f" {answer} "))
    return line


def filled(line: Line, columns: int, margin: int) -> Line:
    """Return a line after ``margin`` cells, as wide as the terminal; a question is marked."""
    asks = any(style.startswith("class:due") for style, _ in line)
    whole = fit_line([(style, " " * margin) for style, _ in line[:1]] + line, columns)
    return [(f"class:due {style}", text) for style, text in whole] if asks else whole


def news_lines(scene: TableScene, cells: int, room: int, *, ends: bool) -> list[Line]:
    """Return the last news that have room, whole sentences, in order of happening.

    If the last sentence alone has no room, its end is left out, and a mark says so. ends:
    whether the last sentence tells the end of the game.
    """
    shown: list[Line] = []
    for sentence in reversed(scene.lately):
        style = "class:due" if ends and not shown else ""
        whole = wrapped(sentence, cells)
        lines: list[Line] = [[(style, f" {line}")] for line in whole]
        if len(lines) + len(shown) <= room:
            shown = lines + shown
        elif shown or room < 1:
            return shown
        else:
            marked = cut(whole[room - 1] + " " * cells, cells)
            return [*lines[: room - 1], [(style, f" {marked}")]]
    return shown


def beside_draft(scene: TableScene, draft: str, cells: int, room: int) -> list[Line]:
    """Return the phrases, while the draft may mean a phrase, and below them the last talk."""
    listed: list[Line] = []
    if not draft or phrase_of(narrow(draft)) is not None:
        listed = phrases_in_rows(cells)[: room - min(1, len(scene.talk))]
    talk = talk_lines(scene, cells, room - len(listed))
    return [[("", " "), *line] for line in (*listed, *talk)]


def keys_bar(text: str, columns: int) -> Line:
    """Return the line of the keys; a click on a key presses the key."""
    line: Line = []
    for entry in text.split("  "):
        key, _, label = entry.partition(" ")
        click = clicked(_CLICKED.get(key, key)) if len(key) == 1 else ""
        line += [(f"class:keys {click}", " "), (f"class:letter {click}", key)]
        line.append((f"class:keys {click}", f" {label} "))
    return [*line, ("class:keys", " " * max(0, columns - line_width(line)))]


def keys_talking(columns: int) -> Line:
    """Return the line of the keys while a line of talk is written."""
    return [("class:keys", fit(f" {captions.KEYS_TALKING()}", columns))]
