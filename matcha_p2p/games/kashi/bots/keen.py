"""A bot that tries several turns: bots play on after each, and the best lead decides."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final, NamedTuple

from matcha_p2p.games.kashi.bots.arena import step
from matcha_p2p.games.kashi.bots.greedy import Greedy
from matcha_p2p.games.kashi.bots.walker import Walker
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.game import take_turn
from matcha_p2p.games.kashi.rules.orders import SETTLEMENTS, OrderNumber
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.settlement import area_points, score
from matcha_p2p.games.kashi.rules.state import Ended, GameState, Turn
from matcha_p2p.seats import Seat

CLUB: Final = Walker("club", Greedy())
"""Plays for all seats after a turn."""
ROUNDS: Final = 4
"""How many rounds are played after a turn."""
HEATS: Final = ((3, 4), (4, 2), (5, 1))
"""How many games follow each turn, and how many turns stay beside club's, heat by heat."""
_APPETITES: Final = (1.0, 0.0, 2.0)
"""The worth of areas, style by style."""
_AREA, _GOLD, _GOOD = 0.8, 0.15, 0.3
"""The worth of an area's point at each coming settlement, of a gold, and of a good."""


class Plan(NamedTuple):
    """A turn, and its purpose.

    order: the first order delivered or, without a delivery, the next. None: the row is empty.
    ap: the action points from the end of the turn to the delivery.
    """

    actions: tuple[moves.TurnAction, ...]
    order: OrderNumber | None
    ap: int


@dataclass(frozen=True)
class Keen:
    """Chooses among turns of several styles, each for an order of the row."""

    name: str = "keen"

    def choose(self, outlook: Outlook, rng: random.Random, /) -> moves.Move:
        """Return a legal move; the seat of ``outlook`` is due."""
        game, seat = outlook
        if not isinstance(game.phase, Turn):
            return CLUB.choose(outlook, rng)
        return moves.TakeTurn(self.plan(game, seat, rng).actions)

    def plan(self, game: GameState, seat: Seat, rng: random.Random) -> Plan:
        """Return club's turn or a surely better one; of a turn that has begun, the rest."""
        tried = _turns(game, seat, rng)
        leads: Mapping[GameState, list[float]] = {after: [] for after in tried}
        usual, *left = tried
        for games, stay in HEATS:
            if not left:
                break
            for number in [rng.getrandbits(32) for _ in range(games)]:
                for after in (usual, *left):
                    leads[after].append(_lead(after, seat, number))
            left = sorted(left, key=lambda after: -fmean(leads[after]))[:stay]
        better = (after for after in left if _is_better(leads[after], leads[usual]))
        return tried[next(better, usual)]


def _is_better(leads: list[float], usual: list[float]) -> bool:
    """Tell whether the leads are larger by more than their error, game by game."""
    gains = [one - other for one, other in zip(leads, usual, strict=True)]
    return bool(fmean(gains) > stdev(gains) / len(gains) ** 0.5)


def _turns(game: GameState, seat: Seat, rng: random.Random) -> dict[GameState, Plan]:
    """Return turns by the games that they lead to, the turn of club first."""
    found: dict[GameState, Plan] = {}
    for style in _styles(game):
        turn = Walker("", style).turn(game, rng)
        found.setdefault(take_turn(game, seat, turn), _plan(game, seat, turn, style))
    return found


def _styles(game: GameState) -> Iterator[Greedy]:
    for worth in _APPETITES:
        for order in (None, *game.row):
            yield Greedy(worth=worth, order=order)


def _plan(
    game: GameState, seat: Seat, turn: tuple[moves.TurnAction, ...], style: Greedy
) -> Plan:
    for action in turn:
        if isinstance(action, moves.Fulfil):
            return Plan(turn, action.order, 0)
    way = style.way(take_turn(game, seat, turn), seat)
    return Plan(turn, None, 0) if way is None else Plan(turn, way.order, way.ap)


def _lead(after: GameState, seat: Seat, number: int) -> float:
    """Return the lead of ``seat`` some rounds after a turn, in the game ``number``."""
    over, chance = after, random.Random(number)
    bots = [CLUB] * len(after.players)
    while over.turns < after.turns + ROUNDS * len(bots) and not isinstance(over.phase, Ended):
        _, over = step(over, bots, chance)
    points = _points(over)
    return points[seat] - max(points[:seat] + points[seat + 1 :])


def _points(game: GameState) -> list[float]:
    """Return by seat the points so far, and the worth of belongings."""
    points = [float(score(game.board, player).points) for player in game.players]
    if isinstance(game.phase, Ended):
        return points
    areas = area_points(game.board, [player.shops for player in game.players])
    left = _AREA * (SETTLEMENTS - game.settlements)
    return [
        known + left * area + _GOLD * player.gold + _GOOD * sum(player.goods)
        for known, area, player in zip(points, areas, game.players, strict=True)
    ]


KEEN: Final = Keen()
