"""The whole screen: a scene, a size and a skin in, a frame out."""

from dataclasses import replace
from typing import Final

from matcha_p2p.console.table import bars, keymap
from matcha_p2p.console.table.focus import Page, Reading, Talking
from matcha_p2p.console.table.talk import talk_lines
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen.drawing import board as board_drawing
from matcha_p2p.games.kashi.screen.drawing.board import BoardPainter, Size
from matcha_p2p.games.kashi.screen.drawing.finale import finale
from matcha_p2p.games.kashi.screen.drawing.pages import page_lines, page_title
from matcha_p2p.games.kashi.screen.drawing.pane import log, orders, pane, players
from matcha_p2p.games.kashi.screen.drawing.prompts import prompt_lines, state_lines
from matcha_p2p.games.kashi.screen.drawing.tinted import TintedPainter
from matcha_p2p.games.kashi.screen.keys import FRAME
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.screen.study import studied
from matcha_p2p.games.kashi.words import replay_sentences
from matcha_p2p.narration.after_game import SCORE

_PANE: Final = 40
"""The least cells beside a board with frames."""

_BELOW: Final = 8
"""The rows of title, state, question, keys and news around a board with frames."""

_AROUND: Final = 7
"""The rows of title, question, state, keys and news, and of the head above the players."""

_STATE: Final = 2
"""The rows of the state, which a replay does not have."""

_PANE_FROM: Final = 80  # least columns for phrases beside the board
_NEWS: Final = 6  # lines of news below a table in the middle
_LOG_HEAD: Final = 2  # lines above the last events beside the board
_LOGO: Final = "K A S H I - I C H I"


def draw(scene: Scene, columns: int, rows: int, skin: Skin) -> terminal_cells.TerminalFrame:
    """Return the frame of ``columns`` and ``rows``, both at least 1."""
    if not bars.fits(columns, rows):
        return terminal_cells.TerminalFrame(tuple(bars.too_small(columns)))
    match scene.focus:
        case Reading(_, int(at)) if scene.judging is not None:
            return draw(studied(scene, scene.judging, at), columns, rows, skin)
        case Reading(page):
            return _page(scene, page, columns, skin)
        case _:
            return terminal_cells.TerminalFrame(
                tuple(_table(scene, columns, rows, skin)[:rows])
            )


def _page(scene: Scene, page: Page, columns: int, skin: Skin) -> terminal_cells.TerminalFrame:
    lines = page_lines(scene, page, columns, skin)
    title, found = page_title(page), FRAME.mistakes(scene)
    return bars.page_frame(scene, page, title, lines, (columns, skin), mistakes=found)


def _table(scene: Scene, columns: int, rows: int, skin: Skin) -> list[terminal_cells.Line]:
    game = scene.shown
    if game is None:
        logo = terminal_cells.centred(_LOGO, columns)
        upper: list[terminal_cells.Line] = [[("class:head", logo)], []]
        logged = False
    else:
        upper, logged = _upper(scene, game, (columns, rows), skin)
    alarm = bars.alarm_lines(scene, columns)
    free = rows - 2 - len(_advice(scene, columns)) - len(alarm)
    middle = _middle(scene, (columns, skin))
    if len(upper) + len(middle) > free:
        middle = _middle(scene, (columns, skin), short=True)
    if scene.watched is not None or scene.end is not None:
        middle = middle[: max(1, free - len(upper))]  # the keys below the first line
    upper = upper[: max(0, free - len(middle))]  # the rows of the last players
    room = rows - 2 - len(upper) - len(middle)
    heard = replace(scene, lately=()) if logged else scene
    below = len(_news(heard, columns, room)) if logged else _NEWS
    above = max(0, room - below) // 2
    news = _news(heard, columns, max(0, room - above))
    return [
        _title(scene, columns),
        *([[]] * above),
        *upper,
        *middle,
        *news,
        *([[]] * (room - above - len(news))),
        _keys(scene, columns),
    ]


def _middle(
    scene: Scene, room: tuple[int, Skin], *, short: bool = False
) -> list[terminal_cells.Line]:
    """Return the lines below the board: the question and its keys, or the place in a replay.

    short: whether gold and goods, which the players' rows show too, are left out.
    """
    columns, _ = room
    if scene.watched is not None:
        position: terminal_cells.Line = [("class:due", f" {scene.watched.position}")]
        line = bars.filled(position, columns, 0)
        if scene.judging is not None:
            return [line]
        return [line, bars.keys_bar(replay_sentences.KEYS(), columns)]
    return [
        *prompt_lines(scene, columns),
        keymap.bar(FRAME.first(scene), scene, columns),
        *_state(scene, room, short=short),
    ]


def _upper(
    scene: Scene, game: GameState, room: tuple[int, int], skin: Skin
) -> tuple[list[terminal_cells.Line], bool]:
    """Return the board with orders and players, and whether the last events are beside it."""
    columns, rows = room
    spare = _STATE if scene.watched is not None else 0
    size = _size(game, columns, rows + spare - len(_advice(scene, columns)))
    painter = BoardPainter if skin.framed else TintedPainter
    drawn = painter(scene, game, skin, size).lines()
    left = size.columns(game.board)
    cells = columns - left - 2
    events: list[terminal_cells.Line] = []
    if size.framed:
        end: list[terminal_cells.Line] = []
        if scene.end is not None:
            end = [*finale(scene, scene.end, skin, cells, pictured=True), []]
        beside = [*end, *pane(scene, game, (cells, len(drawn) - len(end)), skin)]
        free = len(drawn) - len(beside)
        taken = (
            2 + len(drawn) + len(_middle(scene, (columns, skin))) + len(_advice(scene, columns))
        )
        if scene.watched is not None or min(rows - taken, _NEWS) <= free - _LOG_HEAD:
            events = log(scene, cells, free)  # otherwise more of them fits below the board
    else:
        beside = orders(scene, game, cells, skin)
    beside = [*beside, *events, *([[]] * len(drawn))][: len(drawn)]
    lines: list[terminal_cells.Line] = [
        [
            *terminal_cells.fit_line(line, left),
            ("", "  "),
            *terminal_cells.fit_line(other, cells),
        ]
        for line, other in zip(drawn, beside, strict=True)
    ]
    if size.framed:
        return lines, bool(events)
    if scene.end is not None:
        below = finale(scene, scene.end, skin, columns - 2, pictured=False)
    else:
        below = players(scene, game, columns - 2, skin)[0 if size.numbered else 1 :]
    return [*lines, *([("", " "), *line] for line in below)], False


def _size(game: GameState, columns: int, rows: int) -> Size:
    """Return how large squares are."""
    board = game.board
    for size in (board_drawing.LARGE, board_drawing.MIDDLE):
        wide = size.columns(board) + 2 + _PANE <= columns
        if wide and size.rows(board) + _BELOW <= rows:
            return size
    fits = board_drawing.NUMBERED.rows(board) + len(game.players) + _AROUND <= rows
    return board_drawing.NUMBERED if fits else board_drawing.SMALL


def _state(scene: Scene, room: tuple[int, Skin], *, short: bool) -> list[terminal_cells.Line]:
    columns, skin = room
    game = scene.shown
    if game is None or isinstance(scene.focus, Talking):
        return []
    return [
        [("", f" {line}")]
        for text in state_lines(scene, game, skin, short=short)
        if text
        for line in terminal_cells.wrapped(text, columns - 2)
    ]


def _news(scene: Scene, columns: int, room: int) -> list[terminal_cells.Line]:
    """Return the alarm or offer, the hint, the last talk and the news, in ``room`` lines."""
    match scene.focus:
        case Talking(draft) if columns < _PANE_FROM:
            return bars.beside_draft(scene, draft, columns - 2, room)[:room]
        case _:
            pass
    lines = bars.alarm_lines(scene, columns)
    lines += [[("class:lesson", f" {line}")] for line in _advice(scene, columns)]
    if scene.unread:
        lines += [[("", " "), *line] for line in talk_lines(scene, columns - 2, 1)]
    left = room - len(lines)
    return [
        *lines[:room],
        *bars.news_lines(scene, columns - 2, left, ends=scene.end is not None),
    ]


def _advice(scene: Scene, columns: int) -> list[str]:
    """Return the advice, and the answer to the last key."""
    texts = filter(None, (scene.advice, scene.answer))
    return [line for text in texts for line in terminal_cells.wrapped(text, columns - 2)]


def _title(scene: Scene, columns: int) -> terminal_cells.Line:
    return bars.title_bar(scene, _progress(scene.game), _players(scene), columns)


def _players(scene: Scene) -> str:
    if not scene.names:
        return ""
    if scene.watched is not None:
        return scene.name
    if not scene.score:
        return captions.PLAYERS(names=scene.name)
    ours, *theirs = scene.score
    return SCORE(ours=ours, theirs=", ".join(map(str, theirs)), name=scene.name)


def _progress(game: GameState | None) -> str:
    if game is None:
        return ""
    played = game.turns // len(game.players) + 1
    return captions.TITLE(board=game.board.name, round=played, settlements=game.settlements)


def _keys(scene: Scene, columns: int) -> terminal_cells.Line:
    """Return the line of the keys."""
    match scene.focus:
        case Talking():
            return bars.keys_talking(columns)
        case _ if scene.watched is not None:
            return bars.keys_bar(scene.watched.keys, columns)
        case _:
            return keymap.bar(FRAME.common, scene, columns)
