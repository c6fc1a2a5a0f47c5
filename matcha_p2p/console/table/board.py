"""The table as it lies between the two: three pairs of mats, cards, tokens, and the own hand.

Every function returns lines; those of the table all have the width of the table.
"""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.console.table.scene import (
    PASSING,
    Aiming,
    Picking,
    Question,
    Ready,
    Scene,
    Sorting,
    Waiting,
)
from matcha_p2p.console.terminal.cells import Line, centred, clicked, cut, fit, fit_line, width
from matcha_p2p.console.terminal.skins import Skin, style_of
from matcha_p2p.narration import captions
from matcha_p2p.rules.cards import DEMANDS, SUITS, Demand, Face, Token
from matcha_p2p.rules.game import Game, is_out
from matcha_p2p.rules.history import Resolution, Round, slot_at
from matcha_p2p.rules.moves import Play, Seat
from matcha_p2p.rules.notation import MATS
from matcha_p2p.rules.phases import Placing

SKIPPING: Final = "p"
"""Chooses the button after the hand, in every language."""

_NUMBER_LOOP: Final = "4>3>2>1>4"
_NAME_CELLS: Final = 12
_LEADS_CELLS: Final = 7
_OUT_CELLS: Final = 4
_GAP: Final = ("", "  ")
_MARGIN: Final = ("", " ")
_NOTHING: Final = ("", "")


@dataclass(frozen=True, slots=True)
class Size:
    """How large things are drawn, in cells.

    mat: the width of a mat, and of a card of the hand with its margin. card: the height of a
    card, 1 (no frame), 3 or 5.
    """

    mat: int
    card: int

    @property
    def table(self) -> int:
        """Return the width of the table: a margin, six mats, and two gaps between pairs."""
        return 1 + 6 * self.mat + 4


def player_line(scene: Scene, game: Game, seat: Seat, skin: Skin) -> Line:
    """Return whose side it is, who leads, who is out, the tokens, and the cards in hand."""
    to_move = game.phase == Placing(seat)
    out = bool(game.rounds) and is_out(game.edition, game.rounds[-1].turns, seat)
    style = "class:now" if to_move else ""
    line: Line = [
        (style, (">" if to_move else " ") + fit(scene.called(seat), _NAME_CELLS)),
        ("", fit(captions.LEADS() if seat == game.dealer else "", _LEADS_CELLS)),
        ("", fit(captions.OUT() if out else "", _OUT_CELLS)),
    ]
    for token_style, text in skin.tokens(game.tokens[seat]):
        line += [(token_style, text), _MARGIN]
    return [*line, ("", " ".join(skin.back * len(game.hands[seat])))]


def loops_line(game: Game, skin: Skin) -> Line:
    """Return what beats what, and what wins."""
    suits = ">".join(skin.token(suit).strip()[-1] for suit in (*SUITS, SUITS[0]))
    edition = game.edition
    if edition.suits_alike == edition.whisks_alike:
        wins = captions.WINS_SAME(count=edition.suits_alike)
    else:
        wins = captions.WINS(suits=edition.suits_alike, whisks=edition.whisks_alike)
    gap = "  " if width(suits) == len(suits) else " "  # kanji take the room
    return [("", f" {suits}{gap}{_NUMBER_LOOP}{gap}{wins}")]


def rounds_line(game: Game, size: Size) -> Line:
    """Return the heads of the three pairs."""
    line: Line = [_MARGIN]
    for number in (1, 2, 3):
        now = _is_now(game, number)
        text = (captions.ROUND_NOW if now else captions.ROUND)(number=number)
        line += [("class:now" if now else "", centred(text, 2 * size.mat)), _GAP]
    return fit_line(line, size.table)


def mats_line(game: Game, size: Size) -> Line:
    """Return the letter of each mat and what it asks for."""
    asks = {Demand.NUMBER: captions.NUMBER, Demand.SUIT: captions.SUIT}
    cells: Line = [
        (
            "class:now" if _is_now(game, mat // 2 + 1) else "",
            cut(asks[DEMANDS[mat]](mat=MATS[mat]), size.mat),
        )
        for mat in range(6)
    ]
    return _six(cells, size)


def mat_lines(scene: Scene, game: Game, skin: Skin, size: Size) -> list[Line]:
    """Return the six cards of the table."""
    aimed = _aimed(scene.question)
    stacks = [
        _clickable(
            MATS[mat], _card(game.table[mat], skin, size, "class:at" if mat == aimed else "")
        )
        for mat in range(6)
    ]
    return [_six([stack[row] for stack in stacks], size) for row in range(size.card)]


def cards_line(scene: Scene, game: Game, seat: Seat, skin: Skin, size: Size) -> Line:
    """Return what ``seat`` has laid on each mat, and what it took there."""
    return _six([_laid(scene, game, seat, mat, skin) for mat in range(6)], size)


def other_hand_line(scene: Scene, game: Game, skin: Skin, size: Size) -> Line:
    """Return the cards that the other player holds, where they may be seen."""
    held = game.hands[1 - scene.seat]
    cells: Line = [
        (style_of(face.suit), skin.card(face)) if slot in held else _NOTHING
        for slot, face in enumerate(scene.theirs)
    ]
    return _spread(cells, size)


def hand_lines(scene: Scene, game: Game, skin: Skin, size: Size) -> list[Line]:
    """Return the own hand under its numbers, and the button after it."""
    held = game.hands[scene.seat] if scene.hand else frozenset[int]()
    heads: Line = []
    stacks: list[Line] = []
    for slot in range(5):
        if slot in held:
            heads.append(_number(scene.question, slot))
            style = "class:at" if slot == _chosen(scene.question) else ""
            card = _card(scene.hand[slot], skin, size, style)
            stacks.append(_clickable(str(slot + 1), card))
        else:
            heads.append(_NOTHING)
            stacks.append([_NOTHING] * size.card)
    key, button = _button(scene.question)
    heads.append(key)
    stacks.append([button if row == size.card // 2 else _NOTHING for row in range(size.card)])
    lines = [heads, *([stack[row] for stack in stacks] for row in range(size.card))]
    return [_spread(line, size) for line in lines]


def _clickable(key: str, line: Line) -> Line:
    """Return fragments that a click on turns into ``key``."""
    return [(f"{style} {clicked(key)}", text) for style, text in line]


def _six(cells: Line, size: Size) -> Line:
    """Return one cell for each mat, in pairs."""
    line: Line = [_MARGIN]
    for mat, (style, text) in enumerate(cells):
        line += _centred(style, text, size.mat)
        if mat in (1, 3):
            line.append(_GAP)
    return fit_line(line, size.table)


def _spread(cells: Line, size: Size) -> Line:
    line: Line = [_MARGIN]
    for style, text in cells:
        line += _centred(style, text, size.mat)
    return fit_line(line, size.table)


def _centred(style: str, text: str, cells: int) -> Line:
    """Return ``text`` in the middle; the style covers the text alone."""
    before = (cells - width(text)) // 2
    return [("", " " * before), (style, text), ("", " " * (cells - width(text) - before))]


def _is_now(game: Game, number: int) -> bool:
    """Tell whether cards are being laid in the round ``number``."""
    return isinstance(game.phase, Placing) and game.rounds[-1].number == number


def _card(face: Face, skin: Skin, size: Size, style: str) -> Line:
    """Return a card, line by line."""
    text = skin.card(face)
    inner = f" {text} "
    own = style or style_of(face.suit)
    if size.card == 1:
        return [(own, f"{skin.down}{text}{skin.down}")]
    edge = (style, skin.corner + skin.across * width(inner) + skin.corner)
    empty = (style, skin.down + " " * width(inner) + skin.down)
    middle = (own, skin.down + inner + skin.down)
    padding = [empty] * (size.card // 2 - 1)
    return [edge, *padding, middle, *padding, edge]


def _laid(scene: Scene, game: Game, seat: Seat, mat: int, skin: Skin) -> tuple[str, str]:
    """Return a card laid on a mat: turned up in brackets, face down between backs."""
    if len(game.rounds) <= mat // 2:
        return _NOTHING
    played = game.rounds[mat // 2]
    slot = slot_at(played.turns, seat, mat)
    if slot is None:
        return _not_laid(scene, game, played, seat, mat, skin)
    resolution = next((each for each in played.resolutions if each.mat == mat), None)
    opened = None if resolution is None else resolution.cards[seat]
    if opened is not None:
        return style_of(opened.suit), f"[{skin.card(opened)}]" + _gain(resolution, seat, skin)
    hand = scene.hand if seat == scene.seat else scene.theirs
    if hand:
        face = hand[slot]
        text = skin.back + skin.card(face) + skin.back
        return style_of(face.suit), text + _gain(resolution, seat, skin)
    text = skin.back * (2 + width(skin.card(game.table[mat])))
    return "", text + _gain(resolution, seat, skin)


def _not_laid(
    scene: Scene, game: Game, played: Round, seat: Seat, mat: int, skin: Skin
) -> tuple[str, str]:
    """Return the card that is about to be laid, or a stroke where none will come."""
    match scene.question:
        case Ready(observation, Play(aimed, slot)) | Aiming(observation, slot, aimed) if (
            seat == scene.seat and aimed == mat
        ):
            return "class:at", f"{skin.card(observation.hand[slot])}?"
        case _:
            over = played.resolutions or is_out(game.edition, played.turns, seat)
            return "", "-" if over and played.turns else ""


def _gain(resolution: Resolution | None, seat: Seat, skin: Skin) -> str:
    match None if resolution is None else resolution.gain[seat]:
        case Token() as token:
            return "+" + skin.token(token).strip()[-1]
        case _:
            return ""


def _aimed(question: Question) -> int | None:
    match question:
        case Aiming(mat=mat) | Ready(move=Play(mat)):
            return mat
        case _:
            return None


def _chosen(question: Question) -> int | None:
    """Return the slot under the cursor or chosen, PASSING for the button, or None."""
    match question:
        case Picking(at=at) | Sorting(at=at):
            return at
        case Aiming(slot=slot) | Ready(move=Play(slot=slot)):
            return slot
        case Ready():
            return PASSING
        case Waiting():
            return None


def _number(question: Question, slot: int) -> tuple[str, str]:
    """Return the number of a card, marked if it is chosen."""
    match question:
        case Sorting(kept=kept) | Ready(before=Sorting(kept=kept)) if slot in kept:
            text, marked = captions.KEPT(number=slot + 1), ">{}<"
        case _:
            text, marked = str(slot + 1), "> {} <"
    return ("class:now", marked.format(text)) if slot == _chosen(question) else ("", text)


def _button(question: Question) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the key and the label of what can be done instead of laying a card."""
    match question:
        case Waiting():
            return _NOTHING, _NOTHING
        case Sorting() | Ready(before=Sorting()):
            label = captions.BUTTON_KEEP()
        case _:
            label = captions.BUTTON_SKIP()
    click = clicked(SKIPPING)
    if _chosen(question) == PASSING:
        return ("class:now", f"> {SKIPPING} <"), (f"class:at {click}", f"[{label}]")
    return ("", SKIPPING), (click, f"[{label}]")
