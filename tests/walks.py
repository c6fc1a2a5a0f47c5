"""Ways to play that between them lead a duel through everything that can happen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.table.view import matcha_of
from matcha_p2p.table.messages import Action
from matcha_p2p.table.step import Taken
from matcha_p2p.table.steps import COINS
from matcha_p2p.table.table import Table
from matcha_p2p.wire.entry import Entry
from tests.duel import Chooser, Duel, chooser, next_entry, opened


@dataclass(frozen=True)
class Way:
    """A duel to be. spent: both coin chains are used up once cards have been dealt."""

    seed: str
    edition: str
    choosers: tuple[Chooser, Chooser]
    spent: bool = False

    def begin(self) -> Duel:
        """Return the duel after the greetings."""
        return opened(self.seed, self.edition)

    def entries(self, duel: Duel) -> Iterator[Entry]:
        """Yield each further entry; the receiver of it has to say it to ``duel``."""
        while (entry := next_entry(duel, self.choosers)) is not None:
            yield entry
            game = matcha_of(duel.table)
            if self.spent and game.stage is None:
                spent = game._replace(coins=COINS)
                duel.state = duel.table._replace(coins=COINS, game=spent)


def actions(way: Way) -> Iterator[tuple[Table, Seat, Action]]:
    """Yield every action after the greetings, its author and the table before it."""
    duel = way.begin()
    for entry in way.entries(duel):
        for event in duel.say(entry):
            if isinstance(event, Taken):
                yield event.before, event.seat, event.action


def lone(observation: Observation) -> Move:
    """Lay one card a round where the other lays none: the dealer at the number mat."""
    return _lay(observation, lambda mat: mat % 2 != _is_dealer(observation), limit=1)


def last(observation: Observation) -> Move:
    """Lay one card a round as ``lone`` does, but if not the dealer in the second turn only."""
    early = not _is_dealer(observation) and not _turns(observation)
    return PASS if early else lone(observation)


def emptying(observation: Observation) -> Move:
    """Lay all five cards, the fifth at the number mat."""
    return _lay(observation, lambda _: True, limit=2)


def dodging(observation: Observation) -> Move:
    """Lay all five cards, the fifth where the other lays none."""
    if len(observation.game.rounds) == 3:
        return lone(observation)
    return emptying(observation)


def hoarding(observation: Observation) -> Move:
    """Play as ``lone`` does, and keep all that is left."""
    match observation.legal_moves():
        case (*_, Keep() as everything):
            return everything
        case _:
            return lone(observation)


def _lay(observation: Observation, wanted: Callable[[int], bool], limit: int) -> Move:
    """Lay the first card there is at the first mat wanted; of kept cards, keep none."""
    match observation.legal_moves():
        case (Keep() as none, *_):
            return none
        case moves if sum(isinstance(turn, Play) for turn in _turns(observation)) < limit:
            plays = (m for m in moves if isinstance(m, Play) and wanted(m.mat))
            return next(plays, PASS)
        case _:
            return PASS


def _is_dealer(observation: Observation) -> bool:
    return observation.game.dealer == observation.seat


def _turns(observation: Observation) -> list[Play | Pass]:
    turns = observation.game.rounds[-1].turns
    return [turn.move for turn in turns if turn.seat == observation.seat]


def uniform(number: int) -> tuple[Chooser, Chooser]:
    """Return two players that do anything."""
    return chooser("uniform", f"a{number}"), chooser("uniform", f"b{number}")


def ways() -> Iterator[Way]:
    """Yield duels that between them take every step of protocol/machine.toml."""
    for number in range(4):
        yield Way(f"uniform {number}", "2015", uniform(number))
        yield Way(f"uniform {number}", "2020", uniform(number))
    yield Way("z 4", "2015", (hoarding, hoarding))
    for style in (emptying, dodging):
        yield Way(style.__name__, "2015", (style, style))
    for style in (lone, emptying, dodging):
        yield Way(style.__name__, "2015", (style, style), spent=True)
    yield Way("last 0", "2020", (last, last))
