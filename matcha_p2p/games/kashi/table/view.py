"""The public game of a table."""

from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.table.steps import Kashi
from matcha_p2p.table.table import Table


def kashi_of(table: Table) -> Kashi:
    """Return the game of a table at which Kashi-ichi is played.

    Raises:
        TypeError: the table has another game.
    """
    if not isinstance(table.game, Kashi):
        raise TypeError(f"{table.game.name} is played here, not Kashi-ichi")
    return table.game


def game_of(table: Table) -> GameState:
    """Return the game as its rules see the game."""
    return kashi_of(table).state
