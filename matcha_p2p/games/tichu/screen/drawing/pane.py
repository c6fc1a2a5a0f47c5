"""The pane at the right: advice, talk, the round, the exchange, unseen cards, points, news."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.console.table.focus import Talking
from matcha_p2p.console.table.talk import phrases, talk_section
from matcha_p2p.console.terminal.cells import Line, fit, width, wrapped
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.tichu.rules.round import seat_after
from matcha_p2p.games.tichu.screen.drawing.table import unseen_grid
from matcha_p2p.games.tichu.screen.scene import Scene
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.games.tichu.words.card_words import card_text

_LEAST_TALK: Final = 3
_LAST: Final = 6  # tricks of the round
_ABOVE_NEWS: Final = 2  # a space and the heading
_LABEL: Final = 12  # cells of the name of a round
_POINTS: Final = 6  # least cells of a column of points


def pane(scene: Scene, skin: Skin, size: tuple[int, int], told: Sequence[str]) -> list[Line]:
    """Return the pane in lines of a size. size: the cells at most, and the rows exactly.

    told: the news that do not stand below the table; the last ones fill the free rows.
    """
    cells, rows = size
    if isinstance(scene.focus, Talking):
        sections = [phrases(cells)]
    else:
        sections = [
            [[("class:lesson", line)] for line in advice(scene, cells)],
            _unseen(scene, skin, cells),
            _round(scene, cells),
            _exchange(scene, cells),
            score(scene, cells),
        ]
    sections = [each for each in sections if each]
    room = rows - (_LEAST_TALK + 1 if scene.talk else 0)
    while len(sections) > 1 and sum(len(each) + 1 for each in sections) > room:
        sections.pop(-1 if len(sections) < 3 else -2)
    taken = sum(len(each) + 1 for each in sections)
    talk = talk_section(scene, cells, rows - taken)
    lines: list[Line] = []
    for section in [talk, *sections] if talk else sections:
        lines += [[], *section] if lines else section
    lines += _earlier(told, cells, rows - len(lines))
    return (lines + [[]] * rows)[:rows]


def _earlier(told: Sequence[str], cells: int, rows: int) -> list[Line]:
    """Return the last sentences that have room whole in ``rows`` rows, under a heading."""
    shown: list[Line] = []
    for sentence in reversed(told):
        lines: list[Line] = [[("class:faint", line)] for line in wrapped(sentence, cells)]
        if len(shown) + len(lines) > rows - _ABOVE_NEWS:
            break
        shown = lines + shown
    return [[], [("class:head", captions.TOLD())], *shown] if shown else []


def advice(scene: Scene, cells: int) -> list[str]:
    """Return the lesson or the hint, each sentence of the hint on a line of its own."""
    told = scene.advice.split("\n") if scene.advice else []
    return [line for sentence in told for line in wrapped(sentence, cells)]


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
