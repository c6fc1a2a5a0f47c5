"""The points of all players at the end of a game."""

from matcha_p2p.console.terminal.cells import Line, fit, fit_line, width
from matcha_p2p.games.kashi.events import GameEnded
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen.drawing.pane import right
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.seats import Seat


def finale(scene: Scene, end: GameEnded, cells: int) -> list[Line]:
    """Return the parts of each score, the winners lit."""
    heads = [column() for column in captions.COLUMNS]
    sides = [max(4, width(head)) + 1 for head in heads]
    room = cells - sum(sides)
    head = fit(captions.FINAL(), room) + "".join(map(right, heads, sides))
    lines: list[Line] = [[("class:head", head)]]
    scores = [(-score.points, Seat(seat), score) for seat, score in enumerate(end.scores)]
    for _, seat, score in sorted(scores):
        parts = (score.track, score.orders, score.sets, score.gold, score.points)
        won = seat in end.winners
        text = "".join(right(str(part), side) for part, side in zip(parts, sides, strict=True))
        style = "class:now" if won else ""
        mark = "*" if won else " "
        name = fit(f"{mark} {scene.called(seat)}", room)
        lines.append(fit_line([(style, name + text)], cells))
    return lines
