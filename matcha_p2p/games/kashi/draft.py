"""A turn before its end: actions come and are taken back, and nothing is signed."""

from typing import NamedTuple

from matcha_p2p.games.kashi.rules.actions import here
from matcha_p2p.games.kashi.rules.game import act
from matcha_p2p.games.kashi.rules.moves import (
    DECLINE,
    Decline,
    Fulfil,
    TakeTurn,
    TurnAction,
)
from matcha_p2p.games.kashi.rules.state import GameState, Keeper, Turn
from matcha_p2p.seats import Seat


class Draft(NamedTuple):
    """A turn so far.

    start: the game at the beginning of the turn. game: the game after the actions. made: the
    actions.
    """

    start: GameState
    game: GameState
    made: tuple[TurnAction, ...] = ()

    @property
    def turn(self) -> TakeTurn:
        """The turn, if it ended here."""
        return TakeTurn(self.made)

    @property
    def _phase(self) -> Turn:
        match self.game.phase:
            case Turn() as phase:
                return phase
            case other:
                raise ValueError(f"no turn can be drafted in {other}")

    @property
    def seat(self) -> Seat:
        """The seat that has the turn."""
        return self._phase.seat

    @property
    def ap(self) -> int:
        """The action points left."""
        return self._phase.ap

    @property
    def player(self) -> Keeper:
        """The belongings of the seat now."""
        return self.game.players[self.seat]

    @property
    def at(self) -> int:
        """The square of the person now."""
        return here(self.player)

    def do(self, *actions: TurnAction) -> "Draft":
        """Return the turn with ``actions`` more.

        Raises:
            RefusedError: the rules forbid an action.
        """
        game = self.game
        for action in actions:
            game = act(game, action)
        return Draft(self.start, game, (*self.made, *actions))

    def back(self) -> "Draft":
        """Return the turn without its last action."""
        return begin(self.start).do(*self.made[:-1])

    def decline(self) -> "Draft | None":
        """Return the turn without the bonus of the order just fulfilled, or None."""
        match self.made:
            case [*_, Fulfil(wish=Decline())]:
                return None
            case [*_, Fulfil(order)]:
                return self.back().do(Fulfil(order, DECLINE))
            case _:
                return None


def begin(game: GameState) -> Draft:
    """Return a turn without actions."""
    return Draft(game, game)
