"""The board before a mistake."""

from dataclasses import replace

from matcha_p2p.games.kashi.review.mistakes import BetterMove
from matcha_p2p.games.kashi.screen.routes import trodden
from matcha_p2p.games.kashi.screen.scene import Scene


def on_board(scene: Scene, better: BetterMove) -> Scene:
    """Return the board before a turn, with the way gone and the better way marked."""
    game, seat, actions, made = better
    start = game.players[seat].person
    lit, gone = (trodden(game, start, each) for each in (actions, made))
    return replace(scene, seat=seat, game=game, lit=lit, made=gone)
