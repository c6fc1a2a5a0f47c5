"""Kill real processes at random moments of their games, and see that every game ends well.

python -m tests.faults.killer --kills 300
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from matcha_p2p.verify import Verdict, verify_transcript
from tests.cli.processes import Matcha, host, join

BOT = ("--play", "greedy")
LONGEST = 0.15
"""Seconds between two kills, at most: two bots need half a second for a game."""


class Player:
    """Whoever sits at one home, and starts the program again when it has been killed."""

    def __init__(self, home: Path, held: ExitStack) -> None:
        self.home = home
        self._held = held
        self.running: Matcha | None = None

    def start(self, process: Matcha) -> Matcha:
        self.running = self._held.enter_context(process)
        return process

    def resume(self) -> None:
        """Take up the game, if it is not over."""
        if list(self.home.glob("unfinished/*/journal")):
            self.start(Matcha(self.home, "resume", "--json", *BOT))
            assert self.running is not None
            self.running.until("resumed")

    def kill(self) -> bool:
        """Kill the program; tell whether it was still running."""
        process, self.running = self.running, None
        if process is None or process.process.poll() is not None:
            return False
        process.process.kill()
        process.process.wait()
        return True

    def finish(self) -> None:
        """Wait until the program ends by itself."""
        if self.running is not None:
            code = self.running.end()
            assert code == 0, (code, self.running.stderr)

    @property
    def transcript(self) -> bytes:
        """The game that is kept: one, and no dispute."""
        (path,) = self.home.glob("games/*")
        assert path.suffix == ".matcha"
        return path.read_bytes()


def play(folder: Path, rng: random.Random, kills: int) -> int:
    """Play one game with at most ``kills`` kills; return how many there were.

    Raises:
        AssertionError: it was lost, or the two sides do not agree.
    """
    done = 0
    with ExitStack() as held:
        players = [Player(folder / name, held) for name in ("host", "guest")]
        first = players[0].start(host(players[0].home, *BOT))
        second = players[1].start(join(players[1].home, first.until("invite")["invite"]))
        for process in (first, second):
            process.until("table")
        while done < kills:
            time.sleep(LONGEST * rng.random())
            hit = [p for p in rng.choice((players[:1], players[1:], players)) if p.kill()]
            done += len(hit)
            for player in rng.sample(hit, len(hit)):
                player.resume()
            if not hit:
                break
        for player in players:
            player.finish()
        copies = [player.transcript for player in players]
    assert copies[0] == copies[1]
    assert verify_transcript(copies[0]).verdict is Verdict.COMPLETE
    return done


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.killer")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    start, kills, games = time.perf_counter(), 0, 0
    while kills < asked.kills:
        rng = random.Random(f"{asked.seed} {games}")
        with tempfile.TemporaryDirectory() as folder:
            kills += play(Path(folder), rng, rng.randint(1, 5))
        games += 1
    seconds = time.perf_counter() - start
    print(f"{kills} kills in {games} games, none lost, {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
