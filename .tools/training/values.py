"""Compute the chances at the beginning of a set: ``python -m training.values``.

    python -m training.values --edition 2015 --bot greedy --games 60000

A bot plays itself, and a small network is fitted to who won in the end from the tokens with
which a set began. It prints how well that foretells games that it was not fitted to, and writes
the data file of the edition.
"""

import argparse
import json
import math
import random

from matcha_p2p.games.matcha.bots.arena import play_game
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.valuation.values import FOLDER, input_count, inputs_of
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.phases import Ended, Keeping, Placing
from matcha_p2p.games.matcha.rules.seats import SEATS

HIDDEN = 16
EPOCHS = 8
RATE = 0.01
HELD_OUT = 10  # one sample in so many is for the test


class Noting:
    """A bot that notes with which tokens each set begins."""

    def __init__(self, bot, begun):
        self.name = bot.name
        self._bot = bot
        self._begun = begun

    def choose(self, observation, rng):
        game = observation.game
        match game.phase:
            case Placing() if not (game.comparing or game.rounds[0].turns):
                self._begun[game.number] = (game.dealer, game.tokens)
            case Keeping() | Placing():
                pass
        return self._bot.choose(observation, rng)


def samples(edition, bot, games, seed):
    """Yield (tokens of the dealer, of the other, what the dealer got): 1, 0.5 or 0."""
    for number in range(games):
        begun = {}
        noting = Noting(bot, begun)
        game = play_game(edition, (noting, noting), f"{seed} {number}", SEATS[number % 2])
        assert isinstance(game.phase, Ended)
        winner = game.phase.winner
        for at, (dealer, tokens) in begun.items():
            if at > 1 or number % 10 == 0:
                result = 0.5 if winner is None else float(winner == dealer)
                yield tokens[dealer], tokens[1 - dealer], result


class Fit:
    """The network of bots.valuation.values, and gradient descent on its logarithmic loss."""

    def __init__(self, edition, rng):
        self.edition = edition
        self.inputs = input_count(edition)
        self.rows = [
            [rng.gauss(0, 0.2) for _ in range(HIDDEN)] for _ in range(2 * self.inputs + 2)
        ]
        self.out = [rng.gauss(0, 0.2) for _ in range(HIDDEN)] + [0.0]

    def active(self, dealer, other):
        """Return the rows that are on, the bias with them, and the sign of the lead."""
        on = inputs_of(self.edition, dealer)
        on += [self.inputs + at for at in inputs_of(self.edition, other)]
        return (*on, 2 * self.inputs + 1), (dealer > other) - (dealer < other)

    def chance(self, on, lead):
        sums = [sum(column) for column in zip(*(self.rows[at] for at in on), strict=True)]
        if lead:
            sums = [a + lead * b for a, b in zip(sums, self.rows[2 * self.inputs], strict=True)]
        units = [math.tanh(value) for value in sums]
        total = self.out[-1] + sum(a * b for a, b in zip(units, self.out[:-1], strict=True))
        return 1 / (1 + math.exp(-total)), units

    def learn(self, on, lead, result, rate):
        chance, units = self.chance(on, lead)
        slope = rate * (result - chance)
        back = [slope * w * (1 - u * u) for w, u in zip(self.out[:-1], units, strict=True)]
        self.out = [w + slope * u for w, u in zip(self.out, (*units, 1.0), strict=True)]
        for at in on:
            self.rows[at] = [w + b for w, b in zip(self.rows[at], back, strict=True)]
        if lead:
            at = 2 * self.inputs
            self.rows[at] = [w + lead * b for w, b in zip(self.rows[at], back, strict=True)]


def fitted(edition, found, rng):
    """Return the network fitted to the samples; print what it makes of those held out."""
    fit = Fit(edition, rng)
    ready = [(*fit.active(dealer, other), result) for dealer, other, result in found]
    test, train = ready[::HELD_OUT], [s for at, s in enumerate(ready) if at % HELD_OUT]
    for epoch in range(EPOCHS):
        rng.shuffle(train)
        rate = RATE * (1 - epoch / EPOCHS)
        for on, lead, result in train:
            fit.learn(on, lead, result, rate)
        loss = -sum(
            math.log(chance if result > 0.5 else 1 - chance)
            if result != 0.5
            else math.log(chance * (1 - chance)) / 2
            for on, lead, result in test
            for chance in (fit.chance(on, lead)[0],)
        )
        print(f"epoch {epoch}: loss {loss / len(test):.4f} of {len(test)} held out", flush=True)
    calibrate(fit, test)
    return fit


def calibrate(fit, test):
    """Print how often the dealer won where the network gave a tenth, two tenths, ..."""
    tenths = [[] for _ in range(10)]
    for on, lead, result in test:
        chance = fit.chance(on, lead)[0]
        tenths[min(9, int(chance * 10))].append((chance, result))
    for number, found in enumerate(tenths):
        if found:
            chance, result = (sum(column) / len(found) for column in zip(*found, strict=True))
            print(
                f"  {number / 10:.1f}: foretold {chance:.3f}, was {result:.3f} of {len(found)}"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edition", choices=list(EDITIONS), required=True)
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    edition = EDITIONS[options.edition]
    rng = random.Random(options.seed)
    fit = fitted(
        edition, list(samples(edition, BOTS[options.bot], options.games, options.seed)), rng
    )
    stored = {
        "rows": [[round(weight, 4) for weight in row] for row in fit.rows],
        "out": [[round(weight, 4) for weight in fit.out]],
    }
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(stored, separators=(",", ":")) + "\n"
    (FOLDER / f"values-{edition.name}.json").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
