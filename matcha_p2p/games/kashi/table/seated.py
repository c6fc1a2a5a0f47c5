"""The answers of Kashi-ichi to a program that plays or reads a game (``games/game.py``)."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.game import Event, Rules
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import Ended, GameState
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.table.events import GameEnded
from matcha_p2p.games.kashi.table.steps import VARIANT
from matcha_p2p.games.kashi.table.told import ending, given_up, told
from matcha_p2p.games.kashi.table.view import game_of, kashi_of
from matcha_p2p.seats import Seat
from matcha_p2p.table import step
from matcha_p2p.table.seat import Player
from matcha_p2p.table.table import Table


class KashiRules(Rules):
    """The parts of a game are the rounds of turns; everything lies open."""

    def told(
        self, events: Sequence[step.TableEvent], player: Player | None = None
    ) -> tuple[events.Event, ...]:
        """Return the player's events (``told.py``)."""
        return told(events, player)

    def look(self, player: Player, table: Table, told: Sequence[Event]) -> Outlook:
        """Return the player's view: nothing is hidden."""
        del told
        return Outlook(game_of(table), player.seat)

    def state(self, table: Table) -> GameState:
        """Return the public state of the game (``view.py``)."""
        return game_of(table)

    def called(self, variant: str) -> str:
        """Return the only variant, whatever the board."""
        del variant
        return VARIANT

    def begun(self, table: Table) -> int:
        """Return how many rounds of turns have begun; 0 before the first seat is drawn."""
        if not kashi_of(table).drawn:
            return 0
        game = game_of(table)
        turns = game.turns + (not isinstance(game.phase, Ended))
        return -(-turns // len(game.players))

    def ended(self, table: Table, resigned: Seat | None) -> GameEnded | None:
        """Return how the game has ended; None while the game is undecided."""
        game = game_of(table)
        if resigned is not None:
            return given_up(game, resigned, begun=kashi_of(table).drawn)
        return ending(game) if isinstance(game.phase, Ended) else None


RULES: Final = KashiRules()
