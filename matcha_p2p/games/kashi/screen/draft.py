"""A turn that is not ended yet: actions come and are taken back, and nothing is signed."""

from dataclasses import dataclass, replace

from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.actions import here
from matcha_p2p.games.kashi.rules.moves import (
    DECLINE,
    Decline,
    Fulfil,
    TakeTurn,
    TurnAction,
)
from matcha_p2p.games.kashi.rules.state import GameState, Keeper, Turn
from matcha_p2p.seats import Seat


@dataclass(frozen=True, slots=True)
class Draft:
    """The running turn of ``seat``.

    begun: the game at the beginning of the turn. made: the actions so far. game: the game
    after these actions.
    """

    seat: Seat
    begun: GameState
    game: GameState
    made: tuple[TurnAction, ...] = ()

    @property
    def player(self) -> Keeper:
        """The belongings of the seat now."""
        return self.game.players[self.seat]

    @property
    def at(self) -> int:
        """The square of the person now."""
        return here(self.player)

    @property
    def turn(self) -> Turn:
        """The state of the turn now."""
        assert isinstance(self.game.phase, Turn)  # noqa: S101 -- an action ends no turn
        return self.game.phase

    @property
    def move(self) -> TakeTurn:
        """The turn as a choice."""
        return TakeTurn(self.made)

    def do(self, *actions: TurnAction) -> "Draft":
        """Return the turn with ``actions`` more.

        Raises:
            RefusedError: an action is not allowed.
        """
        game = self.game
        for action in actions:
            game = rules.act(game, action)
        return replace(self, game=game, made=(*self.made, *actions))

    def back(self, count: int = 1) -> "Draft":
        """Return the turn without the last ``count`` actions."""
        kept = self.made[: len(self.made) - count]
        return drafted(self.begun, self.seat).do(*kept)

    def decline(self) -> "Draft | None":
        """Return the turn without the bonus of the order just fulfilled, or None."""
        match self.made:
            case [*_, Fulfil(wish=Decline())]:
                return None
            case [*_, Fulfil(order)]:
                return self.back().do(Fulfil(order, DECLINE))
            case _:
                return None


def drafted(game: GameState, seat: Seat) -> Draft:
    """Return a turn without an action yet."""
    return Draft(seat, game, game)
