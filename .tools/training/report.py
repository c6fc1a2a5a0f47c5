"""The worth of the bots, and their cost.

``python -m training.report --part levels`` prints one of these parts:

    levels    each level against the one below, and the upper bots against greedy
    cost      CPU time of a bot's move and of an analysis, memory, size of the data
    accuracy  of a bot against greedy, on average of games, and the share of games it leads
    keeping   what keeping a card for the next set gains, by how many others it outranks

Each prints one JSON object a line. Times are of CPU; everything else follows from the seed.
"""

import argparse
import json
import resource
import time
from collections import defaultdict
from math import sqrt

from matcha_p2p.games.matcha import bots as known
from matcha_p2p.games.matcha.bots.arena import arena, play_game
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.valuation.keeping import strength
from matcha_p2p.games.matcha.bots.valuation.values import FOLDER, Values
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITIONS
from matcha_p2p.games.matcha.rules.moves import Keep
from matcha_p2p.games.matcha.rules.phases import Ended, Keeping, Placing
from matcha_p2p.games.matcha.rules.seats import SEATS

NAMES = (*EDITIONS,)


def say(**figures):
    print(json.dumps(figures), flush=True)


def levels(options):
    """Play the bots in pairs; the interval is of 95 %, from the variance between pairs."""
    matches = [*zip(known.NAMES.levels[1:], known.NAMES.levels[:-1], strict=True)]
    matches += [("strong", "keen"), ("expert", "strong")]
    matches += [("strong", "greedy"), ("expert", "greedy")]
    for name in options.editions:
        for first, second in matches:
            bots = BOTS[first], BOTS[second]
            result = arena(EDITIONS[name], bots, range(options.count), options.seed)
            reach = 1.96 * sqrt(result.pair_variance / options.count)
            rate = round(result.win_rate, 4)
            interval = [round(rate - reach, 4), round(rate + reach, 4)]
            say(
                edition=name,
                bots=[first, second],
                pairs=options.count,
                rate=rate,
                interval=interval,
            )


class Watched:
    """A bot with noted and timed decisions in rounds."""

    def __init__(self, name, notes):
        self.name = name
        self._notes = notes

    def choose(self, observation, rng):
        began = time.process_time()
        move = BOTS[self.name].choose(observation, rng)
        if isinstance(observation.game.phase, Placing) and len(observation.legal_moves()) > 1:
            self._notes.append((self.name, observation, move, time.process_time() - began))
        return move


def games(edition, names, count, seed):
    """Yield the notes of each of ``count`` games, the seats taken in turn."""
    for number in range(count):
        notes = []
        first, second = (Watched(name, notes) for name in names)
        seated = (second, first) if number % 2 else (first, second)
        play_game(edition, seated, f"{seed} {number}", SEATS[number // 2 % 2])
        yield notes


def cost(options):
    """Measure a bot against itself, then an analysis of each of the first games."""
    bots = (options.bot, options.bot)
    played = {
        name: list(games(EDITIONS[name], bots, options.count, options.seed))
        for name in options.editions
    }
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = sum(it.stat().st_size for it in FOLDER.iterdir()) / 1000
    say(data_kb=round(size, 1), memory_mb=round(memory, 1))
    for name, each in played.items():
        times = sorted(1000 * seconds for notes in each for *_, seconds in notes)
        say(
            edition=name,
            moves=len(times),
            mean_ms=round(sum(times) / len(times), 1),
            p95_ms=round(times[len(times) * 95 // 100], 1),
            max_ms=round(times[-1], 1),
            analysis_s=round(max(map(analysed, each[:3])), 1),
        )


def analysed(notes):
    """Return the CPU seconds for judging the noted decisions."""
    from matcha_p2p.games.matcha.replay.analyse import judge
    from matcha_p2p.games.matcha.rules.judgement import Decision

    began = time.process_time()
    for _, seen, move, _ in notes:
        judge(Decision(seen, move))
    return time.process_time() - began


def accuracy(options):
    """Analyse games of a bot against greedy: both accuracies, and the higher of the two."""
    from matcha_p2p.games.matcha.replay.analyse import judge
    from matcha_p2p.games.matcha.review.analysis import accuracy_of
    from matcha_p2p.games.matcha.rules.judgement import Decision

    for name in options.editions:
        found = []
        bots = (options.bot, "greedy")
        for notes in games(EDITIONS[name], bots, options.count, options.seed):
            by = defaultdict(list)
            for bot, seen, move, _ in notes:
                by[bot].append(judge(Decision(seen, move)))
            if len(by) == 2:
                found.append([accuracy_of(by[bot]).accuracy for bot in bots])
        means = [round(sum(column) / len(found), 1) for column in zip(*found, strict=True)]
        higher = sum(own > greedy for own, greedy in found)
        say(edition=name, bots=bots, games=len(found), accuracies=means, higher=higher)


class Hoarder:
    """Greedy, but keeps cards by chance; the kept cards are noted."""

    name = "hoarder"

    def __init__(self, notes):
        self._notes = notes

    def choose(self, observation, rng):
        game, seat = observation.game, observation.seat
        if not isinstance(game.phase, Keeping):
            return BOTS["greedy"].choose(observation, rng)
        held = observation.held()
        kept = frozenset(slot for slot, _ in held if rng.random() < 0.5)
        dealer = 1 - game.dealer
        chance = Values.of(game.edition).chance(game.tokens[dealer], game.tokens[1 - dealer])
        expected = chance if dealer == seat else 1 - chance
        cards = [(strength(face), slot in kept) for slot, face in held]
        self._notes.append((seat, expected, cards))
        return Keep(kept)


def keeping(options):
    """Compare games with and without a kept card, of 2015 alone."""
    found = defaultdict(lambda: ([], []))
    for number in range(options.count):
        notes = []
        bot = Hoarder(notes)
        game = play_game(
            EDITION_2015, (bot, bot), f"{options.seed} {number}", SEATS[number % 2]
        )
        assert isinstance(game.phase, Ended)
        winner = game.phase.winner
        for seat, expected, cards in notes:
            got = 0.5 if winner is None else float(winner == seat)
            for outranked, kept in cards:
                found[outranked][kept].append(got - expected)
    for outranked, (dropped, kept) in sorted(found.items()):
        means = [sum(part) / len(part) for part in (dropped, kept)]
        error = sqrt(sum(sum(x * x for x in part) / len(part) ** 2 for part in (dropped, kept)))
        say(
            outranks=outranked,
            cards=len(dropped) + len(kept),
            gain=round(means[1] - means[0], 4),
            error=round(error, 4),
        )


PARTS = {"levels": levels, "cost": cost, "accuracy": accuracy, "keeping": keeping}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=[*PARTS], required=True)
    parser.add_argument("--count", type=int, default=100, help="of games, or pairs of games")
    parser.add_argument("--editions", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--bot", default="expert", help="for cost and accuracy")
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    PARTS[options.part](options)


if __name__ == "__main__":
    main()
