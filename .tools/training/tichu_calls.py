"""Fit when Tichu is worth a call: ``python -m training.tichu_calls --rounds 10000``.

Four clubs that never call play rounds. A logistic regression is fitted to which of the hands
after the exchange were out first; a tenth of the rounds is held out. The coefficients stand in
``games/tichu/bots/solving/calls.py``. Then, for the first eight cards, the rounds are counted
by the index of a Grand call. At last, mirrored deals tell how many points a round the calls
bring to club, against the club that never calls, for several least log-odds of a call.
"""

import argparse
import math
import random
from collections import Counter
from functools import partial

from matcha_p2p.games.tichu.bots.arena import OpenRound, arena, deal
from matcha_p2p.games.tichu.bots.club import Club
from matcha_p2p.games.tichu.bots.solving import calls
from matcha_p2p.games.tichu.bots.solving.hand import cost, split
from matcha_p2p.games.tichu.rules.actions import AnswerGrand, GiveTrick
from matcha_p2p.games.tichu.rules.cards import DOG, DRAGON, MAH_JONG, PHOENIX
from matcha_p2p.games.tichu.rules.round import DEALT_FIRST, SEATS, Ask, Variant

NAMES = ("one", "saved", "plays", "Mah Jong", "Dog", "Phoenix", "Dragon")
STEPS = 12
HELD_OUT = 10
LEAST = (-0.5, 0.0, 0.5)


class Caller:
    """Club that calls Tichu from these log-odds on, and never calls Grand Tichu."""

    def __init__(self, least=math.inf):
        self.name = f"least {least}"
        self._club = Club()
        self._least = least

    def choose(self, observation, rng):
        """Return club's answer, with a call only by the own bound."""
        move = self._club.choose(observation, rng)
        match move:
            case AnswerGrand():
                return AnswerGrand(called=False)
            case GiveTrick():
                return move
        if observation.asked is not Ask.CALL:
            return move._replace(tichu=False)
        partner = observation.state.calls[(observation.seat + 2) % 4] > 0
        odds = calls.log_odds(observation.held.values()) / 100_000
        return move._replace(tichu=not partner and odds > self._least)


def features(hand):
    """Return the numbers of a hand by which its odds are fitted."""
    plays = len(split(hand))
    special = (face in hand for face in (MAH_JONG, DOG, PHOENIX, DRAGON))
    return (1.0, plays - cost(hand) / 1000, float(plays), *map(float, special))


def noted(seed, numbers):
    """Return for each round its number, and of each seat features, index and success."""
    found = []
    for number in numbers:
        table = OpenRound(Variant(), SEATS[number % 4], deal(random.Random(f"{seed} {number}")))
        rng, bot = random.Random(number), Caller()
        index = [calls.grand_index(hand[:DEALT_FIRST]) for hand in table.hands]
        hands = {}
        while (seat := table.state.speaker) is not None:
            seen = table.seen(seat)
            if seen.asked is Ask.CALL:
                hands[seat] = features(tuple(seen.held.values()))
            table.take(seat, bot.choose(seen, rng))
        first = table.state.out[0]
        found += [(number, hands[seat], index[seat], seat == first) for seat in SEATS]
    return found


def chance(weights, values):
    """Return the chance that the regression gives."""
    return 1 / (1 + math.exp(-sum(a * b for a, b in zip(weights, values, strict=True))))


def fitted(samples):
    """Return the weights of the logistic regression, found by Newton's method."""
    size = len(NAMES)
    weights = [0.0] * size
    for _ in range(STEPS):
        slope, curve = (
            [0.0] * size,
            [[1e-6 * (i == j) for j in range(size)] for i in range(size)],
        )
        for values, won in samples:
            likely = chance(weights, values)
            for i, value in enumerate(values):
                slope[i] += (won - likely) * value
                for j, other in enumerate(values):
                    curve[i][j] += likely * (1 - likely) * value * other
        weights = [a + b for a, b in zip(weights, solved(curve, slope), strict=True)]
    return weights


def solved(matrix, right):
    """Return the solution of linear equations with a positive definite matrix."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                pairs = zip(rows[other], rows[at], strict=True)
                rows[other] = [value - factor * own for value, own in pairs]
    return [row[-1] for row in rows]


def loss(odds, samples):
    """Return the mean log loss of chances."""
    return -sum(math.log(odds(v) if won else 1 - odds(v)) for v, won in samples) / len(samples)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10000)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    hands = noted(options.seed, range(options.rounds))
    report_odds(hands)
    dealt = Counter(index for _, _, index, _ in hands)
    first = Counter(index for _, _, index, won in hands if won)
    print("Grand, first by index:", *(f"{i}: {first[i]}/{dealt[i]}" for i in sorted(dealt)))
    for least in LEAST:
        result = arena((Caller(least), Caller()), range(options.deals), options.seed)
        made, won, *_ = result.calls
        ahead = f"{result.mean:+.1f} ± {result.reach:.1f} points a round"
        print(f"calls from {least:+.1f} on: {ahead}, {won} of {made} calls won")


def report_odds(hands):
    """Fit the odds, and print the coefficients and how well they foretell other rounds."""
    learnt = [(values, won) for number, values, _, won in hands if number % HELD_OUT]
    kept = [(values, won) for number, values, _, won in hands if not number % HELD_OUT]
    weights = fitted(learnt)
    print(*(f"{name} {weight:+.2f}" for name, weight in zip(NAMES, weights, strict=True)))
    base = sum(won for _, won in kept) / len(kept)
    blind = loss(lambda _: base, kept)
    print(f"held out: log loss {loss(partial(chance, weights), kept):.4f}, blind {blind:.4f}")
    called = [won for values, won in kept if chance(weights, values) > 0.5]
    print(f"above one half: {sum(called)} of {len(called)} were first")


if __name__ == "__main__":
    main()
