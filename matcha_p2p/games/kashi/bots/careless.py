"""A style without a plan."""

import random

from matcha_p2p.games.kashi.rules.choices import legal_actions
from matcha_p2p.games.kashi.rules.moves import Fulfil, TurnAction
from matcha_p2p.games.kashi.rules.state import GameState

_STOPS = 0.05


def careless(game: GameState, rng: random.Random) -> TurnAction | None:
    """Fulfil an order if one can be fulfilled; otherwise choose at random."""
    actions = legal_actions(game)
    if not actions or rng.random() < _STOPS:
        return None
    orders = [action for action in actions if isinstance(action, Fulfil)]
    return rng.choice(orders or actions)
