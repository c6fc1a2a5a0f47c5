"""The end of a game in the place of the hand: a bowl of tea, the winner, the winning tokens."""

from matcha_p2p.console.review import finale as kit
from matcha_p2p.console.terminal.cells import Fragment, Line, line_width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.screen.drawing.tokens import deciding, meeting
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.signs import signs_of, style_of
from matcha_p2p.games.matcha.table.events import GameEnded


def finale(scene: Scene, end: GameEnded, skin: Skin, cells: int, rows: int) -> list[Line]:
    """Return the end of the game in ``rows`` lines, empty lines while tokens light up.

    Two rows have no room for the bowl.
    """
    if scene.moment.lit is not None:
        return [[]] * rows
    headline, met, tie = _headline(scene, end), _met(end, skin), _tie(end, skin)
    evening = kit.evening(scene)
    if rows < kit.ROWS:
        for line in evening:
            if line_width(headline) + line_width(line) + 3 <= cells:
                headline = [*headline, ("", "   "), *line]
        return ([headline, [*met, *tie]] + [[]] * rows)[:rows]
    words = [line for line in (headline, met, tie, *evening) if line]
    lines = kit.beside_bowl(scene, skin, words, cells)[:rows]
    above = (rows - len(lines)) // 2
    return [*([[]] * above), *lines, *([[]] * (rows - len(lines) - above))]


def _headline(scene: Scene, end: GameEnded) -> Line:
    winner = end.ended.winner
    if winner is None:
        return kit.headline(scene.outcome, "", 0)
    return kit.headline(scene.outcome, scene.names[winner], 1)


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
