"""A bot that finds its turn action by action."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.game import act, most_paid
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import GameState, Paying, Questioning, Starting

Style: TypeAlias = Callable[[GameState, random.Random], moves.TurnAction | None]
"""Chooses the next action of the running turn; None ends the turn."""


@dataclass(frozen=True)
class Walker:
    """Chooses each action by ``style``, pays all upkeep that it can, and never waits."""

    name: str
    style: Style

    def choose(self, outlook: Outlook, rng: random.Random, /) -> moves.Move:
        """Return a legal move; the seat of ``outlook`` is due."""
        game, seat = outlook
        match game.phase:
            case Starting():
                return moves.StartAt(rng.choice(game.board.starts))
            case Paying():
                return moves.PayUpkeep(most_paid(game.players[seat]))
            case Questioning():
                return moves.AnswerIdle(settle=True)
            case _:
                return moves.TakeTurn(self.turn(game, rng))

    def turn(self, game: GameState, rng: random.Random) -> tuple[moves.TurnAction, ...]:
        """Return the rest of the running turn."""
        made: list[moves.TurnAction] = []
        while (action := self.style(game, rng)) is not None:
            made.append(action)
            game = act(game, action)
        return tuple(made)
