"""The table: the other seats, and what lies between them."""

import re
from math import ceil
from typing import Final

from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import PLAIN, Skin
from matcha_p2p.games.tichu.rules import cards as card_rules
from matcha_p2p.games.tichu.rules.combinations import combination
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, seat_after
from matcha_p2p.games.tichu.screen.drawing import cards as card_drawing
from matcha_p2p.games.tichu.screen.drawing.cards import Size
from matcha_p2p.games.tichu.screen.drawing.pixels import large
from matcha_p2p.games.tichu.screen.keys import GIFT
from matcha_p2p.games.tichu.screen.scene import (
    GiftChoice,
    Scene,
    Slide,
    gone_faces,
    order_of,
)
from matcha_p2p.games.tichu.table.steps import Tichu
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.games.tichu.words.card_words import (
    KINDS,
    ONE,
    laid_text,
    rank_text,
    shape_words,
)
from matcha_p2p.seats import Seat

GIVEN_TO: Final = (3, 2, 1)
"""How many seats further the seats sit that get the gifts, as they are chosen."""

_TOWARDS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The way to the own seat, the next seat, the partner and the seat before: across, and down."""
LABEL: Final = 10  # cells of the words before a line
_GLUE: Final = "\N{NO-BREAK SPACE}"
_COUNTED: Final = (10, 11, 12, 13, 14)
_FEW: Final = 2  # cards of a seat that is nearly out
_BAR: Final = 12  # cells of the bar of a window that has just opened
_WOVEN: Final = 17  # least cells for the backs of a whole hand


def middle(line: terminal_cells.Line, cells: int) -> terminal_cells.Line:
    """Return ``line`` in the middle of exactly ``cells`` cells."""
    left = max(0, (cells - terminal_cells.line_width(line)) // 2)
    return terminal_cells.fit_line([("", " " * left), *line], cells)


def state_words(scene: Scene, game: Tichu, seat: Seat) -> str:
    """Return the last deed of a seat: out, passed, or laid."""
    if seat in game.round.out:
        return captions.OUT(place=game.round.out.index(seat) + 1)
    for by, laid in reversed(scene.trick):
        if by == seat:
            return captions.PASSED() if laid is None else laid_text(laid.cards, laid.wild)
    return ""


def _takes(scene: Scene, seat: Seat) -> bool:
    slide = scene.slide
    return slide is not None and slide.takes and slide.seat == seat


def may_bomb(scene: Scene, game: Tichu, seat: Seat) -> bool:
    """Tell whether the game waits for ``seat``, which may lay a bomb out of turn."""
    waits = not scene.acting and scene.watched is None and game.stage is None
    return waits and (seat, Ask.HOLD) in game.round.asked


def turn_of(game: Tichu) -> Seat | None:
    """Return the seat that is asked next, whoever may lay a bomb before; None at the end."""
    asked = game.round.asked
    last = game.round.last if asked else None  # no turn is left: the trick is over
    return next((seat for seat, ask in asked if ask is not Ask.HOLD), last)


def _state(scene: Scene, game: Tichu, seat: Seat, skin: Skin) -> terminal_cells.Line:
    """Return the last deed of a seat, its question, or the points of the trick it takes."""
    if _takes(scene, seat):
        return [("class:now", f"{card_rules.points(game.round.pile):+d}")]
    if may_bomb(scene, game, seat):
        return [("class:alarm", f" {captions.BOMB_ASKED()} ")]
    top = last_laid(scene)
    deeds = [laid for by, laid in scene.trick if by == seat and seat not in game.round.out]
    if deeds and deeds[-1] is not None:
        laid = deeds[-1]
        shown = tuple(card_rules.in_order(laid.cards, laid.wild))
        return [] if laid is top else card_drawing.faces_line(shown, skin)
    return [("", state_words(scene, game, seat))]


def name_line(scene: Scene, game: Tichu, seat: Seat) -> terminal_cells.Line:
    """Return the name and the call of a seat; a seat that is asked or takes a trick is lit."""
    name = scene.words.name_of(seat)
    if seat == seat_after(scene.seat, 2):
        name = captions.PARTNER(name=name)
    asked = game.stage is None and turn_of(game) == seat
    lit = asked or _takes(scene, seat)
    line: terminal_cells.Line = [
        ("class:now" if lit else "class:head", f"{'▸' if asked else ''}{name}")
    ]
    if game.round.calls[seat]:
        line.append(("", " "))
        line.append(("class:call", f" {captions.CALLED[game.round.calls[seat]]()} "))
    return line


def count_line(game: Tichu, seat: Seat, skin: Skin) -> terminal_cells.Line:
    """Return the backs of the cards of another seat, and how many there are."""
    count = len(game.round.held[seat])
    style = "class:now" if count <= _FEW else ""
    return [("class:back", skin.back * count), (style, f" {count}" if count else "")]


def side_block(
    scene: Scene, game: Tichu, seat: Seat, skin: Skin, cells: int
) -> list[terminal_cells.Line]:
    """Return the lines of ``seat_block``; a call too wide for ``cells`` has its own line.

    An earlier play that is too wide is not shown: it is beaten.
    """
    named, *rest = seat_block(scene, game, seat, skin)
    if terminal_cells.line_width(rest[1]) > cells:
        rest[1] = []
    if cells < _WOVEN:
        rest[0] = [("", captions.HAND(count=len(game.round.held[seat])))]
    if terminal_cells.line_width(named) <= cells or len(named) < 2:
        return [named, *rest]
    name, _, (style, call) = named
    called = (
        [call] if terminal_cells.width(call) <= cells else terminal_cells.wrapped(call, cells)
    )
    return [[name], *([(style, line)] for line in called), *rest]


def seat_block(scene: Scene, game: Tichu, seat: Seat, skin: Skin) -> list[terminal_cells.Line]:
    """Return what is known of another seat, in four lines; the first has name and call."""
    won = card_rules.points(game.round.won[seat])
    return [
        name_line(scene, game, seat),
        count_line(game, seat, skin),
        _state(scene, game, seat, skin),
        [("class:faint", captions.IN_TRICKS(points=won))] if game.laid else [],
    ]


def seat_line(scene: Scene, game: Tichu, seat: Seat) -> terminal_cells.Line:
    """Return what is known of another seat, in one line."""
    count = len(game.round.held[seat])
    counted = [("", f"  {count}")] if count else []
    state: terminal_cells.Line = [("", state_words(scene, game, seat))]
    if may_bomb(scene, game, seat):
        state = _state(scene, game, seat, PLAIN)
    return [*name_line(scene, game, seat), *counted, ("", "  "), *state]


def last_laid(scene: Scene) -> Laid | None:
    """Return what is to be beaten; None at a lead."""
    laid = [each for _, each in scene.trick if each is not None]
    return laid[-1] if laid else None


def heading(scene: Scene) -> str:
    """Return the last play, and the player of it."""
    laid = last_laid(scene)
    if laid is None:
        return captions.NOTHING_LIES() if scene.game is not None and scene.game.laid else ""
    return captions.LIES(
        play=shape_words(laid.cards, laid.wild), name=scene.words.name_of(laid.seat)
    )


def worth(scene: Scene, game: Tichu) -> str:
    """Return the points of the trick that lies."""
    return captions.POINTS_LIE(points=card_rules.points(game.round.pile)) if scene.trick else ""


def wish(game: Tichu) -> str:
    """Return the wish that stands, or ""."""
    return captions.WISH(card=ONE[game.round.wish]()) if game.round.wish else ""


def bomb_bar(scene: Scene, skin: Skin) -> terminal_cells.Line:
    """Return the time that is left for a bomb, the same for every hand; [] without a window."""
    if scene.window is None or not (scene.left or scene.ask is Ask.HOLD):
        return []
    signs = "▮▯" if skin.half_blocks else "#."
    full = min(_BAR, ceil(_BAR * scene.open_part))
    return [
        ("class:alarm", f" {captions.BOMB_ASKED()} "),
        ("class:now", f"  {signs[0] * full}"),
        ("class:faint", signs[1] * (_BAR - full)),
        ("class:head", f" {ceil(scene.left) or ' '}"),
    ]


def pile(
    scene: Scene, game: Tichu, skin: Skin, cells: int, size: Size
) -> list[terminal_cells.Line]:
    """Return the field, and on its lower edge the time for a bomb, if cards have colours."""
    lines = _field(scene, game, skin, cells, size)
    bar = [] if skin.framed else bomb_bar(scene, skin)
    if bar:
        lines[-1] = terminal_cells.on("lit", middle(bar, cells))
    return lines


def _field(
    scene: Scene, game: Tichu, skin: Skin, cells: int, size: Size
) -> list[terminal_cells.Line]:
    """Return the field: the heading, the cards, and the wish on the lower edge.

    A bomb lies on a field of its own colour.
    """
    if scene.moment is not None:
        return _moment(scene.moment, skin, cells, size)
    if scene.flown is not None:
        flying = _airy(_flying(scene.flown, skin, size, cells), size)
        return [
            terminal_cells.on("lit", terminal_cells.fit_line(line, cells)) for line in flying
        ]
    match scene.question:
        case GiftChoice() as giving:
            return _gifts(scene, giving, skin, cells, size)
        case _:
            pass
    laid, slide = last_laid(scene), scene.slide
    cards: list[terminal_cells.Line] = [[]] * size.height
    if laid is not None:
        shown = card_rules.in_order(laid.cards, laid.wild)
        closed = _goes(slide)
        cards = card_drawing.in_a_row(shown, skin, size, cells, closed=closed)
    elif scene.tricks:
        told = terminal_cells.wrapped(taken(scene), cells - 2)[: size.height - 1]
        cards = [[], *([("class:faint", line)] for line in told)]
        cards += [[]] * (size.height - len(cards))
    chip: terminal_cells.Line = [("class:call", f" {wish(game)} ")] if wish(game) else []
    lines = _airy([_heading(scene, game, cells), *cards, chip], size)
    if slide is not None and slide.gone:
        steps = (slide.seat - scene.seat) % len(SEATS)
        lines = _sliding(lines, cards, slide, steps, cells)
    bombs = laid is not None and combination(laid.cards, laid.wild, None).is_bomb
    ground = "alarm" if bombs and not _goes(slide) else "lit"
    below = "lit" if skin.framed else ground  # cards without a ground of their own
    return [
        terminal_cells.on(below if line in cards else ground, middle(line, cells))
        for line in lines
    ]


def _moment(
    moment: tuple[str, str, str], skin: Skin, cells: int, size: Size
) -> list[terminal_cells.Line]:
    """Return the field with a word in large letters, and what is told of it."""
    style, word, told = moment
    lines: list[terminal_cells.Line] = [[("", row)] for row in large(word, skin, cells)]
    lines += [[], *([("", row)] for row in terminal_cells.wrapped(told, cells - 2))]
    rows = len(_airy([[]] * (size.height + 2), size))
    lines = lines[:rows]
    above: list[terminal_cells.Line] = [[]] * ((rows - len(lines)) // 2)
    lines = [*above, *lines]
    lines += [[]] * (rows - len(lines))
    return [terminal_cells.on(style, middle(line, cells)) for line in lines]


def _airy(lines: list[terminal_cells.Line], size: Size) -> list[terminal_cells.Line]:
    """Return the lines of the field, with empty ones between where cards are high."""
    if size.height <= card_drawing.USUAL.height:
        return lines
    first, *cards, last = lines
    return [[], first, [], *cards, [], last]


def _heading(scene: Scene, game: Tichu, cells: int) -> terminal_cells.Line:
    """Return whose the play is and, where there is room, what the trick is worth."""
    text, lie = heading(scene), worth(scene, game)
    whole: terminal_cells.Line = [("class:head", text), ("class:faint", f"   {lie}")]
    if terminal_cells.line_width(whole) <= cells:
        return whole if lie else whole[:1]
    laid = last_laid(scene)
    if laid is not None and terminal_cells.width(text) > cells:  # the cards tell how high
        name = scene.words.name_of(laid.seat)
        kind = KINDS.get(combination(laid.cards, laid.wild, None).kind)
        short = captions.LIES(play=kind(), name=name) if kind else name
        text = short if terminal_cells.width(short) <= cells else name
    return [("class:head", terminal_cells.cut(text, cells))]


def wedge(scene: Scene, seat: Seat) -> str:
    """Return the sign at the side of ``seat`` if its play lies on the field."""
    laid = last_laid(scene)
    if laid is None or laid.seat != seat or _goes(scene.slide):
        return ""
    return "▾◂▴▸"[(seat - scene.seat) % 4]


def _goes(slide: Slide | None) -> bool:
    """Tell whether a trick is on its way to its taker."""
    return slide is not None and slide.takes and slide.gone > 0


def _sliding(
    lines: list[terminal_cells.Line],
    cards: list[terminal_cells.Line],
    slide: Slide,
    steps: int,
    cells: int,
) -> list[terminal_cells.Line]:
    """Return the field while its cards move, between the middle and the seat ``steps`` after.

    The field keeps its other lines while a play comes.
    """
    across, down = _TOWARDS[steps]
    first = (len(lines) - len(cards) + 1) // 2
    free = (cells - max(map(terminal_cells.line_width, cards))) // 2
    left = free + round(across * max(free, cells // 3) * slide.gone)
    top = first + round(down * (len(cards) + first) * slide.gone)
    moved = {at: _from_cell(line, left, cells) for at, line in enumerate(cards, top)}
    still = [[] if slide.takes or line in cards else line for line in lines]
    return [moved.get(at, line) for at, line in enumerate(still)]


def _from_cell(line: terminal_cells.Line, left: int, cells: int) -> terminal_cells.Line:
    """Return ``line`` from cell ``left`` of the field on, without what is beside the field."""
    shown, at = [("", " " * max(0, left))], left
    for style, text in line:
        kept = ""
        for sign in text:
            if at >= 0 and at + terminal_cells.width(sign) <= cells:
                kept += sign
            at += terminal_cells.width(sign)
        shown.append((style, kept))
    return terminal_cells.fit_line(shown, cells)


def _flying(gone: float, skin: Skin, size: Size, cells: int) -> list[terminal_cells.Line]:
    """Return the field while gifts fly face down: those given leave, then those got arrive."""
    lines: list[terminal_cells.Line] = [[] for _ in range(size.height + 2)]
    free = cells // 6 - size.width // 2
    for at, steps in enumerate(GIVEN_TO):
        across, down = _TOWARDS[steps]
        left = free + at * (cells // 3) + round(across * free * gone)
        top = 1 + round(down * (size.height + 1) * gone)
        for row, card in enumerate(card_drawing.back(skin, size), top):
            if row >= 0:
                pad = " " * (left - terminal_cells.line_width(lines[row]))
                lines[row] += [("", pad), *card]
    return lines


def _gifts(
    scene: Scene, giving: GiftChoice, skin: Skin, cells: int, size: Size
) -> list[terminal_cells.Line]:
    """Return the three places of the gifts, and who gets them; long names have more lines."""
    column = cells // 3
    heads = [
        _with_number(
            captions.GIFT_TO(name=scene.words.name_of(seat_after(scene.seat, steps))),
            column - 1,
        )
        for steps in GIVEN_TO
    ]
    high = max(map(len, heads))
    parts: list[list[terminal_cells.Line]] = []
    for at, head in enumerate(heads):
        held = giving.gifts[at]
        card = (
            card_drawing.place(size, "__")
            if held is None
            else card_drawing.block(scene.held[held], skin, size)
        )
        style = "class:now" if at == giving.at else "class:head"
        lines: list[terminal_cells.Line] = [
            *([(style, text)] for text in [*[""] * (high - len(head)), *head]),
            *card,
            [(style, "▴" if at == giving.at else "")],
        ]
        click = terminal_cells.clicked(f"{GIFT}{at}")
        parts.append([[(f"{s} {click}", t) for s, t in middle(line, column)] for line in lines])
    return [
        terminal_cells.on(
            "lit", terminal_cells.fit_line([piece for part in rows for piece in part], cells)
        )
        for rows in zip(*parts, strict=True)
    ]


def _with_number(text: str, cells: int) -> list[str]:
    """Return ``text`` in lines; the number of a bot stays beside the word before."""
    lines = terminal_cells.wrapped(re.sub(r" (?=\d)", _GLUE, text), cells)
    return [line.replace(_GLUE, " ") for line in lines]


def open_hand(
    scene: Scene, game: Tichu, seat: Seat, skin: Skin, cells: int
) -> terminal_cells.Line:
    """Return the cards that another seat still holds, if an onlooker sees them."""
    faces = [scene.hands[seat][place] for place in game.round.held[seat]]
    ordered = tuple(sorted(faces, key=order_of))
    line = card_drawing.faces_line(ordered, skin)
    if terminal_cells.line_width(line) > cells - LABEL:
        line = card_drawing.faces_line(ordered, PLAIN)
    return labelled(scene.words.name_of(seat), line, cells)


def trick_line(scene: Scene) -> terminal_cells.Line:
    """Return the plays and passes of the trick that lies, the last of them."""
    shown = [
        (scene.words.name_of(seat), "-" if laid is None else laid_text(laid.cards, laid.wild))
        for seat, laid in scene.trick[-4:]
    ]
    return [("", "  ".join(f"{name} {text}" for name, text in shown))]


def taken(scene: Scene) -> str:
    """Return the last trick that was taken, or ""."""
    if not scene.tricks:
        return ""
    last = scene.tricks[-1]
    name = scene.words.name_of(last.taker)
    return captions.TAKEN(name=name, points=last.points, play=last.play)


def unseen_line(scene: Scene, skin: Skin, cells: int) -> terminal_cells.Line:
    """Return the high cards with four fixed places each: where a mark stands, a card may come.

    The lowest ranks give way where ``cells`` do not suffice.
    """
    for first in range(len(_COUNTED)):
        line: terminal_cells.Line = []
        for number in _COUNTED[first:]:
            line += [("class:head", f"{rank_text(number)} "), *_of_rank(scene, skin, number)]
            line.append(("", "  "))
        line = [*line, *_specials(scene, skin)]
        if terminal_cells.line_width(line) <= cells:
            return line
    return []


def unseen_grid(scene: Scene, skin: Skin, cells: int) -> list[terminal_cells.Line]:
    """Return all cards that may still come: a line for each suit, a column for each rank.

    The lowest ranks give way where ``cells`` do not suffice.
    """
    wide = terminal_cells.width(card_drawing.suit_marks(skin)[0])
    columns = {
        number: wide + (2 if number == 10 else 1)
        for number in range(card_rules.LOWEST, card_rules.ACE + 1)
    }
    while sum(columns.values()) > cells:
        del columns[min(columns)]
    head = "".join(f"{rank_text(number):>{room}}" for number, room in columns.items())
    lines: list[terminal_cells.Line] = [[("class:faint", head)]]
    for suit in range(4):
        line: terminal_cells.Line = []
        for number, room in columns.items():
            style, mark = _of_rank(scene, skin, number)[suit]
            line.append((style, " " * (room - terminal_cells.width(mark)) + mark))
        lines.append(line)
    return [*lines, [("", " "), *_specials(scene, skin)]]


def _of_rank(scene: Scene, skin: Skin, number: int) -> terminal_cells.Line:
    """Return the mark of each suit in which a card of the rank may come, or a dot."""
    seen = gone_faces(scene) | set(scene.held.values())
    line: terminal_cells.Line = []
    for suit, mark in enumerate(card_drawing.suit_marks(skin)):
        face = 13 * suit + number - card_rules.LOWEST
        gone = face in seen
        dot = "." + " " * (terminal_cells.width(mark) - 1)
        line.append(("class:faint", dot) if gone else (card_drawing.style_of(face), mark))
    return line


def _specials(scene: Scene, skin: Skin) -> terminal_cells.Line:
    """Return the Dragon, the Phoenix and the Dog, or dots in their places."""
    seen = gone_faces(scene) | set(scene.held.values())
    line: terminal_cells.Line = []
    for face in (card_rules.DRAGON, card_rules.PHOENIX, card_rules.DOG):
        text = card_drawing.label(face, skin)
        style = card_drawing.style_of(face)
        gone = ("class:faint", "." * terminal_cells.width(text))
        line += [gone if face in seen else (style, text), ("", "  ")]
    return line[:-1]


def labelled(label: str, line: terminal_cells.Line, cells: int) -> terminal_cells.Line:
    """Return a line after its label."""
    return terminal_cells.fit_line(
        [("class:head", terminal_cells.fit(f" {label}", LABEL)), *line], cells
    )
