"""The end of a game in the place of the hand: a bowl of tea, the winner, the winning tokens."""

from typing import Final

from matcha_p2p.console.terminal.cells import Fragment, Line, fit_line, line_width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.events import GameEnded
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.screen.drawing.tokens import deciding, meeting
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.signs import signs_of, style_of
from matcha_p2p.games.matcha.words import captions

_STEAM: Final = "  (   )  (   "
_BOWL: Final = (
    (_STEAM, "class:faint"),
    (r"\~~~~~~~~~~~/", "class:leaf"),
    (r" \         / ", "class:bowl"),
    (r"  `._____.'  ", "class:bowl"),
)
_CLAY: Final = ((13, 11), (11, 0), (7, 0))
"""The width of the bowl, row by row, and the width of the tea in the bowl."""

_CELLS: Final = 13


def finale(scene: Scene, end: GameEnded, skin: Skin, cells: int, rows: int) -> list[Line]:
    """Return the end of the game in ``rows`` lines, empty lines while tokens light up.

    Two rows have no room for the bowl.
    """
    if scene.moment.lit is not None:
        return [[]] * rows
    headline, met, tie = _headline(scene, end), _met(end, skin), _tie(end, skin)
    if rows < len(_BOWL):
        return ([headline, [*met, *tie]] + [[]] * rows)[:rows]
    words = [line for line in (headline, met, tie) if line]
    bowl = _drawn(skin)
    margin = max(0, (cells - _CELLS - 3 - max(map(line_width, words))) // 2)
    beside = [[], *words, *([[]] * (len(bowl) - 1 - len(words)))]
    lines = [
        [("", " " * margin), *fit_line(left, _CELLS + 3), *right]
        for left, right in zip(bowl, beside, strict=True)
    ]
    above = (rows - len(lines)) // 2
    return [*([[]] * above), *lines, *([[]] * (rows - len(lines) - above))]


def _headline(scene: Scene, end: GameEnded) -> Line:
    winner = end.ended.winner
    if winner is None:
        text = captions.END_DRAW()
    elif winner == scene.seat and scene.watched is None:
        text = captions.END_YOURS()
    else:
        text = captions.END_THEIRS(name=scene.names[winner])
    return [("class:now", text)]


def _met(end: GameEnded, skin: Skin) -> Line:
    """Return the tokens that meet a condition."""
    line: Line = []
    for token in meeting(end):
        line += [_chip(token, signs_of(skin).token(token)), ("", " ")]
    return line


def _tie(end: GameEnded, skin: Skin) -> Line:
    """Return the kind that breaks the tie; without a tie, an empty line."""
    tie = deciding(end)
    if tie is None:
        return []
    kind, more, fewer = tie
    return [_chip(kind, f"{signs_of(skin).token(kind)} {more}:{fewer}")]


def _chip(token: Token, text: str) -> Fragment:
    return f"class:chip {style_of(token)}", f" {text} "


def _drawn(skin: Skin) -> list[Line]:
    """Return the bowl: in the colour of clay, or of strokes where cards have frames."""
    if skin.framed:
        return [[(style, text)] for text, style in _BOWL]
    lines: list[Line] = [[("class:faint", _STEAM)]]
    for whole, tea in _CLAY:
        side = (whole - tea) // 2 if tea else whole
        clay = (f"class:chip {style_of(Token.BOWL)}", " " * side)
        line: Line = [("", " " * ((_CELLS - whole) // 2)), clay]
        if tea:
            line += [(f"class:chip {style_of(Token.LEAF)}", " " * tea), clay]
        lines.append(line)
    return lines
