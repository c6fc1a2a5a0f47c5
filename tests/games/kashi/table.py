"""Whole games of bots over the table."""

import random
from dataclasses import dataclass
from functools import cache

from matcha_p2p.games.kashi.bots.bot import Bot
from matcha_p2p.games.kashi.bots.roster import BOTS
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.table.steps import VARIANT, Kashi, new_game
from matcha_p2p.games.kashi.table.view import game_of
from matcha_p2p.table.table import Table
from tests.table.party import Party, begun

SEATS = (3, 4)


@dataclass(frozen=True)
class Course:
    """A game at its end. tables: before each entry after the greetings, and the last."""

    party: Party
    tables: tuple[Table, ...]

    def find(self, phase: type) -> Table:
        """Return the first table at which the game is in ``phase``."""
        return next(
            table
            for table in self.tables
            if kashi(table).drawn and isinstance(game_of(table).phase, phase)
        )


def kashi(table: Table) -> Kashi:
    assert isinstance(table.game, Kashi)
    return table.game


def fresh(seats: int) -> Kashi:
    """Return the game before its first coin."""
    game = new_game(VARIANT, seats)
    assert game is not None
    return game


@cache
def course(seats: int, *, most: int = 10_000) -> Course:
    """Return the game of bots of both levels, or its first ``most`` entries."""
    party = begun(f"kashi {seats}", fresh(seats))
    rng = random.Random(seats)
    bots: list[Bot] = [BOTS["beginner"], *[BOTS["club"]] * (seats - 1)]
    tables = [party.table]
    while len(tables) < most and party.goes_on(
        lambda seat: bots[seat].choose(Outlook(game_of(party.table), seat), rng)
    ):
        tables.append(party.table)
    return Course(party, tuple(tables))
