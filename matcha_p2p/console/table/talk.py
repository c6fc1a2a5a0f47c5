"""Talk on the screen: the last of it, and the phrases to choose from."""

from matcha_p2p.console.table import captions
from matcha_p2p.console.table.scene import TableScene
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.cells import Line
from matcha_p2p.narration.news import News
from matcha_p2p.narration.quick_phrases import PHRASES, phrase_list
from matcha_p2p.session.news import PhraseHeard, TalkHeard


def talk_section(scene: TableScene, cells: int, rows: int) -> list[Line]:
    """Return the last talk under its heading; if nobody can talk, return no lines."""
    if scene.is_silent or rows < 2 or not scene.name:
        return []
    return [_talk_heading(scene), *talk_lines(scene, cells, rows - 1)]


def is_muted(scene: TableScene, news: News) -> bool:
    """Return whether ``news`` is talk of a muted player."""
    match news:
        case TalkHeard(name=name) | PhraseHeard(name=name):
            return scene.muted in ("", name)
        case _:
            return False


def _talk_heading(scene: TableScene) -> Line:
    if scene.muted is not None:
        return [("class:head", captions.TALK_MUTED())]
    if scene.unread:
        return [("class:now", captions.UNREAD(count=scene.unread))]
    return [("class:head", captions.TALK())]


def phrases(cells: int) -> list[Line]:
    """Return the phrases and the numbers that say them; a click writes the number."""
    return [
        [("class:head", captions.PHRASES())],
        *(
            [(terminal_cells.clicked(str(number)), line)]
            for number, phrase in zip(PHRASES, phrase_list(), strict=True)
            for line in terminal_cells.wrapped(phrase, cells)
        ),
    ]


def phrases_in_rows(cells: int) -> list[Line]:
    """Return the same phrases, as many whole phrases in a row as fit."""
    rows: list[Line] = []
    for number, phrase in zip(PHRASES, phrase_list(), strict=True):
        said = (terminal_cells.clicked(str(number)), phrase)
        if (
            rows
            and terminal_cells.line_width(rows[-1]) + 2 + terminal_cells.width(phrase) <= cells
        ):
            rows[-1] += [("", "  "), said]
        else:
            rows.append([said])
    return rows


def talk_lines(scene: TableScene, cells: int, rows: int) -> list[Line]:
    """Return the end of the talk down to the scrolled place, each speaker named.

    At most ``rows`` lines; a message that is too long loses its end.
    """
    lines: list[Line] = []
    for seat, text in reversed(scene.talk[: len(scene.talk) - scene.back]):
        said = captions.SAID_YOURS if seat == scene.seat else captions.SAID
        whole = terminal_cells.wrapped(said(name=scene.speaker(seat), text=text), cells)
        if lines and len(whole) + len(lines) > rows:
            break
        lines = [[("class:talk", line)] for line in whole[:rows]] + lines
        if len(whole) > rows > 0:
            lines[-1] = [
                ("class:talk", terminal_cells.cut(whole[rows - 1] + " " * cells, cells))
            ]
    return lines
