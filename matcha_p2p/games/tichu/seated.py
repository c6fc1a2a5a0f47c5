"""What a program that sits at a table, or reads a game, asks of Tichu (``games/game.py``)."""

from typing import Final

from matcha_p2p.games.tichu import steps
from matcha_p2p.games.tichu.events import GameEnded
from matcha_p2p.games.tichu.rules.round import SEATS, TEAMS
from matcha_p2p.games.tichu.told import end_of, told
from matcha_p2p.games.tichu.view import game_of as state
from matcha_p2p.games.tichu.view import look
from matcha_p2p.games.tichu.view import own_faces as hand
from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table

__all__ = [
    "again",
    "begin",
    "begun",
    "called",
    "dealt",
    "ended",
    "hand",
    "look",
    "resigns",
    "running",
    "state",
    "teams",
    "told",
    "variants",
]

BEHIND: Final = 200
"""The points of a double victory: a team that lacks fewer can be ahead after one round."""

variants: Final = tuple(steps.TARGETS)


def called(variant: str) -> str:
    """Return the variant itself: no game of Tichu follows from another one."""
    return variant


def teams(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the two teams."""
    del seats
    return TEAMS


def resigns(game: steps.Tichu, seat: Seat) -> bool:
    """Tell whether a bot at ``seat`` gives up if the partner does (T34).

    Only the points count, which all see: a bot that peeks into no hand can know no more.
    """
    own = seat % 2
    return game.totals[1 - own] - game.totals[own] >= BEHIND


def begin(variant: str) -> steps.Tichu:
    """Return Tichu before its coin.

    Raises:
        ValueError: there is no such variant.
    """
    game = steps.new_game(variant, len(SEATS))
    if game is None:
        raise ValueError(f"{variant} is none of {', '.join(variants)}")
    return game


def dealt(table: Table) -> bool:
    """Tell whether the first hands are dealt."""
    game = state(table)
    before = isinstance(
        game.stage, steps.Tossing | steps.Mixing
    ) or game.stage == steps.Dealing("deal", range(8))
    return game.number > 1 or not before


def running(table: Table) -> int:
    """Return how many moves were made in the round that is not over."""
    return state(table).moves


def begun(table: Table) -> int:
    """Return the number of the round; 0 before the first one."""
    return state(table).number


def ended(table: Table, resigned: Seat | None) -> GameEnded | None:
    """Return how the game has ended; None while it is undecided."""
    return end_of(state(table), resigned)


def again(table: Table) -> tuple[str, tuple[Seat, ...]]:
    """Let all sit as they sat: the teams stay."""
    return state(table).variant, SEATS
