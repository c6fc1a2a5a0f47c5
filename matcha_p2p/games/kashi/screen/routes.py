"""The ways of a person over the board, square by square."""

from typing import TypeAlias

from matcha_p2p.games.kashi.board.board import Board, each
from matcha_p2p.games.kashi.rules.moves import Go, TurnAction
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.rules.travel import set_of, uses
from matcha_p2p.games.kashi.rules.ways import OrderPath, towards
from matcha_p2p.seats import Seat

Route: TypeAlias = tuple[Go, ...]
"""Moves that follow each other; each costs an action point."""

Footprints: TypeAlias = tuple[tuple[int, int], ...]
"""Squares in order, each with the number of the move that led there; 0 for the start."""


def routes(game: GameState, seat: Seat, goal: int) -> tuple[Route, ...]:
    """Return the ways from the person of ``seat`` to ``goal``; () if the person is there.

    The first way is a shortest way. If a single use of a chain is enough, a way for each
    owner of such a chain follows.
    """
    at = game.players[seat].person
    if at is None or at == goal:
        return ()
    board = game.board
    over = tuple(
        (Go(goal, owner),)
        for owner in game.around(seat)
        if uses(board, game.players[owner].shops, at) >> goal & 1
    )
    return over or (_shortest(game, seat, goal),)


def _shortest(game: GameState, seat: Seat, goal: int) -> Route:
    moves: list[Go] = []
    player = game.players[seat]
    while player.person != goal:
        move = towards(game, seat, goal)
        moves.append(move)
        player = player._replace(person=move.square)
        game = game.with_player(seat, player)
    return tuple(moves)


def trail(game: GameState, start: int, move: Go) -> tuple[int, ...]:
    """Return the squares of a move, without its start; a use goes over the chain's squares."""
    if move.over is None:
        return (move.square,)
    ground = set_of(game.players[move.over].shops)
    return _path(game.board, start, move.square, ground)


def _path(board: Board, start: int, goal: int, ground: int) -> tuple[int, ...]:
    """Return a shortest path to ``goal``, without ``start``, over squares of ``ground``."""
    before: dict[int, int] = {}
    edge = [start]
    while edge:
        wider: list[int] = []
        for square in edge:
            for beside in each(board.around(1 << square) & (ground | 1 << goal)):
                if beside not in before and beside != start:
                    before[beside] = square
                    wider.append(beside)
        if goal in before:
            break
        edge = wider
    path = [goal]
    while (square := before.get(path[-1], start)) != start:
        path.append(square)
    return tuple(reversed(path))


def trodden(game: GameState, start: int | None, actions: tuple[TurnAction, ...]) -> Footprints:
    """Return the squares of all moves in ``actions``, the start first; () without a move.

    game: with the shops as they stand. start: where the person stood before.
    """
    moves = [action for action in actions if isinstance(action, Go)]
    if start is None or not moves:
        return ()
    found = [(start, 0)]
    for number, move in enumerate(moves, start=1):
        found += [(square, number) for square in trail(game, start, move)]
        start = move.square
    return tuple(found)


def way_of(game: GameState, seat: Seat, path: OrderPath) -> Footprints:
    """Return the squares of a way to an order, the person's square first."""
    moves: list[Go] = []
    player = game.players[seat]
    begin = player.person
    for stop in path.stops:
        moves += _shortest(game, seat, stop)
        player = player._replace(person=stop)
        game = game.with_player(seat, player)
    return trodden(game, begin, tuple(moves))
