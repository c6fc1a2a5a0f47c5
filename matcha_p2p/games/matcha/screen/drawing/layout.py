"""The whole screen: a scene, a size and a skin in, a frame out."""

from typing import Final

from matcha_p2p.console.menu.bowl import CELLS, bowl
from matcha_p2p.console.table import bars, keymap
from matcha_p2p.console.table.focus import Page, Reading, Talking
from matcha_p2p.console.table.talk import talk_lines
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.seats import opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen.drawing.board import Board
from matcha_p2p.games.matcha.screen.drawing.cards import Size
from matcha_p2p.games.matcha.screen.drawing.finale import finale
from matcha_p2p.games.matcha.screen.drawing.pages import page_lines, page_title
from matcha_p2p.games.matcha.screen.drawing.pane import goal_words, pane
from matcha_p2p.games.matcha.screen.drawing.prompts import foreseen, prompt_line, prompt_rest
from matcha_p2p.games.matcha.screen.keys import FRAME
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.study import mistakes, studied
from matcha_p2p.games.matcha.words import captions, replay_sentences
from matcha_p2p.narration import after_game

_SIZES: Final = (
    (160, 50, Size(15, 7)),
    (110, 36, Size(11, 5)),
    (80, 36, Size(7, 5)),
    (80, 24, Size(7, 3)),
)
"""The size of cards by the least columns and rows; the first size that fits is taken."""

_CHIPS: Final = Size(7, 1)
_TALL_FROM: Final = 32  # least rows for high cards without a pane
_PANE_FROM: Final = 80  # least columns for a pane at the right
_PANE_CELLS: Final = 44  # of the widest pane
_NEWS: Final = 2  # lines for what has happened, at least
_ROOMY_NEWS: Final = 6  # and at most, without talk
_LOGO: Final = "M A T C H A"
_EVENTS_BEFORE_TALK: Final = 3
_AROUND_BOWL: Final = 7
"""Rows for the title, the keys, the news, and air."""


def draw(scene: Scene, columns: int, rows: int, skin: Skin) -> terminal_cells.TerminalFrame:
    """Return the frame of ``columns`` and ``rows``, both at least 1."""
    if not bars.fits(columns, rows):
        return terminal_cells.TerminalFrame(tuple(bars.too_small(columns)))
    match scene.focus:
        case Reading(page, None):
            return _page(scene, page, columns, skin)
        case Reading(_, int(at)):
            return draw(studied(scene, at), columns, rows, skin)
        case _:
            return terminal_cells.TerminalFrame(
                tuple(_table(scene, columns, rows, skin)[:rows])
            )


def _page(scene: Scene, page: Page, columns: int, skin: Skin) -> terminal_cells.TerminalFrame:
    lines = page_lines(scene, page, columns, skin)
    title, found = page_title(scene, page), len(mistakes(scene.analysis))
    return bars.page_frame(scene, page, title, lines, (columns, skin), mistakes=found)


def _table(scene: Scene, columns: int, rows: int, skin: Skin) -> list[terminal_cells.Line]:
    size = _size(columns, rows)
    beside = columns >= _PANE_FROM
    for_pane = min(_PANE_CELLS, columns - size.table - 2) if beside else 0
    whole = size.table + (for_pane + 2 if beside else 0)
    margin = " " * ((columns - whole) // 2)
    edge = len(margin) if beside else 0
    room = rows - 2  # for all but the title and the keys
    upper = _spaced(_upper(scene, rows, skin, size), room, beside=beside)
    if beside:
        right = pane(scene, skin, for_pane, len(upper))
        divider = ("class:faint", f"{skin.down} ")
        upper = [
            [*terminal_cells.fit_line(line, size.table), divider, *other]
            for line, other in zip(upper, right, strict=True)
        ]
    left = room - len(upper) - 1
    below = min(left, _ROOMY_NEWS) if beside else left
    above = (left - below) // 2
    rest = prompt_rest(scene, columns, edge)
    news = _lately(scene, columns - 2 * edge, below - len(rest), skin)
    return [
        _title(scene, columns),
        *([[]] * above),
        *([("", margin), *line] for line in upper),
        prompt_line(scene, columns, edge, skin),
        *rest,
        *([("", " " * edge), *line] for line in news),
        *([[]] * (left - above - len(rest) - len(news))),
        _keys(scene, columns),
    ]


def _size(columns: int, rows: int) -> Size:
    """Return how large cards are."""
    for least_columns, least_rows, size in _SIZES:
        if columns >= least_columns and rows >= least_rows:
            return size
    return _SIZES[-1][2] if rows >= _TALL_FROM else _CHIPS


def _upper(scene: Scene, rows: int, skin: Skin, size: Size) -> list[list[terminal_cells.Line]]:
    """Return the table and the hand in parts; if the screen has room, the parts stand apart."""
    game = scene.game
    if game is None or not game.table:
        shown = _welcome(rows, skin, size)
        space: list[terminal_cells.Line] = [[]] * max(
            1, (rows - len(shown) - _AROUND_BOWL) // 2
        )
        return [[*space, *shown, *space]]
    board = Board(scene, game, skin, size)
    other = opposite(scene.seat)
    watched = scene.watched is not None  # then the line stays, lest the table jump
    theirs = [board.other_hand()] if watched else []
    high = size.height > 1
    field = [
        board.demands(),
        *board.laid(other),
        *([board.strip(other)] if high else []),
        *board.mats(),
        *([board.strip(scene.seat)] if high else []),
        *board.laid(scene.seat),
    ]
    hand = board.hand()
    if scene.end is not None:
        hand = finale(scene, scene.end, skin, size.table, len(hand))
    return [[*theirs, board.player(other)], field, [board.player(scene.seat)], hand]


def _spaced(
    parts: list[list[terminal_cells.Line]], room: int, *, beside: bool
) -> list[terminal_cells.Line]:
    """Return the parts with empty lines between, if the lines leave room for news.

    beside: whether a pane stands at the right, so that the room below is for news alone.
    """
    rows = sum(map(len, parts))
    least = (_NEWS if beside else 2 * _NEWS + _EVENTS_BEFORE_TALK) + 1
    gap: list[terminal_cells.Line] = [[]] if rows + len(parts) - 1 + least <= room else []
    lines = list(parts[0])
    for part in parts[1:]:
        lines += [*gap, *part]
    return lines


def _welcome(rows: int, skin: Skin, size: Size) -> list[terminal_cells.Line]:
    """Return the picture before the first cards are dealt: the title, and a bowl if it fits."""
    texts = (_LOGO, "", captions.WELCOME())
    words: list[terminal_cells.Line] = [
        [("class:head", terminal_cells.centred(text, size.table))] for text in texts
    ]
    tea = bowl(0.0)
    if rows < len(tea) + len(words) + _AROUND_BOWL or not skin.half_blocks:
        return words
    margin = ("", " " * ((size.table - CELLS) // 2))
    return [*([margin, *line] for line in tea), [], *words]


def _title(scene: Scene, columns: int) -> terminal_cells.Line:
    return bars.title_bar(scene, _progress(scene.game), _players(scene), columns)


def _players(scene: Scene) -> str:
    if not scene.name:
        return ""
    if scene.watched is not None:
        return replay_sentences.TITLE(first=scene.names[0], second=scene.names[1])
    if scene.score is None:
        return captions.PLAYERS(name=scene.name)
    ours, theirs = scene.score
    return after_game.SCORE(ours=ours, theirs=theirs, name=scene.name)


def _progress(game: GameState | None) -> str:
    if game is None:
        return captions.TITLE_FIRST()
    if not game.rounds:
        return captions.TITLE_BEFORE(edition=game.edition.name)
    return captions.TITLE(
        edition=game.edition.name, number=game.number, round=game.rounds[-1].number
    )


def _lately(scene: Scene, cells: int, room: int, skin: Skin) -> list[terminal_cells.Line]:
    """Return the alarm, the forecast of a choice and the news, in ``room`` lines.

    Without a pane, also return the lesson or the hint, and talk.
    """
    lines = bars.alarm_lines(scene, cells)
    foretold = [[("class:now", f" {line}")] for line in foreseen(scene, cells - 1, skin)]
    if cells >= _PANE_FROM - 2:
        lines += foretold
        return lines[:room] + _news_lines(scene, cells - 1, room - len(lines))
    match scene.focus:
        case Talking(draft):
            return bars.beside_draft(scene, draft, cells - 1, room)
        case _:
            pass
    advice = terminal_cells.wrapped(scene.advice, cells - 1) if scene.advice else []
    lines += [[("class:lesson", f" {line}")] for line in advice] + foretold
    for_talk = max(2, room - len(lines) - _EVENTS_BEFORE_TALK)
    talk: list[terminal_cells.Line] = [
        [("", " "), *line] for line in talk_lines(scene, cells - 1, for_talk)
    ]
    news = _news_lines(scene, cells - 1, room - len(lines) - len(talk))
    game = scene.game
    if game is not None and game.table and room - len(lines) - len(news) > 2 * len(talk):
        news.append([("class:faint", f" {goal_words(game, skin)}")])
    return [*lines[:room], *news, *talk][:room]


def _keys(scene: Scene, columns: int) -> terminal_cells.Line:
    """Return the line of the keys."""
    match scene.focus:
        case _ if scene.watched is not None:
            return bars.keys_bar(scene.watched.keys, columns)
        case Talking():
            return bars.keys_talking(columns)
        case _:
            own = keymap.shown(FRAME.first(scene), scene)
            return keymap.bar((*own, *FRAME.common), scene, columns)


def _news_lines(scene: Scene, cells: int, room: int) -> list[terminal_cells.Line]:
    ends = scene.end is not None and not scene.moment.runs
    return bars.news_lines(scene, cells, room, ends=ends)
