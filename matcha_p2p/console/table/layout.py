"""The whole screen: a scene, a size and a skin in, lines out, each exactly as wide as it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from matcha_p2p.console.table import coach
from matcha_p2p.console.table.board import (
    Size,
    cards_line,
    hand_lines,
    loops_line,
    mat_lines,
    mats_line,
    other_hand_line,
    player_line,
    rounds_line,
)
from matcha_p2p.console.table.pages import page_lines, page_title
from matcha_p2p.console.table.prompts import prompt_line
from matcha_p2p.console.table.scene import Reading, Scene, Talking
from matcha_p2p.console.terminal.cells import Line, centred, cut, fit, fit_line, width, wrapped
from matcha_p2p.console.terminal.skins import LEAST_COLUMNS, LEAST_ROWS, Skin
from matcha_p2p.narration import after_game, captions, replay_sentences
from matcha_p2p.rules.game import Game
from matcha_p2p.wire.talk import Proposal

T = TypeVar("T")

_PANE_FROM: Final = 80  # columns, from which on talk has a pane at the right
_WIDE_FROM: Final = 110
_COURSE_FROM: Final = 36  # columns of the pane, from which on it has the course of the game too
_FRAMED_FROM: Final = 24  # rows, from which on cards have frames
_SPACED_FROM: Final = 30
_TALL_FROM: Final = 36
_HEADS_FROM: Final = 19
_LOGO: Final = "M A T C H A"
_PAGE_FRAME: Final = 3
_EVENTS_BEFORE_TALK: Final = 3


def draw(scene: Scene, columns: int, rows: int, skin: Skin) -> list[Line]:
    """Return ``rows`` lines of ``columns`` cells each. Both are at least 1."""
    if not _fits(columns, rows):
        lines = _too_small(columns)
    else:
        match scene.focus:
            case Reading() as reading:
                lines = _page(scene, reading, columns, rows, skin)
            case _:
                lines = _table(scene, columns, rows, skin)
    blank: list[Line] = [[]] * rows
    return [fit_line(line, columns) for line in (lines + blank)[:rows]]


def settled(scene: Scene, columns: int, rows: int) -> Scene:
    """Return the scene with its open page scrolled no further than the page goes."""
    match scene.focus:
        case Reading(page, above) as reading if _fits(columns, rows):
            most = max(0, len(page_lines(scene, page, columns)) - (rows - _PAGE_FRAME))
            return replace(scene, focus=replace(reading, above=min(above, most)))
        case _:
            return scene


def _fits(columns: int, rows: int) -> bool:
    return columns >= LEAST_COLUMNS and rows >= LEAST_ROWS


def _too_small(columns: int) -> list[Line]:
    return [[("", text)] for text in wrapped(captions.TOO_SMALL(), columns)]


def _page(scene: Scene, reading: Reading, columns: int, rows: int, skin: Skin) -> list[Line]:
    text = page_lines(scene, reading.page, columns)
    room = rows - _PAGE_FRAME
    above = min(reading.above, max(0, len(text) - room))
    shown: list[Line] = [[("", line)] for line in text[above : above + room]]
    return [
        [("class:title", fit(f" {page_title(scene, reading.page)}", columns))],
        [("", skin.across * columns)],
        *shown,
        *([[]] * (room - len(shown))),
        [("class:keys", fit(f" {captions.KEYS_READING()}", columns))],
    ]


def _table(scene: Scene, columns: int, rows: int, skin: Skin) -> list[Line]:
    size = Size(
        mat=11 if columns >= _WIDE_FROM else 8,
        card=5 if rows >= _TALL_FROM else 3 if rows >= _FRAMED_FROM else 1,
    )
    upper = _upper(scene, rows, skin, size)
    if columns >= _PANE_FROM:
        upper = _beside(upper, _pane(scene, columns - size.table - 1, len(upper)), size, skin)
    room = rows - len(upper) - 4
    return [
        _title(scene, columns),
        *upper,
        _rule(scene, columns, skin),
        *_lately(scene, columns, room),
        prompt_line(scene, columns, skin),
        _keys(scene, columns),
    ]


def _upper(scene: Scene, rows: int, skin: Skin, size: Size) -> list[Line]:
    """Return the table and the hand; before the first deal their place."""
    game = scene.game
    if game is None or not game.table:
        space: list[Line] = [[]] * (rows // 5)
        return [*space, *_welcome(size), *space]
    other = 1 - scene.seat
    heads = [rounds_line(game, size)] if rows >= _HEADS_FROM else []
    gap: list[Line] = [[]] if rows >= _SPACED_FROM else []
    loops = [loops_line(game, skin)] if rows >= _HEADS_FROM else []
    watched = scene.watched is not None  # then the line stays, lest the table jump
    theirs = [other_hand_line(scene, game, skin, size)] if watched else []
    return [
        *gap,
        *theirs,
        player_line(scene, game, other, skin),
        *gap,
        *heads,
        mats_line(game, size),
        cards_line(scene, game, other, skin, size),
        *mat_lines(scene, game, skin, size),
        cards_line(scene, game, scene.seat, skin, size),
        *gap,
        player_line(scene, game, scene.seat, skin),
        *loops,
        *gap,
        *hand_lines(scene, game, skin, size),
    ]


def _welcome(size: Size) -> list[Line]:
    """Return what there is to see before the two players have met."""
    texts = (_LOGO, "", captions.WELCOME())
    return [[("class:head", centred(text, size.table))] for text in texts]


def _title(scene: Scene, columns: int) -> Line:
    game = scene.game
    left = f" {_progress(game)}"
    if scene.checked:
        left += f"   {after_game.MARK()}"
    right = _players(scene) if scene.name else ""
    room = columns - width(left) - 1
    right = cut(right, max(0, room - 1))
    return [("class:title", left + " " * (room - width(right)) + right + " ")]


def _players(scene: Scene) -> str:
    if scene.watched is not None:
        return replay_sentences.TITLE(first=scene.names[0], second=scene.names[1])
    if scene.score is None:
        return captions.PLAYERS(name=scene.name)
    ours, theirs = scene.score
    return after_game.SCORE(ours=ours, theirs=theirs, name=scene.name)


def _progress(game: Game | None) -> str:
    if game is None:
        return captions.TITLE_FIRST()
    if not game.rounds:
        return captions.TITLE_BEFORE(edition=game.edition.name)
    return captions.TITLE(
        edition=game.edition.name, number=game.number, round=game.rounds[-1].number
    )


def _rule(scene: Scene, columns: int, skin: Skin) -> Line:
    if scene.trouble:
        return [("class:alarm", fit(f" {scene.trouble}", columns))]
    offered = _offered(scene)
    if offered:
        return [("class:alarm", fit(f" {offered}", columns))]
    return [("", skin.across * columns)]


def _offered(scene: Scene) -> str:
    """Return what the peer offers, in a place where nothing else is ever asked."""
    asked = frozenset[Proposal]() if scene.epilogue is None else scene.epilogue.asked
    match tuple(asked):
        case ():
            return ""
        case (proposal,):
            return after_game.ASKED[proposal](name=scene.name)
        case _:
            return after_game.ASKED_BOTH(name=scene.name)


def _lately(scene: Scene, columns: int, room: int) -> list[Line]:
    """Return the last news, and under them what the lesson says."""
    lesson = wrapped(scene.lesson, columns - 2)[:room] if scene.lesson else []
    return [
        *_lately_told(scene, columns, room - len(lesson)),
        *([("class:lesson", f" {line}")] for line in lesson),
    ]


def _lately_told(scene: Scene, columns: int, room: int) -> list[Line]:
    """Return the last news, and where talk has no pane its last lines under them."""
    talk = _talk_lines(scene, columns - 2, room) if columns < _PANE_FROM else []
    for_talk = min(len(talk), max(2, room - _EVENTS_BEFORE_TALK), room)
    lines = _last(_news_lines(scene, columns - 2, room), room - for_talk)
    lines += [[]] * (room - for_talk - len(lines))
    return lines + [[("class:talk", f" {line}")] for line in _last(talk, for_talk)]


def _news_lines(scene: Scene, cells: int, most: int) -> list[Line]:
    """Return at least the last ``most`` lines of news, if there are so many.

    After the end of the game the last sentence stands out.
    """
    lines: list[Line] = []
    for sentence in _last(scene.lately, most):
        last = scene.end is not None and sentence is scene.lately[-1]
        style = "class:due" if last else ""
        lines += [[(style, f" {line}")] for line in wrapped(sentence, cells)]
    return lines


def _pane(scene: Scene, cells: int, rows: int) -> list[Line]:
    """Return the pane at the right: talk, and if it is wide the course of the game below."""
    if scene.watched is not None:
        return _course(scene, cells, rows)
    has_course = cells >= _COURSE_FROM
    for_talk = rows // 2 if has_course else rows
    talk = _last(_talk_lines(scene, cells - 2, for_talk), for_talk - 1)
    lines: list[Line] = [[("class:head", f" {captions.TALK()}")]]
    lines += [[("class:talk", f" {line}")] for line in talk]
    if has_course:
        lines += [[]] * (for_talk - len(lines))
        lines += _course(scene, cells, rows - for_talk)
    return lines + [[]] * (rows - len(lines))


def _course(scene: Scene, cells: int, rows: int) -> list[Line]:
    """Return the last of all that has happened, in exactly so many rows."""
    course = [
        line for sentence in _last(scene.told, rows) for line in wrapped(sentence, cells - 2)
    ]
    lines: list[Line] = [[("class:head", f" {captions.COURSE()}")]]
    lines += [[("", f" {line}")] for line in _last(course, rows - 1)]
    return lines + [[]] * (rows - len(lines))


def _beside(left: Iterable[Line], right: Iterable[Line], size: Size, skin: Skin) -> list[Line]:
    return [
        [*fit_line(line, size.table), ("", skin.down), *other]
        for line, other in zip(left, right, strict=True)
    ]


def _talk_lines(scene: Scene, cells: int, most: int) -> list[str]:
    """Return the talk down to where it is scrolled to, each speaker named.

    At least the last ``most`` lines, if there are so many.
    """
    heard = _last(scene.talk[: len(scene.talk) - scene.back], most)
    lines: list[str] = []
    for seat, text in heard:
        said = captions.SAID_YOURS if seat == scene.seat else captions.SAID
        lines += wrapped(said(name=scene.name, text=text), cells)
    return lines


def _last(items: Sequence[T], count: int) -> list[T]:
    """Return the last ``count`` of the items, or all there are."""
    return list(items[-count:]) if count > 0 else []


def _keys(scene: Scene, columns: int) -> Line:
    match scene.focus:
        case _ if scene.watched is not None:
            text = replay_sentences.KEYS()
        case Talking():
            text = captions.KEYS_TALKING()
        case _:
            text = captions.KEYS() if scene.coach is None else coach.KEYS()
    return [("class:keys", fit(f" {text}", columns))]
