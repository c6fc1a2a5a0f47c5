"""The answers of Tichu to a program that plays or reads a game (``games/game.py``)."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.games.game import Event, Rules
from matcha_p2p.games.tichu.rules.cards import FACES
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import TEAMS
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.events import GameEnded
from matcha_p2p.games.tichu.table.steps import Tichu
from matcha_p2p.games.tichu.table.told import end_of, told
from matcha_p2p.games.tichu.table.view import game_of, look, own_faces
from matcha_p2p.seats import Seat
from matcha_p2p.table import step
from matcha_p2p.table.seat import Player
from matcha_p2p.table.table import Table

BEHIND: Final = 200
"""The points of a double victory: a team that lacks fewer can be ahead after one round."""


class TichuRules(Rules):
    """The parts of a game are the rounds."""

    def told(
        self, events: Sequence[step.TableEvent], player: Player | None = None
    ) -> tuple[events.TichuEvent, ...]:
        """Return the player's events (``told.py``)."""
        return told(events, player)

    def look(self, player: Player, table: Table, told: Sequence[Event]) -> Observation:
        """Return the player's view (``view.py``)."""
        return look(player, table, told)

    def state(self, table: Table) -> Tichu:
        """Return the public state of the game (``view.py``)."""
        return game_of(table)

    def hand(self, player: Player, table: Table) -> tuple[int, ...]:
        """Return the faces of the player's cards as dealt (``view.py``)."""
        return own_faces(player, table)

    def teams(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Return the two teams."""
        del seats
        return TEAMS

    def resigns(self, game: Tichu, seat: Seat) -> bool:
        """Tell whether a bot at ``seat`` gives up if the partner does (T34).

        Only the points count, which all see: a bot that peeks into no hand can know no more.
        """
        own = seat % 2
        return game.totals[1 - own] - game.totals[own] >= BEHIND

    def running(self, table: Table) -> int:
        """Return how many moves were made in the round that is not over."""
        return game_of(table).moves

    def window(self, table: Table) -> int:
        """Return the number of the play that lies, 0 at a lead: a bomb may follow."""
        game = game_of(table)
        return game.number * len(FACES) + len(game.laid) if game.round.under is not None else 0

    def begun(self, table: Table) -> int:
        """Return the number of the round; 0 before the first round."""
        return game_of(table).number

    def ended(self, table: Table, resigned: Seat | None) -> GameEnded | None:
        """Return how the game has ended; None while the game is undecided."""
        return end_of(game_of(table), resigned)


RULES: Final = TichuRules()
