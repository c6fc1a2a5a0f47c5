"""The whole screen: a scene, a size and a skin in, a frame out."""

from typing import Final

from matcha_p2p.console.table import bars, keymap
from matcha_p2p.console.table.focus import Reading, Talking
from matcha_p2p.console.table.talk import talk_lines
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.tichu.rules.round import seat_after
from matcha_p2p.games.tichu.screen.drawing import table
from matcha_p2p.games.tichu.screen.drawing.finale import finale, result
from matcha_p2p.games.tichu.screen.drawing.hand import hand
from matcha_p2p.games.tichu.screen.drawing.pages import page_lines, page_title
from matcha_p2p.games.tichu.screen.drawing.pane import advice, pane
from matcha_p2p.games.tichu.screen.drawing.prompts import fits, prompt
from matcha_p2p.games.tichu.screen.keys import FRAME, may_call
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Scene, on_board
from matcha_p2p.games.tichu.steps import Tichu
from matcha_p2p.games.tichu.words import captions, replay_sentences
from matcha_p2p.games.tichu.words.card_words import card_text

_TABLE: Final = 78
"""Cells of the table, where cards are blocks."""
_SIDE: Final = 20
_PANE_FROM: Final = 110  # least columns for a pane at the right
_PANE_CELLS: Final = 44  # of the widest pane
_BLOCKS_FROM: Final = (78, 22)  # least columns and rows for cards as blocks
_TALL_FROM: Final = 32  # least rows for high cards
_NEWS: Final = 6  # lines of news, at most
_END_NEWS: Final = 3  # lines of news below the end of a game
_TALK: Final = 2  # lines of talk among them


def draw(scene: Scene, columns: int, rows: int, skin: Skin) -> terminal_cells.TerminalFrame:
    """Return the frame of ``columns`` and ``rows``, both at least 1."""
    frame = _frame(scene, columns, rows, skin)
    return frame.by_letters() if skin.icons in ("plain", "ascii") else frame


def _frame(scene: Scene, columns: int, rows: int, skin: Skin) -> terminal_cells.TerminalFrame:
    if not bars.fits(columns, rows):
        return terminal_cells.TerminalFrame(tuple(bars.too_small(columns)))
    match scene.focus:
        case Reading(_, int(at)) if scene.mistakes:
            return _frame(on_board(scene, at), columns, rows, skin)
        case Reading(page):
            lines = page_lines(scene, page, columns)
            title, found = page_title(scene, page), len(scene.mistakes)
            return bars.page_frame(scene, page, title, lines, (columns, skin), mistakes=found)
        case _:
            return terminal_cells.TerminalFrame(
                tuple(_screen(scene, columns, rows, skin)[:rows])
            )


def _screen(scene: Scene, columns: int, rows: int, skin: Skin) -> list[terminal_cells.Line]:
    beside = columns >= _PANE_FROM
    for_pane = min(_PANE_CELLS, columns - _TABLE - 2) if beside else 0
    cells = min(columns, _TABLE + 2) if not beside else _TABLE
    margin = (columns - cells - (for_pane + 2 if beside else 0)) // 2
    asks = _asks(scene, columns)
    room = rows - 3 - len(asks)  # for all but the title, the question and the keys
    parts = _parts(scene, (columns, rows, room - _END_NEWS), cells, skin)
    alarm = len(bars.alarm_lines(scene, cells))
    lesson = 0 if beside else len(advice(scene, cells - 1))
    least = 5 if isinstance(scene.focus, Talking) and not beside else max(2, alarm + lesson)
    parts = _without_seats(parts, scene, room - lesson)
    upper = _squeezed(_spaced(parts, room - least), room - least)
    above = max(0, room - len(upper) - _NEWS) // 2
    upper = [*([[]] * above), *upper]
    news = room - len(upper)
    below = [
        terminal_cells.fit_line(line, cells)
        for line in _lately(scene, cells, news, beside=beside)
    ]
    body = [terminal_cells.fit_line(line, cells) for line in upper] + below
    body += [[("", " " * cells)] for _ in range(room - len(body))]
    if beside:
        divider = ("class:faint", f"{skin.down} ")
        earlier = _earlier(scene, cells, len(below) - alarm)
        right = pane(scene, skin, (for_pane, len(body)), earlier)
        body = [[*line, divider, *other] for line, other in zip(body, right, strict=True)]
    body = [[("", " " * margin), *line] for line in body]
    at = len(upper)
    return [
        _title(scene, columns),
        *body[:at],
        *asks,
        *body[at:],
        _keys_of_question(scene, columns),
        _keys(scene, columns),
    ]


def _asks(scene: Scene, columns: int) -> list[terminal_cells.Line]:
    """Return the question, or the position of an onlooker or of a mistake."""
    if scene.watched is None:
        return prompt(scene, columns)
    return [bars.filled([("class:due", f" {scene.watched.position}")], columns, 0)]


def _without_seats(
    parts: list[list[terminal_cells.Line]], scene: Scene, room: int
) -> list[list[terminal_cells.Line]]:
    """Return the parts of which the first give way to a lesson or a hint."""
    kept = list(parts)
    least = 2 if scene.finished is None else 1  # the hand and what fits, or the points
    while scene.advice and len(kept) > least and sum(map(len, kept)) > room:
        kept.pop(0)
    return kept


def _squeezed(lines: list[terminal_cells.Line], room: int) -> list[terminal_cells.Line]:
    """Return the lines without so many of the empty ones as there are too many lines."""
    spare = len(lines) - room
    kept: list[terminal_cells.Line] = []
    for line in lines:
        if spare > 0 and not any(text.strip() for _, text in line):
            spare -= 1
        else:
            kept.append(line)
    return kept


def _spaced(parts: list[list[terminal_cells.Line]], room: int) -> list[terminal_cells.Line]:
    """Return the parts with empty lines between, as far as the room suffices."""
    parts = [part for part in parts if part]
    spare = room - sum(map(len, parts))
    lines: list[terminal_cells.Line] = list(parts[0]) if parts else []
    for number, part in enumerate(parts[1:], 1):
        gap = 1 if spare >= len(parts) - number and spare > 0 else 0
        if spare >= 3 * (len(parts) - number):
            gap = 2
        spare -= gap
        lines += [*([[]] * gap), *part]
    return lines


def _parts(
    scene: Scene, size: tuple[int, int, int], cells: int, skin: Skin
) -> list[list[terminal_cells.Line]]:
    """Return the table and the hand, in parts that may stand apart.

    size: the columns and rows of the terminal, and the rows for the end of a game.
    """
    columns, rows, room = size
    game = scene.game
    if scene.finished is not None and scene.rounds:
        lines = result(scene, scene.finished, skin, cells)
        sums = next(at for at in range(len(lines) - 1, 0, -1) if not lines[at])
        return [lines[:sums], lines[sums:]] if scene.advice else [lines]
    if scene.end is not None:
        return [finale(scene, scene.end, skin, cells, room)]
    if game is None or not (scene.words.hand or scene.watched):
        logo = terminal_cells.centred("T I C H U", cells)
        return [[[], [("class:head", logo)], []]]
    blocks = cells >= _BLOCKS_FROM[0] and rows >= _BLOCKS_FROM[1]
    tall = 5 if rows >= _TALL_FROM else 3
    height = tall if blocks else 1
    around = _around(scene, game, cells, (tall, skin)) if blocks else _small(scene, game, cells)
    own = [_own(scene, game), *hand(scene, skin, height)]
    mine = [table.middle(line, cells) if blocks else [("", " "), *line] for line in own]
    if scene.hands:
        return [*around, _open(scene, game, skin, (cells, height)), mine]
    return [
        *around,
        _lines(scene, skin, (columns, rows)),
        mine,
        [[("class:faint", f" {fits(scene)}")]],
    ]


def _around(
    scene: Scene, game: Tichu, cells: int, look: tuple[int, Skin]
) -> list[list[terminal_cells.Line]]:
    """Return the partner, and the middle of the table between the others."""
    height, skin = look
    right, partner, left = (seat_after(scene.seat, steps) for steps in (1, 2, 3))
    name, count, state, won = table.seat_block(scene, game, partner, skin)
    gap = ("", "  ")
    upper = [table.middle([*name, gap, *count, gap, *state, gap, *won], cells)]
    middle = cells - 2 * (_SIDE + 1)
    centre = table.pile(scene, game, skin, (middle, height))
    sides = [table.side_block(scene, game, seat, skin, _SIDE) for seat in (left, right)]
    first = max(0, (len(centre) - max(map(len, sides))) // 2)
    lines: list[terminal_cells.Line] = []
    for number, line in enumerate(centre):
        at = number - first
        west, east = (side[at] if 0 <= at < len(side) else [] for side in sides)
        shown = terminal_cells.fit_line(east, min(_SIDE, terminal_cells.line_width(east)))
        pad = ("", " " * (_SIDE - terminal_cells.line_width(shown)))
        lines.append([("", " "), *terminal_cells.fit_line(west, _SIDE), *line, pad, *shown])
    return [upper, lines]


def _small(scene: Scene, game: Tichu, cells: int) -> list[list[terminal_cells.Line]]:
    """Return the table in few lines: a seat a line, then what lies."""
    seats = [seat_after(scene.seat, steps) for steps in (2, 3, 1)]
    lines = [[("", " "), *table.seat_line(scene, game, seat)] for seat in seats]
    match scene.question:
        case GiftChoice() as giving:
            told = terminal_cells.wrapped(_gift_words(scene, giving), cells - 2)
            return [lines, [[("class:now", f" {line}")] for line in told]]
        case _:
            pass
    words = f"{table.heading(scene)}   {table.worth(game)}".strip()
    centre: list[terminal_cells.Line] = [
        [("class:now", f" {text}")] for text in terminal_cells.wrapped(words, cells - 2)
    ]
    return [lines, centre]


def _gift_words(scene: Scene, giving: GiftChoice) -> str:
    told: list[str] = []
    for at, steps in enumerate(table.GIVEN_TO):
        name = scene.words.name_of(seat_after(scene.seat, steps))
        place = giving.gifts[at]
        card = "__" if place is None else card_text(scene.held[place])
        mark = ">" if at == giving.at else ""
        told.append(f"{mark}{captions.GIFT_TO(name=name)}: {card}")
    return "  ".join(told)


def _lines(scene: Scene, skin: Skin, size: tuple[int, int]) -> list[terminal_cells.Line]:
    """Return the trick that lies, the one before, and what is not seen yet.

    In a low terminal the lines of the seats say enough. size: the columns of the terminal, and
    its rows.
    """
    columns, rows = size
    cells, beside = min(columns, _TABLE), columns >= _PANE_FROM
    if scene.game is None or not scene.game.laid or rows < _BLOCKS_FROM[1]:
        return []
    trick = table.labelled(captions.TRICK(), table.trick_line(scene), cells)
    if beside:
        return [trick]
    unseen: terminal_cells.Line = [("class:faint", "  ".join(table.unseen_words(scene, skin)))]
    return [
        trick,
        table.labelled(captions.BEFORE(), table.before_line(scene), cells),
        table.labelled(captions.GONE(), unseen, cells),
    ]


def _open(
    scene: Scene, game: Tichu, skin: Skin, size: tuple[int, int]
) -> list[terminal_cells.Line]:
    """Return the trick that lies, and what an onlooker sees in the hands of the others.

    size: the cells, and the height of cards. Beside chips there is no room for the trick.
    """
    cells, height = size
    trick = table.labelled(captions.TRICK(), table.trick_line(scene), cells)
    shown = [
        table.open_hand(scene, game, seat_after(scene.seat, steps), skin, cells)
        for steps in (3, 2, 1)
        if scene.hands[seat_after(scene.seat, steps)]
    ]
    return [*([] if height == 1 and shown else [trick]), *shown]


def _own(scene: Scene, game: Tichu) -> terminal_cells.Line:
    """Return the line above the hand."""
    seat = scene.seat
    line = table.name_line(scene, game, seat)
    state = table.state_words(scene, game, seat)
    count = len(scene.held if scene.watched is None else game.round.held[seat])
    line.append(("", f"  {captions.HAND(count=count)}   {state}"))
    if scene.calls:
        line.append(("class:now", f"   {captions.WILL_CALL()}"))
    elif may_call(scene):
        line.append(("class:faint", f"   {captions.MAY_CALL()}"))
    return line


def _lately(scene: Scene, cells: int, room: int, *, beside: bool) -> list[terminal_cells.Line]:
    """Return the alarm, the advice, the news and, without a pane, the last talk."""
    match scene.focus:
        case Talking(draft) if not beside:
            return bars.beside_draft(scene, draft, cells - 1, room)
        case _:
            pass
    lines = bars.alarm_lines(scene, cells)
    if not beside:
        lines += [[("class:lesson", f" {line}")] for line in advice(scene, cells - 1)]
    talk: list[terminal_cells.Line] = []
    if not beside and scene.talk:
        talk = [[("", " "), *line] for line in talk_lines(scene, cells - 1, _TALK)]
        talk = talk[-max(1, room // 3) :]
    left = min(_NEWS, room - len(lines) - len(talk))
    if scene.finished is not None and left < 2:  # the points above say the same
        left = 0
    ends = scene.end is not None
    return [*lines[:room], *bars.news_lines(scene, cells - 1, left, ends=ends), *talk][:room]


def _earlier(scene: Scene, cells: int, rows: int) -> list[str]:
    """Return the news before those that take the ``rows`` rows below the table."""
    told = list(scene.lately)
    while told and rows > 0:
        rows -= len(terminal_cells.wrapped(told.pop(), cells - 1))
    return told


def _title(scene: Scene, columns: int) -> terminal_cells.Line:
    game = scene.game
    if game is None or not scene.name:
        return bars.title_bar(scene, captions.NAME(), "", columns)
    progress = captions.TITLE(number=game.number) if game.number else captions.NAME()
    if scene.finished is not None and scene.rounds:
        progress = captions.TITLE(number=scene.rounds[-1].number)
    mine, other = game.totals if scene.seat % 2 == 0 else game.totals[::-1]
    points = {"mine": mine, "other": other, **scene.words.around._asdict()}
    if scene.watched is None:
        players = captions.TEAMS(**points)
    else:
        first = scene.words.name_of(scene.seat)
        players = captions.TEAMS_WATCHED(first=first, **points)
    room = columns - terminal_cells.width(progress) - 4
    if terminal_cells.width(players) > room:  # the round is in the review, too
        progress = captions.NAME()
    if game.target is not None:
        whole = f"{players}   {captions.TARGET(target=game.target)}"
        players = whole if terminal_cells.width(whole) <= room else players
    if terminal_cells.width(players) > room:
        players = captions.TEAM_POINTS(team=scene.teams[0], mine=mine, other=other)
    return bars.title_bar(scene, progress, players, columns)


def _keys_of_question(scene: Scene, columns: int) -> terminal_cells.Line:
    """Return the keys of the question, or the game's own keys in a replay."""
    if scene.hands:
        return bars.keys_bar(replay_sentences.KEYS(), columns)
    return keymap.bar(FRAME.first(scene), scene, columns)


def _keys(scene: Scene, columns: int) -> terminal_cells.Line:
    """Return the keys of the table."""
    if scene.is_talking:
        return bars.keys_talking(columns)
    if scene.watched is not None:
        return bars.keys_bar(scene.watched.keys, columns)
    return keymap.bar(FRAME.common, scene, columns)
