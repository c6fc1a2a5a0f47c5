"""The answers of Kashi-ichi to a program that plays or reads a game (``games/game.py``)."""

from dataclasses import replace
from typing import Any, Final

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.games.kashi.events import GameEnded
from matcha_p2p.games.kashi.rules.game import TABLES
from matcha_p2p.games.kashi.rules.state import Ended
from matcha_p2p.games.kashi.steps import VARIANT, Kashi, new_game
from matcha_p2p.games.kashi.told import ending, told
from matcha_p2p.games.kashi.view import game_of as state
from matcha_p2p.games.kashi.view import kashi_of, look
from matcha_p2p.seats import Seat
from matcha_p2p.table.seat import Player
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

variants: Final = (VARIANT,)


def called(variant: str) -> str:
    """Return the only variant, whatever the board."""
    del variant
    return VARIANT


def teams(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return all seats, each alone."""
    return tuple((Seat(seat),) for seat in range(seats))


def resigns(game: object, seat: Seat) -> bool:
    """Return False: nobody has a partner."""
    del game, seat
    return False


def begin(variant: str) -> Kashi:
    """Return a game of three seats before its first coin.

    Raises:
        ValueError: the variant is unknown.
    """
    game = new_game(variant, TABLES[0])
    if game is None:
        raise ValueError(f"{variant} is not {VARIANT}")
    return game


def dealt(table: Table) -> bool:
    """Tell whether the first seat is drawn; moves begin then."""
    return kashi_of(table).drawn


def hand(player: Player, table: Table) -> tuple[Any, ...]:
    """Return (): nobody holds a hidden card."""
    del player, table
    return ()


def running(table: Table) -> int:
    """Return 0: everything lies open, so watchers never wait."""
    del table
    return 0


def begun(table: Table) -> int:
    """Return how many rounds of turns have begun; 0 before the first seat is drawn."""
    if not dealt(table):
        return 0
    game = state(table)
    turns = game.turns + (not isinstance(game.phase, Ended))
    return -(-turns // len(game.players))


def ended(table: Table, resigned: Seat | None) -> GameEnded | None:
    """Return how the game has ended; None while the game is undecided."""
    game = state(table)
    if resigned is not None:
        others = tuple(seat for seat in game.seats if seat != resigned)
        return replace(ending(game), winners=others, how=RESIGNED)
    return ending(game) if isinstance(game.phase, Ended) else None


def again(table: Table) -> tuple[str, tuple[Seat, ...]]:
    """Return the next game: board and seats stay, and a coin draws the first again."""
    return kashi_of(table).variant, table.seats
