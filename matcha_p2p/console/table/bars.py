"""The lines around a table: the title, the question, the news and the keys."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.console.review import findings
from matcha_p2p.console.table import captions
from matcha_p2p.console.table import focus as table_focus
from matcha_p2p.console.table.scene import TableScene
from matcha_p2p.console.table.talk import phrases_in_rows, talk_lines
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.keyboard import narrow
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.asking import Listing
from matcha_p2p.narration import after_game, audience
from matcha_p2p.narration.quick_phrases import MEANS, PHRASES, phrase_of
from matcha_p2p.wire.talk import Proposal

MARK: Final = "> "
"""Begins the line of a question, as in line mode."""

_CLICKED: Final = {"?": "f1", "/": "tab", "Enter": "enter", "Esc": "escape"}
"""The keys that clicks on these words mean; a click on another single character means it."""
_WATCHER: Final = 8
"""The least cells of a name, beside the number of watchers."""


def too_small(columns: int) -> list[terminal_cells.Line]:
    """Return the words for a terminal without room for a table."""
    return [[("", text)] for text in terminal_cells.wrapped(captions.TOO_SMALL(), columns)]


def page_frame(
    scene: TableScene,
    page: table_focus.Page,
    title: str,
    lines: Sequence[terminal_cells.Line],
    look: tuple[int, Skin],
) -> terminal_cells.TerminalFrame:
    """Return the frame of an open page. look: the columns, and the skin."""
    columns, skin = look
    leads = page is table_focus.Page.ANALYSIS and scene.mistakes
    keys = findings.KEYS_LIST if leads else captions.KEYS_READING
    return terminal_cells.TerminalFrame(
        tuple(lines),
        head=(
            [("class:title", terminal_cells.fit(f" {title}{unread(scene)}", columns))],
            [("", skin.across * columns)],
        ),
        foot=(keys_bar(keys(), columns),),
        page=page.name,
        from_end=page is table_focus.Page.REVIEW,
    )


def unread(scene: TableScene) -> str:
    """Return the note about unread talk, or ""."""
    return f"   {captions.UNREAD(count=scene.unread)}" if scene.unread else ""


def title_bar(
    scene: TableScene, progress: str, players: str, columns: int
) -> terminal_cells.Line:
    """Return the title: the progress at the left, the players at the right."""
    left = f" {progress}"
    if scene.checked:
        left += f"   {after_game.MARK()}"
    right = f"{players}{_delay(scene)}" if scene.name else ""
    if scene.audience.names:
        left += _watchers(
            scene, columns - terminal_cells.width(left) - terminal_cells.width(right) - 2
        )
    room = columns - terminal_cells.width(left) - 1
    if terminal_cells.width(right) >= room:  # a part of a time would be another time
        right = players
    right = terminal_cells.cut(right, max(0, room - 1))
    return [("class:title", left + " " * (room - terminal_cells.width(right)) + right + " ")]


def _delay(scene: TableScene) -> str:
    """Return the time to the other player and back, or "" while the connection is down."""
    if scene.round_trip is None or scene.trouble:
        return ""
    return f"   {captions.DELAY(milliseconds=max(1, round(1000 * scene.round_trip)))}"


def _watchers(scene: TableScene, cells: int) -> str:
    """Return the number of watchers and, if ``cells`` suffice, their names."""
    names = scene.audience.names
    number = f"   {audience.NUMBER(count=len(names))}"
    if cells < terminal_cells.width(number) + _WATCHER:
        return number
    return terminal_cells.cut(f"   {audience.mark(scene.audience)}", cells)


def alarm_lines(scene: TableScene, cells: int) -> list[terminal_cells.Line]:
    """Return the trouble, or the offers of others, or the warning, above the news.

    A warning is whole, and is cut to one line once the person has moved.
    """
    offered = after_game.asked(scene.after_game)
    alarm = scene.trouble or offered or scene.warning
    heeded = scene.heeded and alarm == scene.warning
    lines = [alarm] if heeded else terminal_cells.wrapped(alarm, cells - 1)
    style = "class:due" if alarm == offered else "class:alarm"
    return [[(style, terminal_cells.fit(f" {line}", cells))] for line in lines if line]


def framed_question(focus: table_focus.Focus, columns: int) -> list[terminal_cells.Line] | None:
    """Return the lines of a question outside the game, at least one, or None."""
    match focus:
        case table_focus.Talking(draft):
            return [filled(_draft(draft, columns), columns)]
        case table_focus.OpenList(question):
            return listed(question, columns)
        case table_focus.Departing():
            return asked(tells(captions.DEPARTING()), columns)
        case _:
            return None


def over(scene: TableScene) -> str:
    """Return the line at the end of a game; the bar has the keys."""
    state = scene.after_game
    if state is None or state.allows(Proposal.REMATCH):
        return captions.OVER()
    return after_game.waiting(state, scene.name)


def _draft(draft: str, columns: int) -> terminal_cells.Line:
    """Return the end of the draft that fits."""
    prompt = f"{MARK}{captions.TALK_PROMPT()} "
    room = columns - terminal_cells.width(prompt) - 1
    shown = draft
    while terminal_cells.width(shown) > room:
        shown = terminal_cells.CUT + shown[2:]
    number = phrase_of(narrow(draft))
    meaning = "" if number is None else MEANS(phrase=PHRASES[number]())
    return [
        ("class:due", prompt),
        terminal_cells.field("class:due"),
        ("class:due", f"{shown}{meaning}"),
    ]


def listed(question: Listing, columns: int) -> list[terminal_cells.Line]:
    """Return a list of answers, in as many lines as needed; a click on an answer chooses it."""
    lines: list[terminal_cells.Line] = [[("class:due", f"{MARK}{question.asks} ")]]
    for place, option in enumerate(question.options):
        text = f"{option.key} {option.words}".rstrip()
        style = f"class:at {terminal_cells.clicked(option.key)}"
        part = (style, f">{text}<") if place == question.at else (style[9:], f" {text} ")
        if terminal_cells.line_width(lines[-1]) + terminal_cells.width(part[1]) > columns:
            lines.append([("class:due", "  ")])
        lines[-1].append(part)
    return [filled(line, columns) for line in lines]


def asks(text: str, key: str = "enter") -> terminal_cells.Fragment:
    """Return a question. key: what a click on the question presses, or ""."""
    return f"class:due {terminal_cells.clicked(key)}" if key else "class:due", f"{MARK}{text}"


def tells(text: str) -> terminal_cells.Fragment:
    """Return the reason for waiting."""
    return "", f" {text}"


def asked(question: terminal_cells.Fragment, columns: int) -> list[terminal_cells.Line]:
    """Return a question in lines as wide as the terminal, at least one."""
    style, text = question
    mark = MARK if text.startswith(MARK) else " "
    first, *rest = terminal_cells.wrapped(
        text.removeprefix(mark), columns - terminal_cells.width(mark)
    ) or [""]
    lines = [f"{mark}{first}", *(" " * len(mark) + line for line in rest)]
    return [filled([(style, line)], columns) for line in lines]


def filled(line: terminal_cells.Line, columns: int) -> terminal_cells.Line:
    """Return a line as wide as the terminal; a question is marked."""
    whole = terminal_cells.fit_line(line, columns)
    due = any(style.startswith("class:due") for style, _ in line)
    return [(f"class:due {style}", text) for style, text in whole] if due else whole


def news_lines(
    scene: TableScene, cells: int, room: int, *, ends: bool
) -> list[terminal_cells.Line]:
    """Return the last news that have room, whole sentences, in order of happening.

    If the last sentence alone has no room, its end is left out, and a mark says so. ends:
    whether the last sentence tells the end of the game.
    """
    shown: list[terminal_cells.Line] = []
    for sentence in reversed(scene.lately):
        style = "class:due" if ends and not shown else ""
        whole = terminal_cells.wrapped(sentence, cells)
        lines: list[terminal_cells.Line] = [[(style, f" {line}")] for line in whole]
        if len(lines) + len(shown) <= room:
            shown = lines + shown
        elif shown or room < 1:
            return shown
        else:
            marked = terminal_cells.cut(whole[room - 1] + " " * cells, cells)
            return [*lines[: room - 1], [(style, f" {marked}")]]
    return shown


def beside_draft(
    scene: TableScene, draft: str, cells: int, room: int
) -> list[terminal_cells.Line]:
    """Return the phrases, while the draft may mean a phrase, and below them the last talk."""
    listed: list[terminal_cells.Line] = []
    if not draft or phrase_of(narrow(draft)) is not None:
        listed = phrases_in_rows(cells)[: room - min(1, len(scene.talk))]
    talk = talk_lines(scene, cells, room - len(listed))
    return [[("", " "), *line] for line in (*listed, *talk)]


def key(name: str) -> terminal_cells.Fragment:
    """Return a key in two cells more than its name; a click on the key presses the key."""
    return f"class:letter {_click(name)}", f" {name} "


def _click(name: str) -> str:
    """Return the style by which a click presses the key, or "" for several keys."""
    means = _CLICKED.get(name, name if len(name) == 1 else "")
    return terminal_cells.clicked(means) if means else ""


def keys_bar(text: str, columns: int) -> terminal_cells.Line:
    """Return the line of the keys; a click on a key presses the key."""
    line: terminal_cells.Line = []
    for entry in text.split("  "):
        key, _, label = entry.lstrip().partition(" ")
        click = _click(key)
        gap = " " * (1 + len(entry) - len(entry.lstrip()))
        style = f"class:letter {click}" if click else "class:keys"
        line += [(f"class:keys {click}", gap), (style, key)]
        line.append((f"class:keys {click}", f" {label} "))
    return terminal_cells.fit_line([*line, ("class:keys", " " * columns)], columns)


def keys_talking(columns: int) -> terminal_cells.Line:
    """Return the line of the keys while a line of talk is written."""
    return keys_bar(captions.KEYS_TALKING(), columns)
