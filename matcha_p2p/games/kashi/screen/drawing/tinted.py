"""The board in colours: each area has two tones for squares, and squares have no lines."""

from typing import Final

from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.cells import Fragment, Line
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.screen import phrases
from matcha_p2p.games.kashi.screen.drawing import ways
from matcha_p2p.games.kashi.screen.drawing.board import (
    PERSON,
    Size,
    area_style,
    seat_style,
)
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.words.names import area_letter, tile_name

_PICTURES: Final = {"temple": "▟▛▜▙", "theatre": "▛▞▚▜", "harbour": "▗▟▙▖"}
"""The guests of the shipped board. No quadrant has an ambiguous width."""

_ROOFS: Final = {1: "⌂", 2: "▟▙"}
"""The roof of a shop, by the number of cells."""


class TintedPainter:
    """Draws the board of ``scene`` during ``game``. A square has the room of its lines too."""

    def __init__(self, scene: Scene, game: GameState, skin: Skin, size: Size) -> None:
        self._scene: Final = scene
        self._game: Final = game
        self._icons: Final = phrases.signs(game.board, skin)
        self._wide: Final = size.width + 1
        self._high: Final = size.height + size.framed
        self._numbered: Final = size.framed or size.numbered
        self._lit: Final = dict(ways.lit(scene))
        self._chosen: Final = ways.chosen(scene)
        self._axes: Final = ways.axes(scene, game.board)
        self._marks: Final = phrases.marks(game.seats, scene.names)
        self._firsts: Final = {
            (ground & -ground).bit_length() - 1: area_letter(game.board, area)
            for area, ground in zip(game.board.areas, game.board.grounds, strict=True)
        }

    def lines(self) -> list[Line]:
        """Return the board, line by line; numbers stand above and at the left."""
        board = self._game.board
        columns = range(1, board.width)
        lines: list[Line] = []
        at_row, at_column = self._axes
        if self._numbered:
            lines.append([("class:faint", " ")])
            for each in columns:
                style = "class:now" if each == at_column else "class:faint"
                lines[0].append((style, f"{each:^{self._wide}}"))
        for row in range(1, len(board.grid) + 1):
            style = "class:now" if row == at_row else "class:faint"
            squares = [self._square(board.named(row, column)) for column in columns]
            for height in range(self._high):
                number = f"{row % 10}" if height == (self._high - 1) // 2 else " "
                parts = [part for square in squares for part in square[height]]
                lines.append([(style, number), *parts])
        return lines

    def _square(self, square: int | None) -> list[Line]:
        """Return a square, line by line."""
        if square is None:
            return [[("", " " * self._wide)]] * self._high
        right = self._people(square)
        taken = [terminal_cells.line_width(line) for line in right]
        tile = self._game.board.tiles >> square & 1
        room = self._wide - (taken[self._high // 2] if tile else max(taken))
        left = self._things(square, room, self._wide - taken[0] - 1)
        ground = f"{self._ground(square)} {terminal_cells.clicked(f'at{square}')}"
        lines: list[Line] = []
        for things, people in zip(left, right, strict=True):
            room = self._wide - terminal_cells.line_width(people)
            line = [*terminal_cells.fit_line(things, max(0, room)), *people]
            lines.append([(f"{ground} {style}".strip(), text) for style, text in line])
        return lines

    def _ground(self, square: int) -> str:
        board = self._game.board
        if square == self._chosen:
            return "class:at"
        if board.tiles >> square & 1:
            return "class:paper" if square in board.wholesalers else "class:seal"
        if square in self._lit:
            return "class:way"
        row, column = divmod(square, board.width)
        odd = " class:odd" if (row + column) % 2 else ""
        number = next(n for n, ground in enumerate(board.grounds) if ground >> square & 1)
        return f"{area_style(number)}{odd}"

    def _things(self, square: int, room: int, top: int) -> list[Line]:
        """Return a tile, or shops and the letter of an area, in ``room`` cells, by lines.

        top: the cells for the picture of a tile.
        """
        lines = [list[Fragment]() for _ in range(self._high)]
        middle = self._high // 2
        if self._game.board.tiles >> square & 1:
            style, sign, picture, name = self._tile(square, room, top)
            if self._high == 1:
                whole = f"{sign} {name}".lstrip()
                return [[("", whole if terminal_cells.width(whole) <= room else sign)]]
            style = "" if square == self._chosen else style
            lines[0].append((style, terminal_cells.centred(picture, top)))
            lines[middle].append(("", terminal_cells.centred(name, room)))
            return lines
        roofs, bodies = self._shops(square, room)
        lines[middle] += bodies
        if self._high > 1:
            lines[middle - 1] += roofs
        if not lines[0] and square in self._firsts:
            lines[0].append(("", self._firsts[square]))
        return lines

    def _tile(self, square: int, room: int, top: int) -> tuple[str, str, str, str]:
        """Return the style, the sign (one cell or none), the picture and the name of a tile."""
        board = self._game.board
        name = tile_name(board, square)
        if square in board.wholesalers:
            place = board.wholesalers.index(square)
            style, sign = self._icons[place]
            picture = sign * min(3, top)
        else:
            guest = board.guests[board.destinations.index(square)]
            picture = _PICTURES.get(guest, "")
            style, sign, picture = "", "", picture if len(picture) <= top else ""
        if terminal_cells.width(name) + 2 * (self._high == 1) > room:
            name = phrases.sign(name)
        return style, sign, picture, name

    def _shops(self, square: int, room: int) -> tuple[Line, Line]:
        """Return the roofs of all shops of a square, and below them whose and how many."""
        players, roofs, bodies = self._game.players, list[Fragment](), list[Fragment]()
        counts = {seat: players[seat].shops.count(square) for seat in self._game.seats}
        owners = [seat for seat, count in counts.items() if count]
        cells = 2 if 2 * len(owners) <= room else 1
        for seat in owners:
            count = str(counts[seat]) if counts[seat] > 1 else " " if self._high > 1 else ""
            text = (self._marks[seat] + count)[:cells]
            style = f"class:roof{seat}"
            if square == self._chosen or square in self._lit:  # the letter below tells whose
                style = "" if len(owners) <= room else seat_style(seat)
            roofs.append((style, _ROOFS[len(text)]))
            bodies.append((seat_style(seat), text))
        return roofs, bodies

    def _people(self, square: int) -> list[Line]:
        """Return who stands on a square, from below, and the step of a way, a cell apart."""
        lines: list[Line] = [[] for _ in range(self._high)]
        here = [s for s in self._game.seats if self._game.players[s].person == square]
        for place, seat in enumerate(here):
            mark = self._marks[seat] if len(here) <= self._high else ""
            lines[-1 - place % self._high].append((seat_style(seat), f"{PERSON}{mark}"))
        step = f"{ways.signs(self._scene, square)}{self._lit.get(square) or ''}"
        if step:
            apart = list[Fragment]() if lines[0] else [("", " ")]
            lines[0] = [("class:call", step), *lines[0], *apart]
        return lines
