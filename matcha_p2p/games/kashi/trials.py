"""How fair a board is: its counts, and how often each seat and each style of play wins."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from matcha_p2p.games.front import CommandOutput, Pool
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.bots import roster as bots_roster
from matcha_p2p.games.kashi.bots.arena import MOST_TURNS, SeatWins, Wins, match, play
from matcha_p2p.games.kashi.bots.careless import careless
from matcha_p2p.games.kashi.bots.greedy import Greedy
from matcha_p2p.games.kashi.bots.walker import Style, Walker
from matcha_p2p.games.kashi.rules.game import TABLES
from matcha_p2p.games.kashi.rules.orders import GOODS, GUESTS, ORDERS
from matcha_p2p.games.kashi.table.written import digest
from matcha_p2p.games.kashi.words.names import shown
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed

Results = TypeVar("Results", Wins, SeatWins)

_GOOD: Final = Sentence("The board {name} has no fault. Its digest is {digest}.")
_COUNT: Final = Sentence("{name} {count}")
_UNEVEN: Final = Sentence("Some goods are needed far more often: {counts}.")
_GUESTS: Final = Sentence("The guests do not have as many orders each: {counts}.")
_RATES: Final = Sentence(
    "{seats} seats, {games} games of {bot}: the seats win {rates}; standard error {error}."
)
_STYLE: Final = Sentence(
    "{seats} seats, {games} games: {style} wins {rate} among bots of the level club. An equal "
    "share is {share}; standard error {error}."
)
_RATE: Final = Sentence("{rate:.1%}")
_UNFINISHED: Final = Sentence("Games without an end after {turns} turns: {count}.")
_UNFAIR: Final = Sentence("The seats are unequal by more than {points} points in 100.")

_QUICK: Final = ("beginner", "club")
"""The bots that play thousands of games within minutes."""
STYLES: Final[Mapping[str, Style]] = MappingProxyType(
    {"careless": careless, "no-shops": Greedy(shops=0, worth=0), "shops": Greedy(worth=2)}
)
"""Ways to play that a board should neither force nor forbid."""
_NAMES: Final = {
    "careless": Sentence("a player without a plan"),
    "no-shops": Sentence("a player who lays no shops"),
    "shops": Sentence("a player who values shops twice"),
}

_SPREAD: Final = 0.2
"""How far the goods may be apart, as a part of their mean."""
_ADVANTAGE: Final = 0.02
"""By how much a seat may win more or less often than its share."""
_CHUNK: Final = 25
"""Games for a process at a time."""


def trials(
    board: Board, name: str, games: int | None, seed: int, pool: Pool
) -> Iterator[CommandOutput]:
    """Yield the digest of ``board``, then how often each seat wins, and each style.

    name: of a board without a name. games: how many games bots play for each number of seats,
    None for no games. All chance in the games comes from ``seed``.
    """
    code = digest(board).hex()
    said = _GOOD(name=board.name or name, digest=code[:16])
    fact = {"name": board.name, "digest": code}
    yield CommandOutput("board", fact, said, tuple(_warnings(board)))
    for seats in TABLES if games else ():
        table, count = _Table(board, seats, str(seed), pool), games or 0
        for bot in _QUICK:
            yield table.try_seats(bot, count)
        decks = math.ceil(count / seats)  # a style plays each deck from each seat
        for style in STYLES:
            yield table.try_style(style, decks)


def _warnings(board: Board) -> Iterator[str]:
    goods = [sum(order.goods[good] for order in board.orders) for good in range(GOODS)]
    if max(goods) - min(goods) > _SPREAD * sum(goods) / GOODS:
        yield _UNEVEN(counts=_counts(board.goods, goods))
    orders = [sum(order.guest == guest for order in board.orders) for guest in range(GUESTS)]
    if set(orders) != {ORDERS // GUESTS}:
        yield _GUESTS(counts=_counts(board.guests, orders))


def _counts(names: tuple[str, ...], counts: list[int]) -> str:
    pairs = zip(names, counts, strict=True)
    return listed(_COUNT(name=shown(name), count=count) for name, count in pairs)


class _Table(NamedTuple):
    """The table of a trial. seed: of all chance. pool: plays the games."""

    board: Board
    seats: int
    seed: str
    pool: Pool

    def try_seats(self, bot: str, games: int) -> CommandOutput:
        """Let one bot play at all seats."""
        seats = self.seats
        work = partial(play, self.board, seats, bots_roster.BOTS[bot], seed=self.seed)
        wins = self._pooled(work, games, Wins((0.0,) * seats))
        rates, error = [won / games for won in wins.seats], _error(seats, games)
        played = {"seats": seats, "bot": bot, "games": games}
        counted = {"wins": list(wins.seats), "unfinished": wins.unfinished}
        shares = listed(_RATE(rate=rate) for rate in rates)
        warnings = _unfinished(wins.unfinished)
        if max(abs(rate - 1 / seats) for rate in rates) > _ADVANTAGE + 2 * error:
            warnings += (_UNFAIR(points=round(100 * _ADVANTAGE)),)
        said = _RATES(**played, rates=shares, error=_RATE(rate=error))
        return CommandOutput("seats", {**played, **counted, "error": error}, said, warnings)

    def try_style(self, style: str, decks: int) -> CommandOutput:
        """Let one player of the style play among bots of the level club."""
        seats = self.seats
        pair = (Walker(style, STYLES[style]), bots_roster.BOTS["club"])
        work = partial(match, self.board, seats, pair, seed=self.seed)
        wins = self._pooled(work, decks, SeatWins(0, (0.0,) * seats))
        error, played = _error(seats, wins.games), {"seats": seats, "games": wins.games}
        counted = {"wins": sum(wins.seats), "unfinished": wins.unfinished}
        rates = {"rate": wins.rate, "share": 1 / seats, "error": error}
        shown_rates = {name: _RATE(rate=rate) for name, rate in rates.items()}
        said = _STYLE(**played, style=_NAMES[style](), **shown_rates)
        fact = {**played, "style": style, **counted, "error": error}
        return CommandOutput("style", fact, said, _unfinished(wins.unfinished))

    def _pooled(
        self, work: Callable[[range], Results], count: int, nothing: Results
    ) -> Results:
        """Return the results of ``work`` on the numbers below ``count``.

        nothing: the results of no number.
        """
        chunks = [range(at, min(at + _CHUNK, count)) for at in range(0, count, _CHUNK)]
        return sum(self.pool(work, chunks), nothing)


def _error(seats: int, games: int) -> float:
    """Return the standard error of the part of ``games`` that one of equal seats wins."""
    return math.sqrt((seats - 1) / seats**2 / games)


def _unfinished(count: int) -> tuple[str, ...]:
    return (_UNFINISHED(turns=MOST_TURNS, count=count),) if count else ()
