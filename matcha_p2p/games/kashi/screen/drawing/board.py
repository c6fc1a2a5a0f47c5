"""The board: squares with areas, tiles, shops and persons, and the way of a move."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import ASCII_CORNERS, Skin
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.screen import phrases
from matcha_p2p.games.kashi.screen.drawing import ways
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.words.names import area_letter, shown
from matcha_p2p.seats import Seat

_TINTS: Final = 5
"""The different tints of areas."""

OWN: Final = "@"
"""The person of our own seat, on a board without colours."""

PERSON: Final = "☻"
"""A person on a board with colours, before the letter of the seat."""

_JOINTS: Final[dict[str, str]] = dict(
    zip(
        ("DR", "DL", "UR", "UL", "DLR", "ULR", "UDR", "UDL", "UDLR", "LR", "UD"),
        "┌┐└┘┬┴├┤┼─│",
        strict=True,
    )
)
"""The joint of lines that go up, down, left and right."""


class Size(NamedTuple):
    """The cells inside of a square.

    framed: whether lines stand between rows. numbered: whether a line without a frame numbers
    the columns; a frame numbers them itself.
    """

    width: int
    height: int
    framed: bool
    numbered: bool = False

    def columns(self, board: Board) -> int:
        """Return the columns of the whole board."""
        return (self.width + 1) * (board.width - 1) + 1

    def rows(self, board: Board) -> int:
        """Return the rows of the whole board."""
        count = len(board.grid)
        return (self.height + self.framed) * count + (self.framed or self.numbered)


LARGE: Final = Size(8, 3, framed=True)
MIDDLE: Final = Size(4, 1, framed=True)
NUMBERED: Final = Size(4, 1, framed=False, numbered=True)
SMALL: Final = Size(4, 1, framed=False)


class BoardPainter:
    """Draws the board of ``scene`` during ``game``."""

    def __init__(self, scene: Scene, game: GameState, skin: Skin, size: Size) -> None:
        self._scene: Final = scene
        self._game: Final = game
        self._skin: Final = skin
        self._size: Final = size
        self._lit: Final = dict(ways.lit(scene))
        self._chosen: Final = ways.chosen(scene)
        self._axes: Final = ways.axes(scene, game.board)
        self._marks: Final = phrases.marks(game.seats, scene.names)

    def lines(self) -> list[terminal_cells.Line]:
        """Return the board, line by line."""
        rows = range(len(self._game.board.grid))
        lines: list[terminal_cells.Line] = [self._numbers()] if self._size.numbered else []
        for row in rows:
            if self._size.framed:
                lines.append(self._border(row))
            lines += self._row(row)
        return [*lines, self._border(len(rows))] if self._size.framed else lines

    def _numbers(self) -> terminal_cells.Line:
        """Return the line that numbers the columns where no frame stands."""
        columns = range(1, self._game.board.width)
        return [(self._axis(each), f" {each:^{self._size.width}}") for each in columns]

    def _axis(self, column: int) -> str:
        """Return the style of the number of ``column``: the chosen square's stands out."""
        return "class:now" if column == self._axes[1] else "class:faint"

    def _at(self, row: int, column: int) -> int | None:
        return self._game.board.named(row + 1, column + 1)

    def _border(self, row: int) -> terminal_cells.Line:
        """Return the line above ``row``; the first line numbers the columns."""
        line: terminal_cells.Line = []
        for column in range(self._game.board.width):
            line.append(("class:faint", self._joint(row, column)))
            if column < self._game.board.width - 1:
                number = "" if row else str(column + 1)
                across = self._skin.across if self._across(row, column) else " "
                text = number.center(self._size.width, across)
                line.append(("class:faint" if row else self._axis(column + 1), text))
        return line

    def _across(self, row: int, column: int) -> bool:
        """Tell whether a line goes above a square."""
        return not (self._at(row - 1, column) is None and self._at(row, column) is None)

    def _down(self, row: int, column: int) -> bool:
        """Tell whether a line goes left of a square."""
        return not (self._at(row, column - 1) is None and self._at(row, column) is None)

    def _joint(self, row: int, column: int) -> str:
        lines = {
            "U": self._down(row - 1, column),
            "D": self._down(row, column),
            "L": self._across(row, column - 1),
            "R": self._across(row, column),
        }
        name = "".join(side for side, drawn in lines.items() if drawn)
        if not name:
            return " "
        return "+" if self._skin.corners == ASCII_CORNERS else _JOINTS[name]

    def _row(self, row: int) -> Iterator[terminal_cells.Line]:
        columns = range(self._game.board.width - 1)
        squares = [self._at(row, column) for column in columns]
        cells = [self._cell(square) for square in squares]
        for height in range(self._size.height):
            line: terminal_cells.Line = []
            for column, square in enumerate(squares):
                left = squares[column - 1] if column else None
                line.append(self._side(left, square))
                line += cells[column][height]
            if height == self._size.height // 2:
                line[0] = _numbered(line[0], row + 1, lit=row + 1 == self._axes[0])
            yield [*line, self._side(squares[-1], None)]

    def _side(self, left: int | None, right: int | None) -> terminal_cells.Fragment:
        """Return the line between two squares; brackets for the way and the chosen square."""
        if self._chosen is not None and self._chosen in (left, right):
            return "class:at", "[" if right == self._chosen else "]"
        if right in self._lit:
            return "class:now", "("
        if left in self._lit:
            return "class:now", ")"
        return "class:faint", " " if left is right is None else self._skin.down

    def _cell(self, square: int | None) -> list[terminal_cells.Line]:
        """Return a square, line by line."""
        wide, high = self._size.width, self._size.height
        if square is None:
            return [[("", " " * wide)]] * high
        people = self._people(square)
        if high == 1:
            room = wide - len(people)
            what = self._ground(square, room) + self._shops(square)
            lines = [
                [*terminal_cells.fit_line(_ending(what, room), room), ("class:now", people)]
            ]
        else:
            step = self._lit.get(square)
            stands = [
                ("class:now", terminal_cells.fit(people, wide - 2)),
                ("class:now", f"{step or '':>2}"),
            ]
            blank: list[terminal_cells.Line] = [[]] * (high - 3)
            lines = [self._ground(square, wide), self._shops(square), *blank, stands]
        click = terminal_cells.clicked(f"at{square}")
        lit = "class:at" if square == self._chosen else ""
        return [
            [
                (f"{style} {lit} {click}".strip(), text)
                for style, text in terminal_cells.fit_line(line, wide)
            ]
            for line in lines
        ]

    def _ground(self, square: int, room: int) -> terminal_cells.Line:
        """Return the letter of an area, or the sign of a tile."""
        board = self._game.board
        if square in board.wholesalers:
            good = board.goods[board.wholesalers.index(square)]
            if self._size.height > 1:
                return [("class:paper", terminal_cells.cut(shown(good), room))]
            return [("class:paper", _sign(good, room).capitalize())]
        if square in board.destinations:
            guest = board.guests[board.destinations.index(square)]
            if self._size.height > 1:
                return [("class:seal", terminal_cells.cut(shown(guest).upper(), room))]
            return [("class:seal", _sign(guest, room))]
        for number, (area, ground) in enumerate(zip(board.areas, board.grounds, strict=True)):
            if ground >> square & 1:
                return [(area_style(number), area_letter(board, area))]
        return []

    def _shops(self, square: int) -> terminal_cells.Line:
        line: terminal_cells.Line = []
        for seat in self._game.seats:
            count = self._game.players[seat].shops.count(square)
            if count:
                text = self._marks[seat] + (str(count) if count > 1 else "")
                line.append((seat_style(seat), text))
        return line

    def _people(self, square: int) -> str:
        return ways.signs(self._scene, square) + "".join(
            person(seat, self._scene.seat, self._marks[seat])
            for seat in self._game.seats
            if self._game.players[seat].person == square
        )


def _numbered(edge: terminal_cells.Fragment, row: int, *, lit: bool) -> terminal_cells.Fragment:
    """Return the left edge of ``row`` with its number, if the number is one cell wide.

    A bracket of the way or of the chosen square stays.
    """
    if edge[0] != "class:faint" or row >= 10:
        return edge
    return "class:now" if lit else "class:faint", str(row)


def person(seat: Seat, own: Seat, mark: str) -> str:
    """Return the sign of a person. mark: of the seat's shops."""
    return OWN if seat == own else mark.lower()


def seat_style(seat: Seat) -> str:
    """Return the style of a seat's shops and person."""
    return f"class:seat{seat}"


def area_style(number: int) -> str:
    """Return the style of the area ``number`` of a board, from 0."""
    return f"class:area{number % _TINTS}"


def _sign(name: str, room: int) -> str:
    sign = phrases.sign(name)
    while terminal_cells.width(sign) > room:
        sign = sign[:-1]
    return sign


def _ending(line: terminal_cells.Line, room: int) -> terminal_cells.Line:
    """Return the fragments of ``line`` that fit, the last first: shops before the area."""
    kept: terminal_cells.Line = []
    for style, text in reversed(line):
        if terminal_cells.width(text) > room:
            break
        room -= terminal_cells.width(text)
        kept.insert(0, (style, text))
    return kept
