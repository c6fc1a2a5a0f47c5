"""The public game of a table, and one seat's view of the game."""

from collections.abc import Sequence

from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.table.steps import Kashi
from matcha_p2p.table.seat import Player
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


def look(player: Player, table: Table, told: Sequence[object]) -> Outlook:
    """Return the player's view: nothing is hidden."""
    del told
    return Outlook(game_of(table), player.seat)
