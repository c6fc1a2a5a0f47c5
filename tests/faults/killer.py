"""Kill or stop real processes at random moments, and check that every game ends well.

python -m tests.faults.killer --kills 300
python -m tests.faults.killer --stops 20        stops of up to 9 s: long enough to be missed
python -m tests.faults.killer --kills 200 --game tichu      four processes at one table
"""

import argparse
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.games import game_of
from tests.processes import Matcha, host, join

TABLES = {
    "matcha": ("--players", "2"),
    "tichu": ("--players", "4", "--variant", "round"),
    "kashi": ("--players", "3"),
}
"""The words for the host of each game."""

LONGEST = 0.15
"""Seconds between two blows, at most: two bots need half a second for a game."""

LONGEST_STOP = 9.0


class Player:
    """The person at a home, who starts the program again after each kill. bot: plays."""

    def __init__(self, home: Path, bot: str, held: ExitStack) -> None:
        self.home = home
        self.bot = ("--play", bot)
        self._held = held
        self.running: Matcha | None = None

    def start(self, process: Matcha) -> Matcha:
        self.running = self._held.enter_context(process)
        return process

    def resume(self) -> None:
        """Unless the game is over, take up the game."""
        if list(self.home.glob("unfinished/*/journal")):
            self.start(Matcha(self.home, "resume", "--json", *self.bot))
            assert self.running is not None
            self.running.until("resumed")

    def kill(self) -> bool:
        """Kill the program; return True if the program was still running."""
        if not self.plays:
            return False
        process, self.running = self.running, None
        assert process is not None
        process.process.kill()
        process.process.wait()
        return True

    @property
    def plays(self) -> bool:
        """Whether the program is running."""
        return self.running is not None and self.running.process.poll() is None

    def send(self, number: int) -> None:
        """If the program is still running, send a signal."""
        if self.plays and self.running is not None:
            self.running.process.send_signal(number)

    def finish(self) -> None:
        """Wait until the program ends without a kill."""
        if self.running is not None:
            code = self.running.end()
            assert code == 0, (code, self.running.stderr)

    @property
    def transcript(self) -> bytes:
        """The kept game: a single transcript, and no dispute.

        A kill may leave half a copy under a hidden name.
        """
        kept = list(self.home.glob("games/[!.]*"))
        assert [path.suffix for path in kept] == [".matcha"], kept
        return kept[0].read_bytes()


def kill(players: Sequence[Player], rng: random.Random) -> int:
    """Kill the running players, let each take the game up again; return the number killed."""
    hit = [player for player in players if player.kill()]
    for player in rng.sample(hit, len(hit)):
        player.resume()
    return len(hit)


def stop(players: Sequence[Player], rng: random.Random) -> int:
    """Stop the running players for a while; return the number stopped."""
    hit = [player for player in players if player.plays]
    for player in hit:
        player.send(signal.SIGSTOP)
    if hit:
        time.sleep(LONGEST_STOP * rng.random())
    for player in hit:
        player.send(signal.SIGCONT)
    return len(hit)


Blow: TypeAlias = Callable[[Sequence[Player], random.Random], int]


def play(folder: Path, rng: random.Random, blows: int, strike: Blow, game: str) -> int:
    """Play one game with at most ``blows`` kills or stops; return the number of hits.

    Raises:
        AssertionError: the game was lost, or the seats do not agree.
    """
    done, table = 0, TABLES[game]
    levels = game_of(game).bots.levels
    bot = levels[len(levels) // 2]
    with ExitStack() as held:
        players = [Player(folder / str(seat), bot, held) for seat in range(int(table[1]))]
        opening = host(players[0].home, "--game", game, *table, *players[0].bot)
        first = players[0].start(opening)
        invite = first.until("invite")["invite"]
        guests = players[1:]
        others = [
            guest.start(join(guest.home, invite, *guest.bot, name=f"guest {guest.home.name}"))
            for guest in guests
        ]
        for process in (first, *others):
            process.until("met")
        while done < blows:
            time.sleep(LONGEST * rng.random())
            hit = strike(rng.choice((*([player] for player in players), players)), rng)
            done += hit
            if not hit:
                break
        for player in players:
            player.finish()
        copies = [player.transcript for player in players]
    assert len({*copies}) == 1
    assert verify_transcript(copies[0]).verdict is Verdict.COMPLETE
    return done


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.killer")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--stops", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--game", choices=TABLES, default="matcha")
    asked = parser.parse_args(words)
    wanted, strike, name = asked.kills, kill, "kills"
    if asked.stops is not None:
        wanted, strike, name = asked.stops, stop, "stops"
    start, blows, games = time.perf_counter(), 0, 0
    while blows < wanted:
        rng = random.Random(f"{asked.seed} {games}")
        with tempfile.TemporaryDirectory() as folder:
            blows += play(Path(folder), rng, rng.randint(1, 5), strike, asked.game)
        games += 1
        seconds = time.perf_counter() - start
        print(f"{blows} {name} in {games} games, none lost, {seconds:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
