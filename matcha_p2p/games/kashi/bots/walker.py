"""A bot that finds its turn action by action."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.games.kashi.rules.game import act, most_paid
from matcha_p2p.games.kashi.rules.moves import (
    AnswerIdle,
    Move,
    PayUpkeep,
    StartAt,
    TakeTurn,
    TurnAction,
)
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import GameState, Paying, Questioning, Starting

Style: TypeAlias = Callable[[GameState, random.Random], TurnAction | None]
"""Chooses the next action of the running turn; None ends the turn."""


@dataclass(frozen=True)
class Walker:
    """Chooses each action by ``style``, pays all upkeep that it can, and never waits."""

    name: str
    style: Style

    def choose(self, outlook: Outlook, rng: random.Random, /) -> Move:
        """Return a legal move; the seat of ``outlook`` is due."""
        game, seat = outlook
        match game.phase:
            case Starting():
                return StartAt(rng.choice(game.board.starts))
            case Paying():
                return PayUpkeep(most_paid(game.players[seat]))
            case Questioning():
                return AnswerIdle(settle=True)
            case _:
                return self._turn(game, rng)

    def _turn(self, game: GameState, rng: random.Random) -> TakeTurn:
        made: list[TurnAction] = []
        while (action := self.style(game, rng)) is not None:
            made.append(action)
            game = act(game, action)
        return TakeTurn(tuple(made))
