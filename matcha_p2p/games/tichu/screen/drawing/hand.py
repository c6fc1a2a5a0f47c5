"""The own hand: marked cards are lifted, and the cursor points at a card."""

from typing import Final

from matcha_p2p.console.review import findings
from matcha_p2p.console.terminal.cells import Line, clicked, width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.tichu.screen.drawing import cards as card_drawing
from matcha_p2p.games.tichu.screen.keys import CARD
from matcha_p2p.games.tichu.screen.marking import given, in_order
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Scene

CHIPS: Final = card_drawing.Size(4, 1, 0)
"""The size of cards in one line."""
UP: Final = "▴"
DOWN: Final = "▾"


def hand(scene: Scene, skin: Skin, size: card_drawing.Size) -> list[Line]:
    """Return the hand in one line more than a card has."""
    return _chips(scene, skin) if size == CHIPS else _blocks(scene, skin, size)


def lifted(scene: Scene) -> frozenset[int]:
    """Return the places of the cards that stand out: the marked ones, or the gifts."""
    match scene.question:
        case GiftChoice() as giving:
            return given(giving)
        case _:
            return scene.marked


def _signs(scene: Scene, at: int) -> str:
    """Return the marks of a card at a mistake: whether the card was laid, or better."""
    return findings.signs((at in scene.made, at in scene.marked))


def _blocks(scene: Scene, skin: Skin, size: card_drawing.Size) -> list[Line]:
    marked, blocks = lifted(scene), list[list[Line]]()
    for number, at in enumerate(in_order(scene)):
        ground = card_drawing.ground_of(number, size.gap)
        ground = "better" if at in marked else "caught" if at in scene.made else ground
        click = clicked(f"{CARD}{at}")
        card: list[Line] = [
            [(f"{style} {click}", text) for style, text in line]
            for line in card_drawing.block(scene.held[at], skin, size, ground)
        ]
        cursor = (UP if at in marked else DOWN) if at == scene.at else " "
        mark = cursor if scene.watched is None else _signs(scene, at)
        aside: Line = [("class:now", f" {mark}".ljust(size.width))]
        blocks.append([*card, aside] if at in marked else [aside, *card])
    return card_drawing.side_by_side(blocks, size.gap) if blocks else [[]] * (size.height + 1)


def _chips(scene: Scene, skin: Skin) -> list[Line]:
    """Return the hand in a line; the signs of a mistake stand below the cards."""
    marked, cards, below = lifted(scene), list[tuple[str, str]](), ""
    replayed = scene.watched is not None
    for at in in_order(scene):
        face = scene.held[at]
        ground = "better" if at in marked else "paper"
        style = f"class:{ground} {card_drawing.style_of(face)} {clicked(f'{CARD}{at}')}"
        text = card_drawing.label(face, skin)
        narrow = " " * (2 - width(text)) + text
        before, last = ("[", "]") if at in marked and not replayed else (" ", " ")
        chip = before * (width(text) < CHIPS.width) + narrow
        cards.append((style, chip + last * (CHIPS.width - width(chip))))
        sign = _signs(scene, at) if replayed else UP if at == scene.at else ""
        below += f"  {sign:<2}"
    return [cards, [("class:now", below)]]
