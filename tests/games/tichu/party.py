"""Games of Tichu at a table in memory, with players that choose at random."""

import random
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from matcha_p2p.games.tichu.rules.actions import AnswerGrand, GiveCards, Hold, Lay, Pass
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.games.tichu.table.events import TichuEvent
from matcha_p2p.games.tichu.table.steps import Tichu, new_game
from matcha_p2p.games.tichu.table.told import told
from matcha_p2p.games.tichu.table.view import look
from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table, next_due
from matcha_p2p.wire.entry import Entry
from tests.table.party import Party, begun


class Course(NamedTuple):
    """A game that was played: each table on the way, and what each seat saw and decided."""

    party: Party
    tables: tuple[Table, ...]
    decided: tuple[tuple[Observation, Any], ...]

    @property
    def entries(self) -> list[tuple[Table, Entry, Table]]:
        """What was said after the greetings, and the tables before and after it."""
        said = zip(pairwise(self.tables), self.party.entries[4:], strict=True)
        return [(before, entry, after) for (before, after), entry in said]


def game(variant: str = "round") -> Tichu:
    found = new_game(variant, 4)
    assert found is not None
    return found


def lawful(view: Observation, chance: random.Random) -> Any:
    """Return a legal answer; calls and bombs are few."""
    tichu = view.may_call() and chance.random() < 0.02
    match view.asked:
        case Ask.GRAND:
            return AnswerGrand(chance.random() < 0.1)
        case Ask.PUSH:
            first, second, third = chance.sample(range(14), 3)
            return GiveCards((first, second, third), tichu)
        case _:
            legal = [move for move in view.legal_moves() if getattr(move, "tichu", 0) == tichu]
            plays = [move for move in legal if isinstance(move, Lay)]
            idle = [move for move in legal if isinstance(move, Hold | Pass)]
            return chance.choice(idle if idle and chance.random() < 0.4 else plays or legal)


def play_on(party: Party, choose: Callable[[Observation], Any]) -> Course:
    """Play ``party`` to its end."""
    tables, decided = [party.table], []
    heard: dict[Seat, list[TichuEvent]] = {player.seat: [] for player in party.players}
    done = 0

    def decide(seat: Seat) -> Any:
        nonlocal done
        for player in party.players:
            heard[player.seat] += told(party.events[done:], player)
        done = len(party.events)
        view = look(party.players[seat], party.table, heard[seat])
        move = choose(view)
        decided.append((view, move))
        return move

    while party.goes_on(decide):
        tables.append(party.table)
    return Course(party, tuple(tables), tuple(decided))


@cache
def course(seed: int, variant: str = "round") -> Course:
    """Return a game of lawful moves at random."""
    chance = random.Random(seed)
    return play_on(begun(f"tichu {seed}", game(variant)), lambda view: lawful(view, chance))


def until(seed: str, ready: Callable[[Table], bool], variant: str = "round") -> Party:
    """Return a party whose table is ``ready`` for the first time."""
    party = begun(seed, game(variant))
    chance = random.Random(seed)
    while not ready(party.table):
        assert next_due(party.table) is not None
        party.goes_on(lambda seat: lawful(look(party.players[seat], party.table, ()), chance))
    return party
