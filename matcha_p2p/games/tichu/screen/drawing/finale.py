"""The result of a round, and the end of the game: the team that has won, and the points."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from matcha_p2p.console.review import finale as kit
from matcha_p2p.console.terminal.cells import Line, fit, line_width, width, wrapped
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.tichu.rules.round import SEATS, is_double
from matcha_p2p.games.tichu.screen.drawing.cards import faces_line
from matcha_p2p.games.tichu.screen.drawing.pane import flush_right, score
from matcha_p2p.games.tichu.screen.drawing.pixels import large
from matcha_p2p.games.tichu.screen.scene import Scene, order_of
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import CountedRound
from matcha_p2p.games.tichu.words import captions

_INDENT: Final = " " * 3


def result(
    scene: Scene, finished: CountedRound, skin: Skin, size: tuple[int, int]
) -> list[Line]:
    """Return the lines that take the place of the table, of a size.

    size: the cells, and the rows: spare ones show the own points in large letters.
    """
    room, rows = size
    counted = scene.rounds[-1]
    heading = captions.ROUND_OVER(number=counted.number)
    lines: list[Line] = [[("class:now", f" {heading}")], []]
    lines += _places(scene, finished, skin, room)
    widest = (room - len(_INDENT) - _LABEL) // 2 - _GAP
    heads = [wrapped(team, widest) for team in scene.teams]
    columns = [max(6, *(width(line) for head in heads for line in head)) + _GAP] * 2
    lines.append([])
    for mine, other in zip_longest(*heads, fillvalue=""):
        head = fit("", _LABEL) + flush_right((mine, other), columns)
        lines.append([("class:head", f"{_INDENT}{head}")])
    for label, points in _sums(scene, finished):
        ours, theirs = points if scene.seat % 2 == 0 else points[::-1]
        row = fit(label, _LABEL) + flush_right((str(ours), str(theirs)), columns)
        lines.append([("class:now" if label == captions.NOW() else "", f"{_INDENT}{row}")])
    headline = _large_points(scene, finished, skin, room)
    if len(lines) + len(headline) <= rows:
        lines[1:1] = headline
    return _with_bars(lines, _to_goal(scene, skin, room), rows)


def _with_bars(lines: list[Line], towards: list[Line], rows: int) -> list[Line]:
    """Return ``lines`` and the bars below, where the first empty lines leave room for both."""
    *spare, _ = (at for at, line in enumerate(lines) if not line)
    over = max(0, len(lines) + len(towards) - rows)
    if over > len(spare):
        return lines
    return [line for at, line in enumerate(lines) if at not in spare[:over]] + towards


def _to_goal(scene: Scene, skin: Skin, room: int) -> list[Line]:
    """Return a bar of the points of each team on the way to the goal; none without a goal."""
    target = None if scene.game is None else scene.game.target
    label = max(_LABEL, *(width(team) + _GAP for team in scene.teams))
    cells = min(_BAR, room - len(_INDENT) - label)
    if target is None or cells < _LEAST_BAR:
        return []
    full, rest = ("▮", "▯") if skin.half_blocks else ("#", ".")
    totals = scene.rounds[-1].totals
    ordered = totals if scene.seat % 2 == 0 else totals[::-1]
    lines: list[Line] = []
    for team, points in zip(scene.teams, ordered, strict=True):
        done = cells * min(max(0, points), target) // target
        bar: Line = [("class:now", full * done), ("class:faint", rest * (cells - done))]
        lines.append([("", f"{_INDENT}{fit(team, label)}"), *bar])
    return lines


def _large_points(scene: Scene, finished: CountedRound, skin: Skin, room: int) -> list[Line]:
    """Return the own points of the round, and a double victory, between empty lines."""
    out, mine = finished.round.out, finished.points[scene.seat % 2]
    words = [f"{mine:+d}"]
    if is_double(out) and out[0] % 2 == scene.seat % 2:
        words.insert(0, captions.DOUBLE_WORD())
    rows = large(" ".join(words), skin, room - len(_INDENT))
    return [[], *([("class:now", f"{_INDENT}{row}")] for row in rows)]


_LABEL: Final = 18
_GAP: Final = 2
"""Cells before a column of points."""
_BAR: Final = 40
"""Cells of a bar that is full at the goal."""
_LEAST_BAR: Final = 20
_AROUND_ROUNDS: Final = 3
"""Lines of a table of rounds besides the rounds: a space, the teams, and the points now."""


def finale(
    scene: Scene, end: events.GameEnded, skin: Skin, cells: int, rows: int
) -> list[Line]:
    """Return the end of the game, in ``cells`` cells and at most ``rows`` rows.

    If rows are few, the last rounds alone are listed.
    """
    mine, other = scene.teams
    winners = mine if scene.seat in end.winners else other
    words = [
        kit.headline(scene.outcome, winners, len(end.winners)),
        *_teams(scene, end),
        *kit.evening(scene),
    ]
    lines = kit.beside_bowl(scene, skin, words, cells)
    room = rows - len(lines) - _AROUND_ROUNDS
    if scene.rounds and room > len(scene.rounds) + 1:
        lines = [[], *lines]
    if not scene.rounds or room < 1:
        return lines
    *heads, now = score(scene, cells - len(_INDENT))
    counted = heads[-len(scene.rounds) :]
    shown = (*heads[1 : -len(counted)], *counted[-room:], now)
    return [*lines, [], *([("", _INDENT), *line] for line in shown)]


def _teams(scene: Scene, end: events.GameEnded) -> list[Line]:
    """Return the points of each team, the winners first."""
    points = end.totals if scene.seat % 2 == 0 else end.totals[::-1]
    cells = max(map(width, scene.teams))
    rows = [
        f"{fit(team, cells)} {each:>5}" for team, each in zip(scene.teams, points, strict=True)
    ]
    if end.winners and scene.seat not in end.winners:
        rows.reverse()
    first, last = rows
    return [[("class:now" if end.winners else "", first)], [("", last)]]


def _places(scene: Scene, finished: CountedRound, skin: Skin, room: int) -> Iterator[Line]:
    """Yield each seat in the order of going out, what its call has brought, and its cards.

    room: the cells. The cards are shown if they are open and fit.
    """
    over = finished.round
    for place, seat in enumerate((*over.out, *(s for s in SEATS if s not in over.out)), 1):
        told = [f"{place}  {scene.words.name_of(seat)}"]
        if over.calls[seat]:
            worth = over.calls[seat]
            sentence = captions.CALL_MADE if place == 1 else captions.CALL_LOST
            told.append(sentence(call=captions.CALLED[worth](), points=worth))
        if over.held[seat]:
            told.append(captions.LEFT(count=len(over.held[seat])))
        line: Line = [("", f"{_INDENT}{'   '.join(told)}")]
        if finished.hands:
            hand = finished.hands[seat]
            left = sorted((hand[at] for at in over.held[seat]), key=order_of)
            whole = [*line, ("", "  "), *faces_line(tuple(left), skin)]
            line = whole if line_width(whole) <= room else line
        yield line


def _sums(scene: Scene, finished: CountedRound) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the rows of the table of points, by team."""
    over, points = finished.round, finished.points
    called = [0, 0]
    for seat, worth in enumerate(over.calls):
        called[seat % 2] += worth if seat == over.out[0] else -worth
    rest = points[0] - called[0], points[1] - called[1]
    yield captions.DOUBLE() if is_double(over.out) else captions.CARDS(), rest
    if any(over.calls):
        yield captions.CALLS(), (called[0], called[1])
    yield captions.THIS_ROUND(), points
    totals = scene.rounds[-1].totals
    yield captions.EARLIER(), (totals[0] - points[0], totals[1] - points[1])
    yield captions.NOW(), totals
