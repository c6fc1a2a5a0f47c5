"""A turn before its end: actions can be taken back until the turn is signed."""

from itertools import chain
from typing import NamedTuple

from matcha_p2p.games.kashi.rules.game import act
from matcha_p2p.games.kashi.rules.moves import TakeTurn, TurnAction
from matcha_p2p.games.kashi.rules.state import GameState, Turn


class Draft(NamedTuple):
    """A turn so far.

    start: the game at the beginning of the turn. game: the game after the actions. made: the
    actions, grouped as they are taken back.
    """

    start: GameState
    game: GameState
    made: tuple[tuple[TurnAction, ...], ...] = ()

    @property
    def turn(self) -> TakeTurn:
        """The turn, if it ended here."""
        return TakeTurn(tuple(chain.from_iterable(self.made)))

    @property
    def ap(self) -> int:
        """The action points left."""
        return self.game.phase.ap if isinstance(self.game.phase, Turn) else 0

    def longer(self, actions: tuple[TurnAction, ...]) -> "Draft":
        """Return the turn with ``actions``, to be taken back together.

        Raises:
            RefusedError: the rules forbid an action.
        """
        game = self.game
        for action in actions:
            game = act(game, action)
        return Draft(self.start, game, (*self.made, actions))

    def shorter(self) -> "Draft":
        """Return the turn without its last actions."""
        draft = begin(self.start)
        for actions in self.made[:-1]:
            draft = draft.longer(actions)
        return draft


def begin(game: GameState) -> Draft:
    """Return a turn without actions."""
    return Draft(game, game)
