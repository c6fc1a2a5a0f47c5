"""The strength of a bot of Tichu: ``python -m training.tichu_strength --part deals``.

The parts:

* ``deals``: mirrored deals of ``--bot`` against ``--other``.
* ``bands``: the points that ``--bot`` gives to its answers, and the points at the end of the
  round, in five bands.
* ``cost``: CPU time of an answer of ``--bot``, and the memory of the process.

``--other`` is a bot by name, or ``COMMIT:NAME``: the frozen bot of an earlier commit. The tool
takes the package of the commit out of git into a folder, compiles the package, and starts the
bot in a process. A View travels there as a pickle. The form of a View must be the same in both
commits. The bot ``coach`` plays the first answer of a hint.
"""

import argparse
import io
import os
import pickle
import random
import resource
import runpy
import statistics
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from matcha_p2p.games.matches.intervals import reach
from matcha_p2p.games.tichu.bots.arena import DealResults, OpenRound, arena, deal
from matcha_p2p.games.tichu.bots.hint import advise
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.rules.round import SEATS, Variant
from matcha_p2p.games.tichu.rules.scoring import score

ROOT = Path(__file__).parent.parent.parent
BANDS = 5
TOLD = 100  # deals between two lines of progress
ANSWERS = """
import pickle, random, sys
from matcha_p2p.games.tichu.bots.roster import BOTS
while True:
    try:
        seen, seed = pickle.load(sys.stdin.buffer)
    except EOFError:
        break
    pickle.dump(BOTS[sys.argv[1]].choose(seen, random.Random(seed)), sys.stdout.buffer)
    sys.stdout.buffer.flush()
"""


class Frozen:
    """The bot ``name`` of a commit."""

    def __init__(self, commit, name):
        self.name = f"{commit}:{name}"
        self._folder = TemporaryDirectory()
        tree = ["git", "archive", commit, "matcha_p2p", ".build/libraries.py"]
        packed = subprocess.run(tree, cwd=ROOT, check=True, capture_output=True).stdout
        root = Path(self._folder.name)
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(root, filter="data")
        runpy.run_path(str(root / ".build" / "libraries.py"))["compile_all"](root)
        self._process = subprocess.Popen(
            [sys.executable, "-c", ANSWERS, name],
            env=os.environ | {"PYTHONPATH": str(root)},
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def choose(self, observation, rng):
        pickle.dump((observation, rng.random()), self._process.stdin)
        self._process.stdin.flush()
        return pickle.load(self._process.stdout)


class Coach:
    """Plays the first answer of a hint."""

    name = "coach"

    def choose(self, observation, _rng):
        return advise(observation).moves[0].move


class Timed:
    """A bot whose answers are timed."""

    def __init__(self, bot):
        self.name, self._bot, self.spent = bot.name, bot, []

    def choose(self, observation, rng):
        began = time.process_time()
        move = self._bot.choose(observation, rng)
        self.spent.append(time.process_time() - began)
        return move


def bot_of(name):
    """Return a bot by its name on the command line."""
    commit, _, frozen = name.rpartition(":")
    if commit:
        return Frozen(commit, frozen)
    return Coach() if name == Coach.name else BOTS[name]


def deals(options):
    """Print how many points a round the bot is ahead of the other."""
    bots, result = (bot_of(options.bot), bot_of(options.other)), DealResults()
    for begin in range(0, options.count, TOLD):
        numbers = range(begin, min(begin + TOLD, options.count))
        result += arena(bots, numbers, options.seed)
        made, won, others_made, others_won = result.calls
        print(
            f"{bots[0].name} against {bots[1].name}, {result.units} deals: "
            f"{result.mean:+.1f} ± {result.reach:.1f} points a round; "
            f"calls won {won} of {made}, others {others_won} of {others_made}; "
            f"double victories {result.doubles[0]}, others {result.doubles[1]}",
            flush=True,
        )


def bands(options):
    """Print judged and final points of one decision of each round, by judged points.

    A round gives only one decision, drawn by chance. Decisions of different rounds are
    independent.
    """
    bot, found = BOTS[options.bot], []
    for number in range(options.count):
        table = OpenRound(Variant(), SEATS[number % 4], deal(random.Random(number)))
        rng, judged = random.Random(number), []
        while (seat := table.state.speaker) is not None:
            best = bot.judge(table.seen(seat), rng).moves[0]
            if best.points is not None:
                judged.append((best.points, seat))
            table.take(seat, best.move)
        if judged:
            points, seat = rng.choice(judged)
            ends = score(table.state)
            found.append((points, ends[seat % 2] - ends[1 - seat % 2]))
    found.sort()
    for band in range(BANDS):
        part = found[len(found) * band // BANDS : len(found) * (band + 1) // BANDS]
        gaps = [out - points for points, out in part]
        judged, came_out = (statistics.fmean(points) for points in zip(*part, strict=True))
        print(
            f"{len(part)} decisions, judged {judged:+.0f}, came out {came_out:+.0f}, "
            f"more by {statistics.fmean(gaps):+.1f} ± {reach(gaps):.1f}",
            flush=True,
        )


def cost(options):
    """Print the CPU time of an answer: the mean, 99 of 100, the longest; and the memory."""
    bot = Timed(bot_of(options.bot))
    arena((bot, bot), range(options.count), options.seed)
    spent = sorted(1000 * each for each in bot.spent)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{len(spent)} answers of {bot.name}: mean {statistics.fmean(spent):.1f} ms, "
        f"99 of 100 within {spent[len(spent) * 99 // 100]:.0f} ms, "
        f"longest {spent[-1]:.0f} ms, {sum(spent) / (2 * options.count):.0f} ms a round; "
        f"{memory} MB"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=["deals", "bands", "cost"], default="deals")
    parser.add_argument("--bot", default="keen")
    parser.add_argument("--other", default="club")
    parser.add_argument("--count", type=int, default=400, help="deals or rounds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    {"deals": deals, "bands": bands, "cost": cost}[options.part](options)


if __name__ == "__main__":
    main()
