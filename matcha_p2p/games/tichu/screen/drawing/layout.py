"""The whole screen: a scene, a size and a skin in, a frame out."""

from typing import Final

from matcha_p2p.console.table import bars, keymap
from matcha_p2p.console.table.focus import Reading, Talking
from matcha_p2p.console.table.talk import talk_lines
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.tichu.rules.cards import points
from matcha_p2p.games.tichu.rules.round import HAND, seat_after
from matcha_p2p.games.tichu.screen.drawing import cards as card_drawing
from matcha_p2p.games.tichu.screen.drawing import table
from matcha_p2p.games.tichu.screen.drawing.finale import finale, result
from matcha_p2p.games.tichu.screen.drawing.hand import CHIPS, hand
from matcha_p2p.games.tichu.screen.drawing.pages import page_lines, page_title
from matcha_p2p.games.tichu.screen.drawing.pane import advice, pane
from matcha_p2p.games.tichu.screen.drawing.prompts import fits, prompt
from matcha_p2p.games.tichu.screen.keys import FRAME, may_call
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Scene, on_board
from matcha_p2p.games.tichu.table.steps import Tichu
from matcha_p2p.games.tichu.words import captions, replay_sentences
from matcha_p2p.games.tichu.words.card_words import card_text

_TABLE: Final = 78
"""Cells of the table beside a pane, at least."""
_SIDE: Final = 17
"""Cells of a seat beside the field."""
_SIDE_LOW: Final = 14  # in a terminal with few columns
_PANE_FROM: Final = 110  # least columns for a pane at the right
_PANE_CELLS: Final = 44  # of the widest pane
_PANE_LEAST: Final = 33  # where the table is wide
_BLOCKS_FROM: Final = (78, 22)  # least columns and rows for the lines about the table
_USUAL_FROM: Final = 24  # least rows for cards with a whole picture
_TALL_FROM: Final = 32  # least rows for high cards
_NEWS: Final = 4  # lines of news, at most
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
    wide = columns - card_drawing.WIDE.row(HAND) - 4 >= _PANE_LEAST
    table_cells = card_drawing.WIDE.row(HAND) + 2 if wide else _TABLE
    for_pane = min(_PANE_CELLS, columns - table_cells - 2) if beside else 0
    cells = table_cells if beside else min(columns, _TABLE + 2)
    margin = (columns - cells - (for_pane + 2 if beside else 0)) // 2
    asks = _asks(scene, columns)
    room = rows - 3 - len(asks)  # for all but the title, the question and the keys
    alarm = len(bars.alarm_lines(scene, cells))
    lesson = 0 if beside else len(advice(scene, cells - 1))
    last = len(terminal_cells.wrapped(scene.lately[-1], cells - 1)) if scene.lately else 1
    least = max(last if rows < _BLOCKS_FROM[1] else 2, alarm + lesson)
    if isinstance(scene.focus, Talking) and not beside:
        least = 5
    parts, facts = _parts(scene, (columns, rows, room - least), cells, skin)
    upper = _squeezed(_spaced(parts, room - least - len(facts)), room - least - len(facts))
    spare = max(0, room - len(upper) - len(facts) - max(_NEWS, least))
    if spare < 1 and facts and len(upper) + len(facts) + least < room:
        spare = 1
    cloth = [*([[]] * (spare // 2)), *upper, *([[]] * (spare - spare // 2))]
    upper = [table.on("cloth", terminal_cells.fit_line(line, cells)) for line in cloth]
    upper += facts
    news = room - len(upper)
    below = [
        terminal_cells.fit_line(line, cells)
        for line in _lately(scene, cells, news, beside=beside)
    ]
    upper = [terminal_cells.fit_line(line, cells) for line in upper]
    if beside:
        edge = ("class:faint", f"{skin.down if skin.framed else ' '} ")
        earlier = _earlier(scene, cells, len(below) - alarm)
        right = [
            table.on("panel", terminal_cells.fit_line([edge, *line], for_pane + 2))
            for line in pane(scene, skin, (for_pane, len(upper)), earlier)
        ]
        upper = [[*line, *other] for line, other in zip(upper, right, strict=True)]
    body = [*upper, *below]
    body += [[("", " " * cells)] for _ in range(room - len(body))]
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
) -> tuple[list[list[terminal_cells.Line]], list[terminal_cells.Line]]:
    """Return the table and the hand, in parts that may stand apart, and the facts below.

    size: the columns and rows of the terminal, and the rows for the parts.
    """
    columns, rows, room = size
    game = scene.game
    if scene.finished is not None and scene.rounds:
        lines = result(scene, scene.finished, skin, (cells, room))
        sums = next(at for at in range(len(lines) - 1, 0, -1) if not lines[at])
        parts = [lines[:sums], lines[sums:]] if scene.advice else [lines]
        return (parts[1:] if len(parts) > 1 and len(lines) > room else parts), []
    if scene.end is not None:
        return [finale(scene, scene.end, skin, cells, room + 2 - _END_NEWS)], []
    if game is None or not (scene.words.hand or scene.watched):
        logo = terminal_cells.centred("T I C H U", cells)
        return [[[], [("class:head", logo)], []]], []
    found = [_table(scene, game, cells, each, skin) for each in _sizes(rows, cells, skin)]
    facts = [] if scene.hands else _facts(scene, skin, (columns, rows))
    for parts in found:
        taken = sum(map(len, parts))
        if taken <= room:
            return parts, facts if taken + len(facts) <= room else []
    return found[-1], []


def _sizes(rows: int, cells: int, skin: Skin) -> list[card_drawing.Size]:
    """Return the sizes of cards from the largest that a terminal has room for."""
    gap = int(cells >= card_drawing.USUAL.row(HAND))
    sizes = [CHIPS] if skin.framed else [card_drawing.SMALL._replace(gap=gap), CHIPS]
    if rows >= _USUAL_FROM:
        sizes.insert(0, card_drawing.USUAL)
    if rows >= _TALL_FROM:
        sizes.insert(
            0, card_drawing.WIDE if cells >= card_drawing.WIDE.row(HAND) else card_drawing.TALL
        )
    return [size for size in sizes if size.row(HAND) <= cells]


def _table(
    scene: Scene, game: Tichu, cells: int, size: card_drawing.Size, skin: Skin
) -> list[list[terminal_cells.Line]]:
    """Return the seats around the field, and the own hand, in cards of ``size``."""
    shown = hand(scene, skin, size)
    own = _own(scene, game, cells)
    if size == CHIPS:
        mine = [own, *([("", " "), *line] for line in shown)]
        around = _small(scene, game, cells)
    else:
        mine = [table.middle(line, cells) for line in shown]
        if cells >= _TABLE or scene.calls or game.round.calls[scene.seat]:
            mine = [own, *mine]
        around = _around(scene, game, cells, size, skin)
    bar = table.bomb_bar(scene, skin) if skin.framed or size == CHIPS else []
    if bar:  # there is no field
        mine = [*mine, [("", " "), *bar]]
    if scene.hands:
        return [*around, _open(scene, game, skin, (cells, size.height)), mine]
    return [*around, mine]


def _around(
    scene: Scene, game: Tichu, cells: int, size: card_drawing.Size, skin: Skin
) -> list[list[terminal_cells.Line]]:
    """Return the partner, and the field between the others."""
    right, partner, left = (seat_after(scene.seat, steps) for steps in (1, 2, 3))
    name, count, state, won = table.seat_block(scene, game, partner, skin)
    gap, mark = ("", "  "), ("class:now", table.wedge(scene, partner))
    upper = [table.middle([*name, gap, *count, gap, *state, gap, *won, gap, mark], cells)]
    side = _SIDE if cells >= _TABLE else _SIDE_LOW
    field = size if size != card_drawing.WIDE else card_drawing.BROAD
    centre = table.pile(scene, game, skin, cells - 2 * (side + 2), field)
    west, east = (table.side_block(scene, game, seat, skin, side) for seat in (left, right))
    first = max(0, (len(centre) - max(len(west), len(east))) // 2)
    lines: list[terminal_cells.Line] = []
    for number, line in enumerate(centre):
        at = number - first
        near, far = (seat[at] if 0 <= at < len(seat) else [] for seat in (west, east))
        marks = [table.wedge(scene, seat) if at == 1 else "" for seat in (left, right)]
        shown = terminal_cells.fit_line(far, min(side, terminal_cells.line_width(far)))
        pad = ("", " " * (side - terminal_cells.line_width(shown)))
        lines.append(
            [
                ("", " "),
                *terminal_cells.fit_line(near, side),
                ("class:now", terminal_cells.fit(marks[0], 1)),
                *line,
                ("class:now", terminal_cells.fit(marks[1], 1)),
                pad,
                *shown,
            ]
        )
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
    said = [table.heading(scene), table.worth(scene, game), table.wish(game)]
    if scene.moment is not None:
        said = [scene.moment.word, scene.moment.told]
    words = "   ".join(filter(None, said))
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


def _facts(scene: Scene, skin: Skin, size: tuple[int, int]) -> list[terminal_cells.Line]:
    """Return what is not seen yet, unless the pane says so, and what fits.

    size: the columns of the terminal, and its rows; a low one has room for one line.
    """
    columns, rows = size
    cells, beside = min(columns, _TABLE), columns >= _PANE_FROM
    lines: list[terminal_cells.Line] = []
    if scene.game is not None and scene.game.laid and not beside:
        unseen = table.unseen_line(scene, skin, cells - table.LABEL)
        lines.append(table.labelled(captions.GONE(), unseen, cells))
    if fits(scene) and (not lines or rows >= _BLOCKS_FROM[1]):
        lines.append([("class:faint", f" {fits(scene)}")])
    return lines


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


def _own(scene: Scene, game: Tichu, cells: int) -> terminal_cells.Line:
    """Return the line above the hand: the own seat, and at the right the own call."""
    seat = scene.seat
    line: terminal_cells.Line = [("", " "), *table.name_line(scene, game, seat)]
    count = len(scene.held if scene.watched is None else game.round.held[seat])
    laid = table.last_laid(scene)
    state = "" if laid and laid.seat == seat else table.state_words(scene, game, seat)
    told = [captions.HAND(count=count), state]
    if game.laid:
        won = points(game.round.won[seat])
        told.insert(1, captions.IN_TRICKS(points=won))
    room = cells - 1 - terminal_cells.line_width(line)
    while terminal_cells.width(f"  {'   '.join(filter(None, told))}") > room:
        told.pop()
    line.append(("", f"  {'   '.join(filter(None, told))}"))
    call: terminal_cells.Line = []
    if scene.calls:
        call = [("class:now", captions.WILL_CALL())]
    elif may_call(scene):
        call = [("class:faint", captions.MAY_CALL())]
    gap = cells - 1 - sum(map(terminal_cells.line_width, (line, call)))
    return [*line, ("", " " * max(2, gap)), *call] if call else line


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
