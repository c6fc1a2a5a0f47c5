"""A hint in practice."""

import random
from typing import NamedTuple

from matcha_p2p.games.kashi.bots.keen import KEEN
from matcha_p2p.games.kashi.rules.moves import Move, TakeTurn
from matcha_p2p.games.kashi.rules.orders import OrderNumber
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import Turn


class Advice(NamedTuple):
    """A move and, of a turn, the order and the action points left, as of a Plan."""

    move: Move
    order: OrderNumber | None = None
    ap: int = 0


def advise(outlook: Outlook) -> Advice:
    """Return the move of the bot keen, or the rest of a turn that has begun."""
    game, seat = outlook
    if isinstance(game.phase, Turn):
        plan = KEEN.plan(game, seat, random.Random(0))
        return Advice(TakeTurn(plan.actions), plan.order, plan.ap)
    return Advice(KEEN.choose(outlook, random.Random(0)))
