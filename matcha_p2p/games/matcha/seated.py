"""The answers of Matcha to a program that plays or reads a game (``games/game.py``)."""

from typing import Final

from matcha_p2p.games.matcha.events import GameEnded
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.game import resign
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Ended
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.steps import REMATCH, Matcha, new_game
from matcha_p2p.games.matcha.told import told
from matcha_p2p.games.matcha.view import game_of as state
from matcha_p2p.games.matcha.view import look, matcha_of
from matcha_p2p.games.matcha.view import own_faces as hand
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

variants: Final = tuple(EDITIONS)


def called(variant: str) -> str:
    """Return the edition of a game or of a rematch."""
    return variant.removesuffix(REMATCH)


def teams(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return both seats, each alone."""
    return tuple((Seat(seat),) for seat in range(seats))


def resigns(game: object, seat: Seat) -> bool:
    """Return False: nobody has a partner."""
    del game, seat
    return False


def begin(variant: str) -> Matcha:
    """Return Matcha before its first coin.

    Raises:
        ValueError: the edition is unknown.
    """
    game = new_game(variant, 2)
    if game is None:
        raise ValueError(f"{variant} is none of {', '.join(EDITIONS)}")
    return game


def dealt(table: Table) -> bool:
    """Tell whether the first hands are dealt."""
    game = matcha_of(table)
    return game.state.number > 1 or game.stage is None


def running(table: Table) -> int:
    """Return how many moves were made in the running round."""
    rounds = state(table).rounds
    if not rounds or rounds[-1].resolutions:
        return 0
    return sum(not turn.auto for turn in rounds[-1].turns)


def begun(table: Table) -> int:
    """Return the number of the set on the table; 0 before the first set."""
    game = state(table)
    match game.phase:
        case AwaitingDeal():  # the next set has begun, but the last set still lies there
            return game.number - 1
        case _:
            return game.number


def ended(table: Table, resigned: Seat | None) -> GameEnded | None:
    """Return how the game has ended; None while the game is undecided."""
    game = state(table)
    if resigned is not None:
        game = resign(game, resigned)
    match game.phase:
        case Ended() as end:
            return GameEnded(end, game.tokens)
        case _:
            return None


def again(table: Table) -> tuple[str, tuple[Seat, Seat]]:
    """Return the next game's variant and seats: seat 0, the old second dealer, deals first."""
    game = state(table)
    moved_on = game.number % 2 == 0  # the deal goes round with every set (R15)
    first_dealer = opposite(game.dealer) if moved_on else game.dealer
    return game.edition.name + REMATCH, (opposite(first_dealer), first_dealer)
