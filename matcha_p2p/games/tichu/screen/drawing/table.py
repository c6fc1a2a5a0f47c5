"""The table: the other seats, and what lies between them."""

import re
from typing import Final

from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import PLAIN, Skin
from matcha_p2p.games.tichu.rules.cards import ACE, NUMBERS, in_order, points
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.round import seat_after
from matcha_p2p.games.tichu.screen.drawing import cards as card_drawing
from matcha_p2p.games.tichu.screen.keys import GIFT
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Scene, Slide, gone_faces, order_of
from matcha_p2p.games.tichu.steps import Tichu
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.games.tichu.words.card_words import ONE, laid_text, shape_words
from matcha_p2p.seats import Seat

GIVEN_TO: Final = (3, 2, 1)
"""How many seats further the seats sit that get the gifts, as they are chosen."""

_TOWARDS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The way to the own seat, the next seat, the partner and the seat before: across, and down."""
_RANKS: Final = "23456789TJQKA"
_LABEL: Final = 10  # cells of the words before a line
_GLUE: Final = "\N{NO-BREAK SPACE}"
_COUNTED: Final = (14, 13, 12, 11, 10)


def middle(line: terminal_cells.Line, cells: int) -> terminal_cells.Line:
    """Return ``line`` in the middle of exactly ``cells`` cells."""
    left = max(0, (cells - terminal_cells.line_width(line)) // 2)
    return terminal_cells.fit_line([("", " " * left), *line], cells)


def state_words(scene: Scene, game: Tichu, seat: Seat) -> str:
    """Return what a seat has done last: it is out, has passed, or has laid something."""
    if seat in game.round.out:
        return captions.OUT(place=game.round.out.index(seat) + 1)
    for by, laid in reversed(scene.trick):
        if by == seat:
            return captions.PASSED() if laid is None else laid_text(laid.cards, laid.wild)
    return ""


def name_line(scene: Scene, game: Tichu, seat: Seat) -> terminal_cells.Line:
    """Return the name and the call of another seat; the seat that is asked is lit."""
    name = scene.words.name_of(seat)
    if seat == seat_after(scene.seat, 2):
        name = captions.PARTNER(name=name)
    asked = game.stage is None and game.round.speaker == seat
    line: terminal_cells.Line = [
        ("class:now" if asked else "class:head", f"{'>' if asked else ''}{name}")
    ]
    if game.round.calls[seat]:
        line.append(("class:now", f"  {captions.CALLED[game.round.calls[seat]]()}"))
    return line


def count_line(game: Tichu, seat: Seat, skin: Skin) -> terminal_cells.Line:
    """Return the backs of the cards of another seat, and how many there are."""
    count = len(game.round.held[seat])
    return [("class:back", skin.back * count), ("", f" {count}" if count else "")]


def side_block(
    scene: Scene, game: Tichu, seat: Seat, skin: Skin, cells: int
) -> list[terminal_cells.Line]:
    """Return the lines of ``seat_block``; a call too wide for ``cells`` has its own line."""
    named, *rest = seat_block(scene, game, seat, skin)
    if terminal_cells.line_width(named) <= cells or len(named) < 2:
        return [named, *rest]
    name, (style, call) = named
    return [[name], [(style, call.strip())], *rest]


def seat_block(scene: Scene, game: Tichu, seat: Seat, skin: Skin) -> list[terminal_cells.Line]:
    """Return what is known of another seat, in four lines; the first has name and call."""
    won = points(game.round.won[seat])
    return [
        name_line(scene, game, seat),
        count_line(game, seat, skin),
        [("", state_words(scene, game, seat))],
        [("class:faint", captions.IN_TRICKS(points=won))] if game.laid else [],
    ]


def seat_line(scene: Scene, game: Tichu, seat: Seat) -> terminal_cells.Line:
    """Return what is known of another seat, in one line."""
    count = len(game.round.held[seat])
    counted = [("", f"  {count}")] if count else []
    state = ("", f"  {state_words(scene, game, seat)}")
    return [*name_line(scene, game, seat), *counted, state]


def last_laid(scene: Scene) -> Laid | None:
    """Return what is to be beaten; None at a lead."""
    laid = [each for _, each in scene.trick if each is not None]
    return laid[-1] if laid else None


def heading(scene: Scene) -> str:
    """Return the name of the last play, and of its player."""
    laid = last_laid(scene)
    if laid is None:
        return captions.NOTHING_LIES() if scene.game is not None and scene.game.laid else ""
    return captions.LIES(
        play=shape_words(laid.cards, laid.wild), name=scene.words.name_of(laid.seat)
    )


def worth(game: Tichu) -> str:
    """Return the points of the trick that lies, and the wish."""
    told: list[str] = []
    lie = points(game.round.pile)
    if lie:
        told.append(captions.POINTS_LIE(points=lie))
    if game.round.wish:
        told.append(captions.WISH(card=ONE[game.round.wish]()))
    return "   ".join(told)


def pile(
    scene: Scene, game: Tichu, skin: Skin, size: tuple[int, int]
) -> list[terminal_cells.Line]:
    """Return the middle of the table: the heading, the cards, their points, the wish.

    size: the cells, and the height of cards.
    """
    cells, height = size
    match scene.question:
        case GiftChoice() as giving:
            return _gifts(scene, giving, skin, size)
        case _:
            pass
    laid = last_laid(scene)
    cards: list[terminal_cells.Line] = [[]] * height
    if laid is not None:
        shown = tuple(in_order(laid.cards, laid.wild))
        if len(shown) * (card_drawing.WIDTH + 1) <= cells:
            closed = scene.arriving or scene.slide is not None
            cards = card_drawing.side_by_side(
                [
                    card_drawing.back(skin, height)
                    if closed
                    else card_drawing.block(face, skin, height)
                    for face in shown
                ]
            )
        else:
            half = (len(shown) + 1) // 2
            rows = [
                card_drawing.faces_line(shown[:half], skin),
                card_drawing.faces_line(shown[half:], skin),
            ]
            cards = [*rows, *[[]] * (height - 2)]
    if scene.slide is not None:
        return _sliding(scene, scene.slide, cards, cells)
    text = heading(scene)
    if laid is not None and terminal_cells.width(text) > cells:
        text = shape_words(laid.cards, laid.wild)  # its player's place shows the play too
    lines: list[terminal_cells.Line] = [
        [("class:head", terminal_cells.cut(text, cells))],
        *cards,
    ]
    return [middle(line, cells) for line in (*lines, [("class:now", worth(game))])]


def _sliding(
    scene: Scene, slide: Slide, cards: list[terminal_cells.Line], cells: int
) -> list[terminal_cells.Line]:
    """Return the middle of the table while the cards of a trick move to the taker."""
    across, down = _TOWARDS[(slide.taker - scene.seat) % len(_TOWARDS)]
    free = (cells - max(map(terminal_cells.line_width, cards))) // 2
    left = free + round(across * free * slide.gone)
    top = 1 + round(down * (len(cards) + 1) * slide.gone)
    rows = {at: [("", " " * left), *line] for at, line in enumerate(cards, top)}
    return [terminal_cells.fit_line(rows.get(at, []), cells) for at in range(len(cards) + 2)]


def _gifts(
    scene: Scene, giving: GiftChoice, skin: Skin, size: tuple[int, int]
) -> list[terminal_cells.Line]:
    """Return the three places of the gifts, and who gets them; long names have more lines."""
    cells, height = size
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
            card_drawing.place(height, "__")
            if held is None
            else card_drawing.block(scene.held[held], skin, height)
        )
        style = "class:now" if at == giving.at else "class:head"
        lines: list[terminal_cells.Line] = [
            *([(style, text)] for text in [*[""] * (high - len(head)), *head]),
            *card,
            [(style, "^" if at == giving.at else "")],
        ]
        click = terminal_cells.clicked(f"{GIFT}{at}")
        parts.append([[(f"{s} {click}", t) for s, t in middle(line, column)] for line in lines])
    return [
        terminal_cells.fit_line([piece for part in rows for piece in part], cells)
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
    if terminal_cells.line_width(line) > cells - _LABEL:
        line = card_drawing.faces_line(ordered, PLAIN)
    return labelled(scene.words.name_of(seat), line, cells)


def trick_line(scene: Scene) -> terminal_cells.Line:
    """Return the plays and passes of the trick that lies, the last of them."""
    shown = [
        (scene.words.name_of(seat), "-" if laid is None else laid_text(laid.cards, laid.wild))
        for seat, laid in scene.trick[-4:]
    ]
    return [("", "  ".join(f"{name} {text}" for name, text in shown))]


def before_line(scene: Scene) -> terminal_cells.Line:
    """Return the trick before the one that lies."""
    if not scene.tricks:
        return []
    last = scene.tricks[-1]
    name = scene.words.name_of(last.taker)
    return [("class:faint", captions.TAKEN(name=name, points=last.points, play=last.play))]


def unseen_words(scene: Scene, skin: Skin) -> list[str]:
    """Return the high cards that are neither laid nor in the own hand, a mark for each."""
    seen = gone_faces(scene) | set(scene.held.values())
    mark = "." if skin.icons == "ascii" else "○"
    told: list[str] = []
    for number in _COUNTED:
        left = sum(NUMBERS[face] == number and face not in seen for face in range(52))
        told.append(f"{_RANKS[number - ACE - 1]} {mark * left}" if left else "")
    special = [card_drawing.label(face, skin) for face in (55, 54, 53, 52) if face not in seen]
    told += [f"{card} {mark}" for card in special]
    return [each for each in told if each]


def labelled(label: str, line: terminal_cells.Line, cells: int) -> terminal_cells.Line:
    """Return a line after its label."""
    return terminal_cells.fit_line(
        [("class:head", terminal_cells.fit(f" {label}", _LABEL)), *line], cells
    )
