"""The squares that stand out: the chosen square, and the way of a move."""

from matcha_p2p.console.review import findings
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules.ways import Map, OrderPath
from matcha_p2p.games.kashi.screen.routes import Footprints, Route, routes, trodden, way_of
from matcha_p2p.games.kashi.screen.scene import Beginning, Placing, Scene, Walking


def chosen(scene: Scene) -> int | None:
    """Return the square that the person has chosen."""
    match scene.question:
        case Beginning(at) if scene.game is not None:
            return scene.game.board.starts[at]
        case Walking(at=at) | Placing(at=at):
            return at
        case _:
            return None


def axes(scene: Scene, board: Board) -> tuple[int, int]:
    """Return the row and the column of the chosen square, as its name has them; 0 without."""
    square = chosen(scene)
    if square is None:
        return 0, 0
    row, column = divmod(square, board.width)
    return row + 1, column + 1


def route(scene: Scene) -> Route:
    """Return the chosen way to the chosen square; () if the person stands there."""
    match scene.question:
        case Walking(draft, at, way):
            found = routes(draft.game, draft.seat, at)
            return found[way % len(found)] if found else ()
        case _:
            return ()


def cheapest(scene: Scene) -> OrderPath | None:
    """Return the cheapest way to the marked order, in practice."""
    draft = scene.draft
    if draft is None or not scene.marked or not scene.coached:
        return None
    return Map(draft.game, draft.seat).way(scene.marked)


def signs(scene: Scene, square: int) -> str:
    """Return the marks of a square at a mistake: of the way gone, and of the better way."""
    ways = () if scene.made is None else (scene.made[1:], scene.lit[1:])
    return findings.signs(square in dict(way) for way in ways)


def lit(scene: Scene) -> Footprints:
    """Return the way that stands out now.

    The way of a hint comes first, then the chosen way, then the way to the marked order, then
    the way of the running turn, then that of the last turn.
    """
    draft = scene.draft
    if draft is None:
        return scene.lit
    if isinstance(scene.question, Walking) and scene.question.plan:
        return trodden(draft.game, draft.at, scene.question.plan)
    if moves := route(scene):
        return trodden(draft.game, draft.at, moves)
    if path := cheapest(scene):
        return way_of(draft.game, draft.seat, path)
    return trodden(draft.game, draft.start.players[draft.seat].person, draft.made)
