"""The pane at the right: unseen cards, the round, the exchange, points."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.console.terminal.cells import Line, fit, width, wrapped
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.tichu.rules.round import seat_after
from matcha_p2p.games.tichu.screen.drawing.table import unseen_grid
from matcha_p2p.games.tichu.screen.scene import Scene
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.games.tichu.words.card_words import card_text

_LAST: Final = 6  # tricks of the round
_LABEL: Final = 12  # cells of the name of a round
_POINTS: Final = 6  # least cells of a column of points


def pane(scene: Scene, skin: Skin, cells: int) -> list[list[Line]]:
    """Return the sections of the pane, in ``cells`` cells at most."""
    return [
        _unseen(scene, skin, cells),
        _round(scene, cells),
        _exchange(scene, cells),
        score(scene, cells),
    ]


def _round(scene: Scene, cells: int) -> list[Line]:
    """Return the last tricks of the round: the taker, the first play, the points."""
    if not scene.tricks:
        return []
    lines: list[Line] = [[("class:head", captions.ROUND())]]
    first = max(0, len(scene.tricks) - _LAST)
    for number, trick in enumerate(scene.tricks[first:], first + 1):
        name = scene.words.name_of(trick.taker)
        text = captions.TAKEN(name=name, points=trick.points, play=trick.play)
        for at, part in enumerate(wrapped(text, cells - 3)):
            lines.append([("", f"{'  ' if at else f'{number:>2}'} {part}")])
    return lines


def _exchange(scene: Scene, cells: int) -> list[Line]:
    """Return what was given to each other seat, and got from it."""
    if not scene.gave or not scene.got:
        return []
    lines: list[Line] = [[("class:head", captions.EXCHANGE())]]
    for steps, (gave, got) in enumerate(zip(scene.gave, scene.got, strict=True), 1):
        name = scene.words.name_of(seat_after(scene.seat, steps))
        text = captions.EXCHANGED(name=name, gave=card_text(gave), got=card_text(got))
        lines.append([("", fit(text, cells))])
    return lines


def _unseen(scene: Scene, skin: Skin, cells: int) -> list[Line]:
    if scene.game is None or not scene.game.laid or scene.hands:
        return []
    return [[("class:head", captions.UNSEEN())], *unseen_grid(scene, skin, cells)]


def score(scene: Scene, cells: int) -> list[Line]:
    """Return the points of each round, ours first, and the totals, in ``cells`` cells.

    Each team stands over its points if the names leave room for the points.
    """
    if not scene.rounds:
        return []
    columns = [max(_POINTS, width(team) + 2) for team in scene.teams]
    heads = [fit("", _LABEL) + flush_right(scene.teams, columns)]
    if _LABEL + sum(columns) > cells:
        columns = [_POINTS, _POINTS]
        heads = wrapped(" | ".join(scene.teams), cells)
    lines: list[Line] = [[("class:head", head)] for head in (captions.SCORE(), *heads)]
    rows = [(captions.SCORE_ROUND(number=it.number), it.points) for it in scene.rounds]
    for label, points in (*rows, (captions.NOW(), scene.rounds[-1].totals)):
        ordered = points if scene.seat % 2 == 0 else points[::-1]
        row = fit(label, _LABEL) + flush_right([str(each) for each in ordered], columns)
        lines.append([("", row)])
    lines[-1] = [("class:now", text) for _, text in lines[-1]]
    return lines


def flush_right(texts: Sequence[str], columns: Sequence[int]) -> str:
    """Return each text at the right of its column. columns: the cells of each."""
    padded = (
        " " * (cells - width(text)) + text for text, cells in zip(texts, columns, strict=True)
    )
    return "".join(padded)
