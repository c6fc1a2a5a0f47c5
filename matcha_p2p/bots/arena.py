"""Bots against bots, with all faces on the table and no cryptography."""

import math
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from matcha_p2p.bots.bot import Bot
from matcha_p2p.rules.cards import DECK, ZERO
from matcha_p2p.rules.edition import Edition
from matcha_p2p.rules.game import deal, keep, new_game
from matcha_p2p.rules.moves import Keep, Pass, Play
from matcha_p2p.rules.observation import Observation, observe
from matcha_p2p.rules.phases import AwaitingDeal, Ended, How, Keeping, Placing, Revealing
from matcha_p2p.rules.rehearsal import Hand, Hands, advance
from matcha_p2p.rules.seats import SEATS, Seat, opposite
from matcha_p2p.rules.state import Game


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of many games between a bot and its opponent.

    wins, losses, draws: of the first bot. sets: how many were played in all games together.
    how: how many games ended in each way.
    """

    wins: int
    losses: int
    draws: int
    sets: int
    how: Mapping[How, int]

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
        """Return the 95 % interval of the win rate.

        Source: Wilson, Probable inference, J. Am. Stat. Assoc. 22 (1927).
        """
        z = 1.96
        spread = 1 + z * z / self.games
        centre = (self.win_rate + z * z / (2 * self.games)) / spread
        variance = self.win_rate * (1 - self.win_rate) + z * z / (4 * self.games)
        reach = z * math.sqrt(variance / self.games) / spread
        return centre - reach, centre + reach


def arena(
    edition: Edition, bots: tuple[Bot, Bot], games: int, rng: random.Random
) -> MatchResult:
    """Play ``games`` > 0 games; the bots change seats, and the deal goes round with them.

    In every four games each bot has each seat twice, once as the first dealer.
    """
    points: Counter[Seat | None] = Counter()
    how: Counter[How] = Counter()
    sets = 0
    for number in range(games):
        swapped = number % 2
        seated = (bots[swapped], bots[1 - swapped])
        game = play_game(edition, seated, rng, first_dealer=SEATS[number // 2 % 2])
        sets += game.number
        if isinstance(game.phase, Ended):
            winner = game.phase.winner
            points[winner if winner is None or not swapped else opposite(winner)] += 1
            how[game.phase.how] += 1
    return MatchResult(points[SEATS[0]], points[SEATS[1]], points[None], sets, how)


def play_game(
    edition: Edition, bots: tuple[Bot, Bot], rng: random.Random, first_dealer: Seat = SEATS[0]
) -> Game:
    """Play one game to its end. The rules know no limit of sets; bots must want to win."""
    game = new_game(edition, first_dealer)
    hands: Hands = ((), ())
    while True:
        match game.phase:
            case AwaitingDeal():
                held = [_held(game, seat, hands[seat]) for seat in SEATS]
                table, hands = deal_cards((held[0], held[1]), rng)
                game = deal(game, table)
            case Placing(seat):
                move = _placed(bots[seat], observe(game, seat, hands[seat]), rng)
                game = advance(game, move, hands)
            case Revealing():
                raise RuntimeError("what a move leads to has been turned up with it")
            case Keeping():
                first, second = (
                    _kept(bots[seat], observe(game, seat, hands[seat]), rng) for seat in SEATS
                )
                game = keep(game, (first, second))
            case Ended():
                return game


def deal_cards(kept: Hands, rng: random.Random) -> tuple[Hand, Hands]:
    """Return the six cards of the table and both hands, filled up to five (R6, R16).

    kept: what each player keeps of the last hand. The hands are shuffled, so that the slot of a
    card does not tell whether it was kept.
    """
    pool = list(DECK)
    for card in (*kept[0], *kept[1]):
        pool.remove(card)
    rng.shuffle(pool)
    suited = [card for card in pool if card != ZERO]
    table = tuple(suited[:6])
    pool = suited[6:] + [ZERO] * pool.count(ZERO)
    rng.shuffle(pool)
    new = 5 - len(kept[0])
    first, second = [*kept[0], *pool[:new]], [*kept[1], *pool[new:-2]]
    rng.shuffle(first)
    rng.shuffle(second)
    return table, (tuple(first), tuple(second))


def _held(game: Game, seat: Seat, hand: Hand) -> Hand:
    return tuple(hand[slot] for slot in game.hands[seat])


def _placed(bot: Bot, observation: Observation, rng: random.Random) -> Play | Pass:
    match bot.choose(observation, rng):
        case Keep():
            raise ValueError(f"{bot.name} keeps cards while it is to move")
        case move:
            return move


def _kept(bot: Bot, observation: Observation, rng: random.Random) -> frozenset[int]:
    match bot.choose(observation, rng):
        case Keep(slots):
            return slots
        case _:
            raise ValueError(f"{bot.name} makes a move while cards are kept")
