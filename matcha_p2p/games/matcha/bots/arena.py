"""Bots against bots, with all faces on the table and no cryptography."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import add
from typing import Final, NamedTuple, TypeAlias

from matcha_p2p.errors import BotError
from matcha_p2p.games import json_values
from matcha_p2p.games.json_values import JsonObject
from matcha_p2p.games.matcha.bots.bot import Bot
from matcha_p2p.games.matcha.rules.cards import DECK, ZERO, Face, Hand, Hands
from matcha_p2p.games.matcha.rules.edition import Edition
from matcha_p2p.games.matcha.rules.game import advance, deal, keep, new_game, resign
from matcha_p2p.games.matcha.rules.moves import Keep
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Ended, How, Placing
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matches.intervals import Z, rate_interval
from matcha_p2p.games.matches.ratings import Lead, elo_lead

_MOST_SETS: Final = 1000
"""Sets of a game; more are no result of ours."""

NoteResignation: TypeAlias = Callable[[BotError], None]
"""Takes why a bot has resigned."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of pairs of games between a bot and its opponent.

    pairs: how many pairs brought the first bot 0, 1, 2, 3, 4 half points. wins, losses, draws:
    of the first bot. sets: how many sets all games had together. how: how many games ended in
    each way. failures: of bots that are programs and resigned, each failure once.
    """

    pairs: tuple[int, ...] = (0, 0, 0, 0, 0)
    wins: int = 0
    losses: int = 0
    draws: int = 0
    sets: int = 0
    how: Mapping[How, int] = field(default_factory=dict[How, int])
    failures: Mapping[str, BotError] = field(default_factory=dict[str, BotError])

    def __add__(self, other: "MatchResult") -> "MatchResult":
        """Return both results together."""
        return MatchResult(
            tuple(map(add, self.pairs, other.pairs)),
            self.wins + other.wins,
            self.losses + other.losses,
            self.draws + other.draws,
            self.sets + other.sets,
            Counter(self.how) + Counter(other.how),
            {**self.failures, **other.failures},
        )

    def plain(self) -> JsonObject:
        """Return the result as values for JSON, without the failures."""
        games = {"wins": self.wins, "losses": self.losses, "draws": self.draws}
        how = {how.value: count for how, count in self.how.items()}
        return {"pairs": [*self.pairs], **games, "sets": self.sets, "how": how}

    def read(self, plain: JsonObject, units: int) -> "MatchResult":
        """Return the result of so many pairs that ``plain`` describes.

        Raises:
            KeyError, TypeError, ValueError: there is none.
        """
        how, most = json_values.as_object(plain["how"]), 2 * units
        found = MatchResult(
            pairs=json_values.numbers_up_to(plain["pairs"], units, len(self.pairs)),
            wins=json_values.number_up_to(plain["wins"], most),
            losses=json_values.number_up_to(plain["losses"], most),
            draws=json_values.number_up_to(plain["draws"], most),
            sets=json_values.number_up_to(plain["sets"], most * _MOST_SETS),
            how={How(key): json_values.number_up_to(each, most) for key, each in how.items()},
        )
        if (found.units, found.games, sum(found.how.values())) != (units, most, most):
            raise ValueError("the result is of other games")
        return found

    @property
    def units(self) -> int:
        """How many pairs of games were played."""
        return sum(self.pairs)

    @property
    def games(self) -> int:
        """Return how many games were played."""
        return self.wins + self.losses + self.draws

    @property
    def mean_sets(self) -> float:
        """Return how many sets a game had on average."""
        return self.sets / self.games

    @property
    def win_rate(self) -> float:
        """Return the first bot's part of the points, 0..1; a draw is half a point."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the win rate."""
        return rate_interval(self.win_rate, self.games)

    @property
    def pair_variance(self) -> float:
        """Return the variance of a pair's points, as a part of the most points of a pair.

        Both games of a pair have the same cards, so much of the luck cancels out. Half a pair
        of each kind is added: otherwise a few equal pairs would look like certainty.
        """
        counts, mean = self._smooth
        squares = sum(count * (half / 4 - mean) ** 2 for half, count in enumerate(counts))
        return squares / sum(counts)

    @property
    def _smooth(self) -> tuple[list[float], float]:
        """Return the pairs of each kind with half a pair more, and their mean, 0..1."""
        counts = [count + 0.5 for count in self.pairs]
        return counts, sum(count * half / 4 for half, count in enumerate(counts)) / sum(counts)

    @property
    def lead(self) -> Lead:
        """Return the first bot's lead in Elo points, with half a pair of each kind added."""
        _, rate = self._smooth
        return elo_lead(rate, math.sqrt(self.pair_variance / self.units))

    @property
    def elo(self) -> tuple[float, float, float]:
        """Return the first bot's lead in Elo points, and the bounds of the 95 % interval."""
        reach = Z * math.sqrt(self.pair_variance / sum(self.pairs))
        rate = self.win_rate
        return elo_of(rate), elo_of(rate - reach), elo_of(rate + reach)

    def log_likelihood_ratio(self, least: float, most: float) -> float:
        """Return the logarithm of the likelihood of ``most`` Elo over that of ``least``.

        Source: the normal approximation of the generalised sequential probability ratio test;
        Wald, Sequential tests of statistical hypotheses, Ann. Math. Stat. 16 (1945).
        """
        low, high = rate_of(least), rate_of(most)
        gain = (high - low) * (2 * self.win_rate - low - high)
        return sum(self.pairs) * gain / (2 * self.pair_variance)


def elo_of(rate: float) -> float:
    """Return the difference in Elo points that a part of the points, 0..1, stands for."""
    bounded = min(max(rate, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / bounded - 1)


def rate_of(elo: float) -> float:
    """Return the part of the points, 0..1, that a difference in Elo points stands for."""
    return 1 / (1 + 10 ** (-elo / 400))


def arena(
    edition: Edition, bots: tuple[Bot, Bot], pairs: Iterable[int], seed: int | str
) -> MatchResult:
    """Play pairs of games, each pair with one deal from both seats, and with one dealer.

    pairs: the numbers of the pairs. ``seed`` and the number alone decide the course of a pair.
    """
    total = MatchResult()
    for number in pairs:
        total += _play_pair(edition, bots, f"{seed} {number}", SEATS[number % 2])
    return total


def _play_pair(
    edition: Edition, bots: tuple[Bot, Bot], seed: str, first_dealer: Seat
) -> MatchResult:
    points: Counter[Seat | None] = Counter()
    how: Counter[How] = Counter()
    sets = 0
    failures = dict[str, BotError]()

    def note(failure: BotError) -> None:
        failures[str(failure)] = failure

    for first, seated in zip(SEATS, (bots, bots[::-1]), strict=True):
        game = play_game(edition, (seated[0], seated[1]), seed, first_dealer, note)
        sets += game.number
        if isinstance(game.phase, Ended):
            winner = game.phase.winner
            points[None if winner is None else Seat(winner ^ first)] += 1
            how[game.phase.how] += 1
    wins, losses, draws = points[SEATS[0]], points[SEATS[1]], points[None]
    brought = 2 * wins + draws
    pairs = tuple(int(half == brought) for half in range(5))
    return MatchResult(pairs, wins, losses, draws, sets, how, failures)


def _ignore(_: BotError) -> None:
    pass


def play_game(
    edition: Edition,
    bots: tuple[Bot, Bot],
    seed: int | str,
    first_dealer: Seat = SEATS[0],
    note: NoteResignation = _ignore,
) -> GameState:
    """Play one game to its end. The rules know no limit of sets; bots must want to win.

    If no card is kept, the cards follow from the seed alone, not from the moves. A bot that
    fails resigns, and ``note`` gets the failure.
    """
    cards = random.Random(f"{seed} cards")
    rng = random.Random(f"{seed} bots")
    game = new_game(edition, first_dealer)
    dealt = _Dealt(((), ()))
    while not isinstance(game.phase, Ended):
        if isinstance(game.phase, Placing):
            seat = game.phase.to_move
            game = _after_move(game, seat, bots[seat], dealt, rng, note)
        elif isinstance(game.phase, AwaitingDeal):
            first, second = dealt.hands
            kept = _held(game, SEATS[0], first), _held(game, SEATS[1], second)
            table, hands = deal_cards(kept, cards)
            dealt = dealt.then(game.number, hands)
            game = deal(game, table)
        else:
            game = _after_keeping(game, bots, dealt, rng, note)
    return game


class _Dealt(NamedTuple):
    """The hands of the running set, and by seat the number and the hand of each set before."""

    hands: Hands
    earlier: tuple[tuple[tuple[int, Hand], ...], ...] = ((), ())

    def then(self, number: int, hands: Hands) -> "_Dealt":
        """Return the hands after the deal of set ``number``."""
        if number == 1:
            return _Dealt(hands)
        over = number - 1
        first, second = self.earlier
        earlier = (*first, (over, self.hands[0])), (*second, (over, self.hands[1]))
        return _Dealt(hands, earlier)

    def seen(self, game: GameState, seat: Seat) -> Observation:
        """Return the observation of ``seat``."""
        return Observation(game, seat, self.hands[seat], self.earlier[seat])


def _after_move(
    game: GameState,
    seat: Seat,
    bot: Bot,
    dealt: _Dealt,
    rng: random.Random,
    note: NoteResignation,
) -> GameState:
    """Return the game after the move of ``seat``."""
    try:
        move = bot.choose(dealt.seen(game, seat), rng)
    except BotError as failure:
        note(failure)
        return resign(game, seat)
    match move:
        case Keep():
            raise ValueError(f"{bot.name} keeps cards while it is to move")
        case _:
            return advance(game, move, dealt.hands)


def _after_keeping(
    game: GameState,
    bots: tuple[Bot, Bot],
    dealt: _Dealt,
    rng: random.Random,
    note: NoteResignation,
) -> GameState:
    """Return the game after both seats have chosen the cards to keep."""
    kept = list[frozenset[int]]()
    for seat in SEATS:
        try:
            choice = bots[seat].choose(dealt.seen(game, seat), rng)
        except BotError as failure:
            note(failure)
            return resign(game, seat)
        match choice:
            case Keep(slots):
                kept.append(slots)
            case _:
                raise ValueError(f"{bots[seat].name} makes a move while cards are kept")
    return keep(game, (kept[0], kept[1]))


def deal_cards(kept: Hands, rng: random.Random) -> tuple[Hand, Hands]:
    """Return the six cards of the table and both hands, filled up to five (R6, R16).

    kept: each player's cards kept from the last hand. Kept and new cards are shuffled
    together, so the slot of a card does not tell whether the card was kept.
    """
    pool = list(DECK)
    for card in (*kept[0], *kept[1]):
        pool.remove(card)
    suited = _shuffled([card for card in pool if card is not ZERO], rng)
    table, rest = tuple(suited[:6]), suited[6:]
    for _ in range(pool.count(ZERO)):  # no zero lies on the table
        rest.insert(rng.randrange(len(rest) + 1), ZERO)
    new = 5 - len(kept[0])
    first, second = rest[:new], rest[new:-2]
    if kept[0]:
        first = _shuffled([*kept[0], *first], rng)
    if kept[1]:
        second = _shuffled([*kept[1], *second], rng)
    return table, (tuple(first), tuple(second))


def _shuffled(cards: list[Face], rng: random.Random) -> list[Face]:
    """Return the cards in random order.

    ``shuffle`` takes longer, and simulations shuffle often.
    """
    return sorted(cards, key=lambda _: rng.random())


def _held(game: GameState, seat: Seat, hand: Hand) -> Hand:
    return tuple(hand[slot] for slot in game.hands[seat])
