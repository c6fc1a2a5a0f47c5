"""The end of a game: the winner, and the place and the points of each player."""

from typing import Final

from matcha_p2p.console.review import finale as kit
from matcha_p2p.console.terminal.cells import Line, fit, fit_line, line_width, width
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen.drawing.pane import right
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.table.events import GameEnded
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat

_APART: Final = 3


def finale(
    scene: Scene, end: GameEnded, skin: Skin, cells: int, *, pictured: bool
) -> list[Line]:
    """Return the winner, and below the winner all places and points, the best first.

    pictured: whether the lines have room for the bowl.
    """
    winners = listed(map(scene.called, end.winners))
    said = kit.headline(scene.outcome, winners, len(end.winners))
    evening, places = kit.evening(scene), _places(scene, end, cells)
    if pictured:
        return [*kit.beside_bowl(scene, skin, [said], cells), *evening, *places]
    for line in evening:
        if line_width(said) + line_width(line) + _APART <= cells:
            said = [*said, ("", " " * _APART), *line]
    return [said, *places]


def _places(scene: Scene, end: GameEnded, cells: int) -> list[Line]:
    """Return the place and the parts of the score of each player, the winners lit."""
    heads = [column() for column in captions.COLUMNS]
    sides = [max(4, width(head)) + 1 for head in heads]
    room = cells - sum(sides)
    head = fit(captions.FINAL(), room) + "".join(map(right, heads, sides))
    lines: list[Line] = [[("class:head", head)]]
    ranks = [
        (Seat(seat) not in end.winners, -score.points) for seat, score in enumerate(end.scores)
    ]
    for seat, score in sorted(
        enumerate(end.scores), key=lambda each: (ranks[each[0]], each[0])
    ):
        parts = (score.track, score.orders, score.sets, score.gold, score.points)
        place = 1 + sum(each < ranks[seat] for each in ranks)
        text = "".join(right(str(part), side) for part, side in zip(parts, sides, strict=True))
        style = "class:now" if place == 1 else ""
        name = fit(f"{place} {scene.called(Seat(seat))}", room)
        lines.append(fit_line([(style, name + text)], cells))
    return lines
