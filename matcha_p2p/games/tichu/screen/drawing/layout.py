"""Tichu's table: the forms of the board, the facts and the pane."""

from collections.abc import Iterator
from typing import Final

from matcha_p2p.console.table import bars
from matcha_p2p.console.table.focus import Page
from matcha_p2p.console.table.layout import BoardForm, FactLines, Lines, TableLayout
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.tichu.rules.cards import points
from matcha_p2p.games.tichu.rules.round import HAND, seat_after
from matcha_p2p.games.tichu.screen.drawing import cards as card_drawing
from matcha_p2p.games.tichu.screen.drawing import table
from matcha_p2p.games.tichu.screen.drawing.finale import finale, result
from matcha_p2p.games.tichu.screen.drawing.hand import CHIPS, hand
from matcha_p2p.games.tichu.screen.drawing.pages import heading, page_lines
from matcha_p2p.games.tichu.screen.drawing.pane import pane
from matcha_p2p.games.tichu.screen.drawing.prompts import fits, prompt
from matcha_p2p.games.tichu.screen.keys import FRAME, may_call
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Scene, on_board
from matcha_p2p.games.tichu.table.steps import Tichu
from matcha_p2p.games.tichu.words import captions, replay_sentences
from matcha_p2p.games.tichu.words.card_words import card_text
from matcha_p2p.review.analysis import Mistake

_TABLE: Final = 78  # least cells of a table with room for the own seat
_WIDEST: Final = 80  # of a table with cards of the usual size, at most
_AROUND: Final = 4  # rows besides two cards: of the field and the partner, and for marked cards
_SIDE: Final = 17
"""Cells of a seat beside the field."""
_SIDE_LOW: Final = 14  # in a terminal with few columns


class _Layout(TableLayout[Scene]):
    keys = FRAME
    pane_cells = 30, 44
    ground = "cloth"
    steps = replay_sentences.KEYS

    def draw(
        self, scene: Scene, columns: int, rows: int, skin: Skin
    ) -> terminal_cells.TerminalFrame:
        frame = super().draw(scene, columns, rows, skin)
        return frame.by_letters() if skin.icons in ("plain", "ascii") else frame

    def title(self, scene: Scene, columns: int) -> terminal_cells.Line:
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

    def heading(self, scene: Scene, page: Page) -> str:
        return heading(scene, page)

    def page(self, scene: Scene, page: Page, columns: int, skin: Skin) -> Lines:
        del skin
        return page_lines(scene, page, columns)

    def before(self, scene: Scene, mistake: Mistake) -> Scene:
        return on_board(scene, mistake.board)

    def boards(self, scene: Scene, columns: int, rows: int, skin: Skin) -> Iterator[BoardForm]:
        game, cells = scene.game, min(columns, _WIDEST)
        broad = card_drawing.WIDE.row(HAND) + 2
        if scene.end is not None or (scene.finished is not None and scene.rounds):
            for wide, beside in ((broad, True), (cells, False)):
                for lines in _ended(scene, skin, wide, rows):
                    yield BoardForm([lines], wide, beside, free=0)
        elif game is None or not (scene.words.hand or scene.watched):
            logo = terminal_cells.centred("T I C H U", cells)
            yield BoardForm([[[("class:head", logo)]]], cells)
        else:
            for size in _sizes(cells, rows, skin):
                beside = size == card_drawing.WIDE
                wide = broad if beside else cells
                pages = size == CHIPS and isinstance(scene.question, Listing)  # by Space
                board = BoardForm(
                    _table(scene, game, wide, size, skin), wide, beside, paged=pages
                )
                yield board._replace(free=0) if scene.hands else board

    def prompt(self, scene: Scene, skin: Skin) -> Listing | terminal_cells.Fragment:
        del skin
        return prompt(scene)

    def facts(self, scene: Scene, cells: int, skin: Skin, *, beside: bool) -> list[FactLines]:
        if scene.hands or scene.game is None or scene.finished or scene.end:
            return []
        room, facts = min(cells, _TABLE), list[FactLines]()
        if scene.game.laid and not beside:
            unseen = table.unseen_line(scene, skin, room - table.LABEL)
            facts.append(FactLines([[table.labelled(captions.GONE(), unseen, room)]]))
        fitting = fits(scene)
        if fitting:
            facts.append(FactLines([[[("class:faint", f" {fitting}")]]]))
        return facts

    def pane(self, scene: Scene, cells: int, skin: Skin) -> list[Lines]:
        return pane(scene, skin, cells)


LAYOUT: Final = _Layout()
draw: Final = LAYOUT.draw


def _ended(scene: Scene, skin: Skin, cells: int, rows: int) -> Iterator[Lines]:
    """Yield the end of the round or of the game, in ``rows`` lines and in fewer."""
    if scene.finished is not None and scene.rounds:
        yield result(scene, scene.finished, skin, (cells, rows))
        lines = result(scene, scene.finished, skin, (cells, 0))
        yield lines
        tight = [line for line in lines if line]
        yield tight[max(0, min(1, len(tight) - rows)) :]  # the heading gives way
        yield lines[max(at for at, line in enumerate(lines) if not line) :]
    elif scene.end is not None:
        for high in range(rows, 0, -1):
            yield finale(scene, scene.end, skin, cells, high)


def _sizes(cells: int, rows: int, skin: Skin) -> list[card_drawing.Size]:
    """Return the sizes of cards that may fit, the largest first; small ones have no frames."""
    gap = int(cells >= card_drawing.USUAL.row(HAND))
    small = [] if skin.framed else [card_drawing.SMALL._replace(gap=gap)]
    sizes = [card_drawing.TALL, card_drawing.USUAL, *small, CHIPS]
    sizes = [card_drawing.WIDE, *(size for size in sizes if size.row(HAND) <= cells)]
    return [size for size in sizes if 2 * size.height + _AROUND <= rows]


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
    if scene.hands and not (size == CHIPS and scene.lesson):  # a mistake needs the own hand
        return [*around, _open(scene, game, skin, (cells, size.height)), mine]
    return [*around, mine]


def _around(
    scene: Scene, game: Tichu, cells: int, size: card_drawing.Size, skin: Skin
) -> list[list[terminal_cells.Line]]:
    """Return the partner, and the field between the others."""
    right, partner, left = (seat_after(scene.seat, steps) for steps in (1, 2, 3))
    name, count, state, won = table.seat_block(scene, game, partner, skin)
    gap, mark = ("", "  "), ("class:now", table.wedge(scene, partner))
    told = [*name, gap, *count, gap, *state, gap]
    if terminal_cells.line_width([*told, *won, gap, mark]) <= cells:
        told += [*won, gap]
    upper = [table.middle([*told, mark], cells)]
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
