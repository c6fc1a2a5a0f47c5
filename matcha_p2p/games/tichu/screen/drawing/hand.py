"""The own hand: marked cards are lifted, and the cursor points at a card."""

from matcha_p2p.console.terminal.cells import Line, clicked, width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.tichu.screen.drawing.cards import (
    WIDTH,
    block,
    label,
    side_by_side,
    style_of,
)
from matcha_p2p.games.tichu.screen.keys import CARD
from matcha_p2p.games.tichu.screen.marking import given, in_order
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Scene

BLANK: Line = [("", " " * WIDTH)]


def hand(scene: Scene, skin: Skin, height: int) -> list[Line]:
    """Return the hand in ``height`` + 1 lines; 1 is the height of chips."""
    return _chips(scene, skin) if height == 1 else _blocks(scene, skin, height)


def lifted(scene: Scene) -> frozenset[int]:
    """Return the places of the cards that stand out: the marked ones, or the gifts."""
    match scene.question:
        case GiftChoice() as giving:
            return given(giving)
        case _:
            return scene.marked


def _blocks(scene: Scene, skin: Skin, height: int) -> list[Line]:
    marked, blocks = lifted(scene), list[list[Line]]()
    for at in in_order(scene):
        ground = "better" if at in marked else "paper"
        click = clicked(f"{CARD}{at}")
        card: list[Line] = [
            [(f"{style} {click}", text) for style, text in line]
            for line in block(scene.held[at], skin, height, ground)
        ]
        points: Line = [("class:now", " ^  " if at in marked else " v  ")]
        aside = points if at == scene.at else BLANK
        blocks.append([*card, aside] if at in marked else [aside, *card])
    return side_by_side(blocks) if blocks else [[]] * (height + 1)


def _chips(scene: Scene, skin: Skin) -> list[Line]:
    marked, cards, below = lifted(scene), list[tuple[str, str]](), ""
    for at in in_order(scene):
        face = scene.held[at]
        ground = "better" if at in marked else "paper"
        style = f"class:{ground} {style_of(face)} {clicked(f'{CARD}{at}')}"
        text = label(face, skin)
        before, after = "[]" if at in marked else "  "
        narrow = f"{' ' * (2 - width(text))}{text}{after}"
        cards.append((style, before + (narrow if width(text) < WIDTH - 1 else text)))
        below += "  ^ " if at == scene.at else " " * WIDTH
    return [cards, [("class:now", below)]]
