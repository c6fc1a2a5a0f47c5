"""Games of Kashi-ichi for the vectors, played by seeded styles that need the rules alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, TypeAlias, TypeVar

from matcha_p2p.crypto.sponge import stream, uniform
from matcha_p2p.games.kashi.board.board_file import read_board
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.choices import legal_actions
from matcha_p2p.games.kashi.rules.state import GameState, Paying, Questioning, Starting, Turn
from matcha_p2p.games.kashi.rules.ways import Map, towards
from matcha_p2p.games.kashi.table.steps import VARIANT, new_game
from matcha_p2p.games.kashi.table.view import game_of
from matcha_p2p.games.kashi.table.written import is_name, text_of
from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table
from matcha_p2p.wire.entry import Entry
from protocol.generator.vectors import seed
from tests.table.party import Party, begun

Pick: TypeAlias = Callable[[int], int]
"""Returns a number below its argument."""
Style: TypeAlias = Callable[[GameState, Pick], moves.TurnAction | None]
"""Returns the next action of the running turn, or None to end the turn."""
T = TypeVar("T")

_SMALL_FILE: Final = """\
format = "kashi board 1"
idle = 1
goods = ["café", "\U00020bb7", "c", "d", "e"]
guests = ["A", "B", "C"]
grid = ["1a2bA", "aaabb", "3a4bB", "cc#bb", "C5ccc"]
starts = ["2 1", "2 3", "2 5", "5 3"]
areas = { a = [9, 4, 2], b = [7, 7, 1], c = [3, 0, 0] }
orders = [
  "12 A 6 2ap", "13 B 7 2g", "14 C 6 shop/2", "15 A 0 2ap 1g", "23 B 7 1 good",
  "24 C 7 2g 1 good:3", "25 A 6 shop/2", "34 B 7 2 good", "35 C 7 1 good:1 1 good:2",
  "45 A 6 shop/2", "123 B 10 shop/2 any", "124 C 11 3g", "135 A 10 shop/2 any",
  "145 B 11 1g 1 good", "234 C 99 99g", "235 A 10 2ap shop/2 any", "245 B 11 1g 1 good",
  "114 C 11 3g", "225 A 10 shop/2 any", "133 B 11 1g 1 good:2 1 good", "11 C 11 3g",
  "22 A 15 shop free any", "33 B 16 2g 1 good", "44 C 16 4g", "55 A 15 1g shop free any",
  "12 B 15 shop free any", "35 C 16 2g 1 good", "1455 A 16 4g settle",
  "1125 B 15 4 good settle", "3345 C 15 1 good:2 shop free any settle",
]
[start]
gold = { 3 = [30, 40, 9], 4 = [4, 4, 5, 5] }
points = { 3 = [0, 1, 30], 4 = [7, 7, 5, 5] }
ap = [9, 1, 5, 0]
[shops]
3 = [3, 1]
4 = [2, 1]
"""
"""A board that is small, has names of many letters, and each kind of bonus."""
SMALL: Final = f"{VARIANT} {text_of(read_board(_SMALL_FILE.encode(), is_name))}"

_RICH_ORDERS: Final = [
    f"{('11', '22', '12')[n % 3]} A {n % 7} {('shop free any', '2ap', '4g', '2ap')[n % 4]}"
    for n in range(27)
]
_RICH_FILE: Final = f"""\
format = "kashi board 1"
idle = 20
goods = ["a", "b", "c", "d", "e"]
guests = ["A", "B", "C"]
grid = ["1a2B", "aA34", "a5Ca"]
starts = ["1 2", "2 1", "3 1", "3 4"]
areas = {{ a = [0, 0, 0] }}
orders = {[*_RICH_ORDERS, *["1122 A 3 2ap settle"] * 3]}
[start]
gold = {{ 3 = [40, 40, 40], 4 = [40, 40, 40, 40] }}
points = {{ 3 = [0, 1, 9], 4 = [0, 1, 2, 9] }}
ap = [9, 9, 9, 9]
[shops]
3 = [5, 2]
4 = [5, 2]
"""
"""A board on which a turn can fulfil many orders, and shops are worth no points."""
RICH: Final = f"{VARIANT} {text_of(read_board(_RICH_FILE.encode(), is_name))}"


@dataclass(frozen=True)
class Played:
    """A game at its end. tables: before each entry after the greetings, and the last."""

    label: str
    party: Party
    tables: tuple[Table, ...]

    @property
    def log(self) -> tuple[Entry, ...]:
        """All entries."""
        return tuple(self.party.entries)

    def table(self, place: int) -> Table:
        """Return the table before the entry at ``place``."""
        return self.tables[place - len(self.party.players)]


def deliver(game: GameState, pick: Pick) -> moves.TurnAction | None:
    """Go, buy and fulfil for the nearest order; at times do anything."""
    actions = legal_actions(game)
    orders = [action for action in actions if isinstance(action, moves.Fulfil)]
    if orders:
        return _one_of(orders, pick)
    if not actions or pick(10) < 3:
        return _one_of(actions, pick) if actions else None
    seat = game.next_seat
    path = Map(game, seat).ways()[0]
    if game.players[seat].person != path.stops[0]:
        return towards(game, seat, path.stops[0])
    buys = [action for action in actions if isinstance(action, moves.Buy)]
    gold = [action for action in actions if isinstance(action, moves.TakeGold)]
    useful: Sequence[moves.TurnAction] = buys or gold
    return _one_of(useful, pick) if useful else None


def build(game: GameState, pick: Pick) -> moves.TurnAction | None:
    """Lay shops, and otherwise do anything."""
    actions = legal_actions(game)
    shops = [action for action in actions if isinstance(action, moves.LayShop)]
    return _one_of(shops or actions, pick) if actions else None


def spend(game: GameState, pick: Pick) -> moves.TurnAction | None:
    """Lay a shop whenever possible, and otherwise deliver."""
    actions = legal_actions(game)
    shops = [action for action in actions if isinstance(action, moves.LayShop)]
    return _one_of(shops, pick) if shops else deliver(game, pick)


def hoard(game: GameState, pick: Pick) -> moves.TurnAction | None:
    """Buy, and otherwise go anywhere or take gold."""
    actions = legal_actions(game)
    buys = [action for action in actions if isinstance(action, moves.Buy)]
    others = [each for each in actions if isinstance(each, moves.Go | moves.TakeGold)]
    return _one_of(buys or others, pick) if others else None


def gather(game: GameState, pick: Pick) -> moves.TurnAction | None:
    """Buy as much as one can hold, and fulfil several orders at once."""
    actions = legal_actions(game)
    if not actions:
        return None
    seat, own = game.next_seat, game.players[game.next_seat]
    orders = [action for action in actions if isinstance(action, moves.Fulfil)]
    several = len({action.order for action in orders}) > 1
    fulfilled = isinstance(game.phase, Turn) and game.phase.done > 0
    if orders and (several or fulfilled or sum(own.goods) > 6):
        return _one_of(orders, pick)
    buys = [action for action in actions if isinstance(action, moves.Buy)]
    if buys and sum(own.goods) < 8:
        return _one_of(buys, pick)
    if pick(10) == 0:
        return _one_of(actions, pick)
    stop = Map(game, seat).ways()[0].stops[0]
    if own.person != stop:
        return towards(game, seat, stop)
    gold = [action for action in actions if isinstance(action, moves.TakeGold)]
    useful: Sequence[moves.TurnAction] = orders or gold
    return useful[0] if useful else None


def _one_of(items: Sequence[T], pick: Pick) -> T:
    return items[pick(len(items))]


def rest(_: GameState, __: Pick) -> None:
    """Do nothing."""


def chooser(style: Style) -> Callable[[GameState, Pick], moves.Move]:
    """Return the choices of a seat that makes its turns by ``style``."""

    def choose(game: GameState, pick: Pick) -> moves.Move:
        match game.phase:
            case Starting():
                return moves.StartAt(_one_of(game.board.starts, pick))
            case Paying((seat, *_)):
                return moves.PayUpkeep(pick(1 + rules.most_paid(game.players[seat])))
            case Questioning():
                return moves.AnswerIdle(settle=pick(10) < 3)
            case _:
                return _turn(game, style, pick)

    return choose


def _turn(game: GameState, style: Style, pick: Pick) -> moves.TakeTurn:
    made: list[moves.TurnAction] = []
    while (action := style(game, pick)) is not None:
        made.append(action)
        game = rules.act(game, action)
    return moves.TakeTurn(tuple(made))


GAMES: Final[dict[str, tuple[str, Sequence[Style]]]] = {
    "kashi three": (VARIANT, (deliver, deliver, deliver)),
    "kashi four 3": (VARIANT, (spend, deliver, spend, spend)),
    "kashi small 12": (SMALL, (deliver, build, hoard)),
    "kashi idle": (SMALL, (rest, rest, rest, rest)),
}
"""By label the variant, and the style of each seat."""


@cache
def played(label: str) -> Played:
    """Return a whole game."""
    variant, styles = GAMES[label]
    game = new_game(variant, len(styles))
    if game is None:
        raise ValueError(variant)
    party = begun(label, game)
    source = stream(seed(label))
    tables = [party.table]

    def choose(seat: Seat) -> moves.Move:
        return chooser(styles[seat])(game_of(party.table), partial(uniform, source))

    while party.goes_on(choose):
        tables.append(party.table)
    return Played(label, party, tuple(tables))
