"""Beside the board: the open orders, the players, and the areas."""

from typing import Final

from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.kashi.rules.actions import MOST_GOODS
from matcha_p2p.games.kashi.rules.orders import OrderCard, missing
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.rules.ways import Map
from matcha_p2p.games.kashi.screen import captions, phrases
from matcha_p2p.games.kashi.screen.drawing.board import PERSON, area_style, person, seat_style
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.words.names import area_letter, shown
from matcha_p2p.seats import Seat

_WIDE: Final = 40
"""The least cells of a pane with all columns; a column beside a small board has fewer."""

_SPELT: Final = 50
"""The least cells of a pane with the goods of an order by name."""

_LEAST_NAME: Final = 6

_NARROW: Final = 23
"""The cells of a column beside a small board in the narrowest terminal."""

_NARROW_SHOPS: Final = 4
"""The cells of the shops of a player in a narrow column."""

_BONUS: Final = 8
"""The cells of a bonus in a narrow column."""

_BESIDE: Final = 5
"""Areas in a row, if their values have room."""


def orders(scene: Scene, game: GameState, cells: int, skin: Skin) -> list[terminal_cells.Line]:
    """Return the open orders, each with the key that marks it."""
    far = _distances(scene, game)
    head = _order_line(
        ("", captions.ORDERS() if cells >= _WIDE else ""),
        [("", captions.NEEDS())],
        captions.POINTS(),
        captions.BONUS(),
        (captions.FAR() if far else "", cells),
    )
    if cells < _WIDE:
        head = [("", _narrow_head(captions.NEEDS(), captions.POINTS(), captions.BONUS()))]
    lines: list[terminal_cells.Line] = [[("class:head", text) for _, text in head]]
    for place, number in enumerate(game.row, start=1):
        order = game.board.order(number)
        name = game.board.guests[order.guest]
        guest = shown(name) if cells >= _WIDE else phrases.sign(name)
        style, mark = _order_mark(scene, game, order)
        bonus = phrases.tight_bonus(game.board, order.bonus, _BONUS)
        if cells >= _WIDE:
            bonus = phrases.short_bonus(game.board, order.bonus)
        line = _order_line(
            (style, f"{mark}{place} {guest}"),
            _needs(scene, game, order, cells, skin),
            str(order.points),
            bonus,
            (str(far[number]) if far else "", cells),
        )
        click = terminal_cells.clicked(str(place))
        lines.append([(f"{style} {click}", text) for style, text in line])
    return lines


def _order_line(
    guest: tuple[str, str],
    needs: terminal_cells.Line,
    points: str,
    bonus: str,
    far: tuple[str, int],
) -> terminal_cells.Line:
    """Return a line of an order. far: the way in action points, and the cells of the line."""
    way, cells = far
    wide, spelt = cells >= _WIDE, cells >= _SPELT
    style, text = guest
    for_needs = 23 if spelt else 9 if wide else 4
    line: terminal_cells.Line = [(style, terminal_cells.fit(text, 10 if wide else 6) + " ")]
    line += [*terminal_cells.fit_line(needs, for_needs), ("", f"{right(points, 3)} ")]
    if not wide:
        return [*line, ("", terminal_cells.fit(bonus, _BONUS))]
    room = cells - terminal_cells.line_width(line) - (3 if way else 0)
    line.append(("", terminal_cells.fit(bonus, room)))
    return [*line, ("class:faint", right(way, 3))] if way else line


def _narrow_head(*heads: str) -> str:
    """Return the heads above goods, points and bonuses in a narrow column."""
    needs, points, bonus = heads
    return f"{right(f'{needs} {points}', 14)} {terminal_cells.fit(bonus, _BONUS)}"


def _order_mark(scene: Scene, game: GameState, order: OrderCard) -> tuple[str, str]:
    """Return the style of an order, and its sign: marked, or ready to be delivered."""
    match scene.question:
        case Listing(options=ready) if order.number in [each.gives for each in ready]:
            return "class:now", "!"
        case _:
            pass
    if order.number == scene.marked:
        return "class:at", ">"
    return ("class:now", "+") if not any(_lacks(scene, game, order)) else ("", " ")


def _lacks(scene: Scene, game: GameState, order: OrderCard) -> tuple[int, ...]:
    return missing(order.goods, game.players[scene.seat].goods)


def _needs(
    scene: Scene, game: GameState, order: OrderCard, cells: int, skin: Skin
) -> terminal_cells.Line:
    """Return the goods of an order: letters stand out if we lack them, pictures if not."""
    line: terminal_cells.Line = []
    spelt = cells >= _SPELT
    goods = zip(game.board.goods, phrases.signs(game.board, skin), strict=True)
    lacks = _lacks(scene, game, order)
    for (name, (style, sign)), needed, lacking in zip(goods, order.goods, lacks, strict=True):
        plain = spelt or not style
        lacked, held = (
            ("class:now", "class:faint") if plain else (style, f"class:paper {style}")
        )
        for each in [lacked] * lacking + [held] * (needed - lacking):
            line += [(each, shown(name) if spelt else sign), ("", " " * (cells >= _WIDE))]
    return line


def _distances(scene: Scene, game: GameState) -> dict[int, int]:
    """Return the action points to each open order during our turn, in practice."""
    if scene.draft is None or not scene.coached:
        return {}
    return {path.order: path.ap for path in Map(game, scene.seat).ways()}


def players(scene: Scene, game: GameState, cells: int, skin: Skin) -> list[terminal_cells.Line]:
    """Return the players under a heading, ourselves first."""
    words = [captions.POINTS, captions.GOLD, captions.GOODS, captions.SHOPS, captions.DONE]
    points, gold, goods, shops, done = (each() for each in words)
    wide = cells >= _WIDE
    heads = (points, gold, [("", goods)], shops, done)
    head = _player_line([("", captions.PLAYER())], heads, cells)
    if not wide:
        gold = right(gold, max(4, terminal_cells.width(gold)))
        first = f"{points} {gold}"
        first = right(first, max(10, min(11, terminal_cells.width(first))))
        head = [("", f"{first} {terminal_cells.fit(goods, 6)}")]
        head.append(("", right(shops, _NARROW - terminal_cells.line_width(head))))
    lines: list[terminal_cells.Line] = [[("class:head", text) for _, text in head]]
    marks = phrases.marks(game.seats, scene.names)
    for seat in game.around(scene.seat):
        own = game.players[seat]
        name = scene.called(seat) if scene.names else ""
        turn = ("class:now", ">") if game.due == seat else ("", " ")
        signs = f"{PERSON}{marks[seat]}"
        if skin.framed:
            signs = f"{marks[seat]}{person(seat, scene.seat, marks[seat])}"
        who: terminal_cells.Line = [turn, (seat_style(seat), signs)]
        held = phrases.spelt(game.board, own.goods, skin)
        if not skin.framed:
            held = [(f"class:paper {style}", sign) for style, sign in held]
        left = f"{len(own.shops)}/{own.hand}"
        held = held or [("", captions.NO_GOODS)]
        numbers = (str(own.points), str(own.gold), held, left, str(len(own.orders)))
        if wide:
            lines.append(_player_line([*who, ("", f" {name}")], numbers, cells))
        else:
            lines.append(_narrow_player(who, numbers))
    return lines


def _player_line(
    who: terminal_cells.Line,
    columns: tuple[str, str, terminal_cells.Line, str, str],
    cells: int,
) -> terminal_cells.Line:
    points, gold, goods, shops, done = columns
    before = f" {right(points, 3)} {right(gold, 5)} "
    after = f" {terminal_cells.fit(shops, 5)} {terminal_cells.fit(done, 4)}"
    room = max(_LEAST_NAME, cells - terminal_cells.width(before + after) - MOST_GOODS)
    held = terminal_cells.fit_line(goods, MOST_GOODS)
    return [*terminal_cells.fit_line(who, room), ("", before), *held, ("", after)]


def _narrow_player(
    who: terminal_cells.Line, columns: tuple[str, str, terminal_cells.Line, str, str]
) -> terminal_cells.Line:
    """Return a line of a player without the name and the orders; of shops, as many as fit."""
    points, gold, goods, shops, _ = columns
    held = terminal_cells.fit_line(goods, MOST_GOODS)
    if len(shops) > _NARROW_SHOPS:
        shops, _, _ = shops.partition("/")
    numbers = f"{right(points, 3)}{right(gold, 4)} "
    return [*who, ("", numbers), *held, ("", right(shops, _NARROW_SHOPS))]


def areas(scene: Scene, game: GameState, cells: int) -> list[terminal_cells.Line]:
    """Return the areas side by side: the values, and below who has how many shops there.

    The rows are as many with shops as without.
    """
    board = game.board
    values = ["-".join(map(str, area.values)) for area in board.areas]
    least = 2 + max(map(len, values))
    side = max(cells // _BESIDE, least)
    gap = " " * (side > least)
    tops: list[terminal_cells.Line] = [
        [(area_style(number), area_letter(board, area)), ("", f"{gap}{told}")]
        for number, (area, told) in enumerate(zip(board.areas, values, strict=True))
    ]
    lines: list[terminal_cells.Line] = [[("class:head", captions.AREAS())]]
    beside = max(1, cells // side)
    for begin in range(0, len(tops), beside):
        band = slice(begin, begin + beside)
        shops = (_shops(scene, game, ground, side) for ground in board.grounds[band])
        lines += [
            [part for each in row for part in terminal_cells.fit_line(each, side)]
            for row in (tops[band], shops)
        ]
    return lines


def _shops(scene: Scene, game: GameState, ground: int, side: int) -> terminal_cells.Line:
    """Return who has how many shops on ``ground``, in less than ``side`` cells if possible."""
    marks = phrases.marks(game.seats, scene.names)
    line: terminal_cells.Line = []
    for gap in (" ", ""):
        line = list[terminal_cells.Fragment]()
        for seat in _by_shops(game, ground):
            count = _count(game, seat, ground)
            number = str(count) if count > 1 or gap else ""
            line += [("", gap if line else ""), (seat_style(seat), marks[seat]), ("", number)]
        if terminal_cells.line_width(line) < side:
            break
    return line


def right(text: str, cells: int) -> str:
    """Return ``text`` at the right of exactly ``cells`` cells, cut if too wide."""
    short = terminal_cells.cut(text, cells)
    return " " * (cells - terminal_cells.width(short)) + short


def _by_shops(game: GameState, ground: int) -> list[Seat]:
    """Return the seats with shops on ``ground``, most shops first."""
    there = [seat for seat in game.seats if _count(game, seat, ground)]
    return sorted(there, key=lambda seat: -_count(game, seat, ground))


def _count(game: GameState, seat: Seat, ground: int) -> int:
    return sum(ground >> square & 1 for square in game.players[seat].shops)
