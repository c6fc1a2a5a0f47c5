"""Lets two bots of Tichu play mirrored deals, and prints points a round.

``python -m tests.games.tichu.arena club casual --deals 200``. Times are of CPU, of the first
bot's answers with a choice in them: turns, and windows with a bomb. The rest follows from the
seed.
"""

import argparse
import time

from matcha_p2p.games.tichu.bots.arena import arena
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.rules.moves import legal_plays


class Timed:
    """A bot whose answers are timed."""

    def __init__(self, bot):
        self.name = bot.name
        self.bot = bot
        self.seconds = []

    def choose(self, observation, rng):
        began = time.process_time()
        move = self.bot.choose(observation, rng)
        seconds = time.process_time() - began
        if legal_plays(observation.state, observation.hand):
            self.seconds.append(seconds)
        return move

    def quantile(self, part):
        """Return the milliseconds that this part of the answers took, or less."""
        return 1000 * sorted(self.seconds)[int(part * (len(self.seconds) - 1))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", choices=BOTS)
    parser.add_argument("second", choices=BOTS)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    first = Timed(BOTS[options.first])
    result = arena((first, BOTS[options.second]), range(options.deals), options.seed)
    made, won, others_made, others_won = result.calls
    print(f"{first.name} is {result.mean:+.1f} ± {result.reach:.1f} points a round ahead.")
    print(f"Calls won: {won} of {made}; {options.second}: {others_won} of {others_made}.")
    print(
        f"CPU of an answer: p50 {first.quantile(0.5):.2f} ms, p95 {first.quantile(0.95):.2f}."
    )


if __name__ == "__main__":
    main()
