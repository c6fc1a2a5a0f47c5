"""The answers of Matcha to a program that plays or reads a game (``games/game.py``)."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.game import Event, Rules
from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.game import resign
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Ended
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.table import events
from matcha_p2p.games.matcha.table.events import GameEnded, ended_by
from matcha_p2p.games.matcha.table.steps import variant_of, without_dealer
from matcha_p2p.games.matcha.table.told import told
from matcha_p2p.games.matcha.table.view import game_of, look, own_faces
from matcha_p2p.table import step
from matcha_p2p.table.seat import Player
from matcha_p2p.table.table import Table


class MatchaRules(Rules):
    """The parts of a game are the sets."""

    def told(
        self, events: Sequence[step.TableEvent], player: Player | None = None
    ) -> tuple[events.Event, ...]:
        """Return the player's events (``told.py``)."""
        return told(events, player)

    def look(self, player: Player, table: Table, told: Sequence[Event]) -> Observation:
        """Return the player's view (``view.py``)."""
        return look(player, table, told)

    def state(self, table: Table) -> GameState:
        """Return the public state of the game (``view.py``)."""
        return game_of(table)

    def hand(self, player: Player, table: Table) -> tuple[Face, ...]:
        """Return the faces of the player's cards as dealt (``view.py``)."""
        return own_faces(player, table)

    def called(self, variant: str) -> str:
        """Return the edition of a game or of a rematch."""
        return without_dealer(variant)

    def running(self, table: Table) -> int:
        """Return how many moves were made in the running round."""
        rounds = game_of(table).rounds
        if not rounds or rounds[-1].resolutions:
            return 0
        return sum(not turn.auto for turn in rounds[-1].turns)

    def begun(self, table: Table) -> int:
        """Return the number of the set on the table; 0 before the first set."""
        game = game_of(table)
        match game.phase:
            case AwaitingDeal():  # the next set has begun, but the last set still lies there
                return game.number - 1
            case _:
                return game.number

    def ended(self, table: Table, resigned: Seat | None) -> GameEnded | None:
        """Return how the game has ended; None while the game is undecided."""
        game = game_of(table)
        if resigned is not None:
            game = resign(game, resigned)
        match game.phase:
            case Ended() as end:
                return ended_by(end, game.tokens)
            case _:
                return None

    def again(self, table: Table) -> str:
        """Return the variant of the next game: the second dealer of this game deals first."""
        game = game_of(table)
        moved_on = game.number % 2 == 0  # the deal goes round with every set (R15)
        first_dealer = opposite(game.dealer) if moved_on else game.dealer
        return variant_of(game.edition, opposite(first_dealer))


RULES: Final = MatchaRules()
