"""Measure what the project costs: ``python -m bench [--json] [--peers DIR]``.

It asserts nothing. Machines are noisy: compare figures of one run with each other, above all
the ratios.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import trio

if TYPE_CHECKING:
    from matcha_p2p.games.matcha.bots.bot import Bot
    from matcha_p2p.games.matcha.rules.moves import Move
    from matcha_p2p.games.matcha.rules.observation import Observation
    from tests.duel import Duel

SIZES = (5, 12, 16, 18, 52, 56, 64)
ENGINES = ("fast", "native", "pure")
PER_ENGINE = ("proofs", "game", "tichu", "opening", "practice")
GAMES = 6
ARENA_SECONDS = 2
WATCHERS = 20
WATCHED_GAMES = 30
ARCHIVED = ("announced", "claimed", "dealt", "kept-0", "resigned")
ARCHIVES = (1000, 10_000, 100_000)
INDEXED = 1000
RECORDS = (300, 3000, 30_000)
ROUNDS = 5
SMALL = 1000  # bytes of an entry without a shuffle, at most
LATE = 0.04
Figures = dict[str, object]

COMPARED = {
    "prove_18": ("proofs", "18", "prove_ms"),
    "verify_18": ("proofs", "18", "verify_ms"),
    "prove_56": ("proofs", "56", "prove_ms"),
    "verify_56": ("proofs", "56", "verify_ms"),
    "opening_compute": ("game", "2020", "nothing_kept", "opening_ms_together"),
    "verify_set_2015": ("game", "2015", "verify_ms_per_set"),
    "verify_set_2020": ("game", "2020", "verify_ms_per_set"),
    "opening_wall": ("opening", "wall_ms"),
}


def main() -> None:
    """Run the parts, each engine in a process of its own, and print what they measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one object on one line")
    parser.add_argument(
        "--peers", metavar="DIR", help="others' shuffles too, fetched and built in DIR"
    )
    parser.add_argument("--part", choices=sorted(PARTS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part is not None:
        print(json.dumps(PARTS[options.part]()))
        return
    figures: Figures = {}
    for engine in ENGINES:
        figures[engine] = {part: _run(part, engine) for part in PER_ENGINE}
    figures["reading"] = _run("reading", ENGINES[0])
    figures["archives"] = _run("archives", ENGINES[0])
    figures["records"] = _run("records", ENGINES[0])
    figures["memory"] = _run("memory", ENGINES[0])
    figures["table"] = _run("table", ENGINES[0])
    figures["arena"] = _run("arena", "native")
    figures["moves"] = _run("moves", "native")
    figures["watching"] = _run("watching", ENGINES[0])
    if options.peers is not None:
        figures["peers"] = _printed("peers", "--json", "--work", options.peers)
    figures["ratios"] = _ratios(figures)
    print(json.dumps(figures) if options.json else json.dumps(figures, indent=2))


def _run(part: str, engine: str) -> Figures:
    return _printed("bench", "--part", part, MATCHA_ENGINE=engine)


def _printed(*arguments: str, **environment: str) -> Figures:
    command = [sys.executable, "-m", *arguments]
    ran = subprocess.run(
        command, env=os.environ | environment, check=True, stdout=subprocess.PIPE
    )
    return json.loads(ran.stdout)


def _cpu_ms(work: Callable[[], object], repeat: int) -> float:
    """Return the median CPU time of ``work`` in milliseconds."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1000)
    return round(median(times), 3)


def proofs() -> Figures:
    """Measure one shuffle of N cards: prove and verify in ms of CPU, and of a card; bytes."""
    from matcha_p2p.crypto.elgamal import public_ciphertext
    from matcha_p2p.crypto.ristretto255 import base_mul, hash_to_group
    from matcha_p2p.crypto.shuffle import shuffle, verify_shuffle
    from matcha_p2p.crypto.sigma import Context
    from matcha_p2p.games.matcha.rules.seats import SEATS
    from matcha_p2p.table.seat import seeded

    key = base_mul(2026)
    context = Context("bench", bytes(32), 0, "matcha", "2020", 0)
    chance = seeded(bytes(32), bytes(32), SEATS[0])
    figures: Figures = {}
    for n in SIZES:
        faces = [hash_to_group(b"bench/%d" % place) for place in range(n)]
        deck = tuple(public_ciphertext(face, key) for face in faces)
        after, proof = shuffle(deck, key, context, chance)
        repeat = 7 if n < 50 else 3
        prove_ms = _cpu_ms(partial(shuffle, deck, key, context, chance), repeat)
        verify_ms = _cpu_ms(partial(verify_shuffle, deck, after, key, context, proof), repeat)
        figures[str(n)] = {
            "prove_ms": prove_ms,
            "verify_ms": verify_ms,
            "prove_ms_per_card": round(prove_ms / n, 3),
            "verify_ms_per_card": round(verify_ms / n, 3),
            "deck_bytes": 64 * n,
            "proof_bytes": len(proof.encode()),
        }
    return figures


def _archive(duel: "Duel") -> bytes:
    """Return the transcript of ``duel``."""
    from matcha_p2p.chain.archive import encode_archive

    return encode_archive([entry.encoded for entry in duel.entries], [], duel.state.roster)


def game() -> Figures:
    """Measure sets in memory: CPU of openings, flights, bytes; verifying whole transcripts."""
    from matcha_p2p.chain.verify import verify_transcript
    from matcha_p2p.games.matcha.table.view import game_of

    figures: Figures = {}
    for edition in ("2015", "2020"):
        sets: list[SetCost] = []
        verify_ms = []
        for seed in range(GAMES):
            duel, costs = _costed_game(f"bench {seed}", edition)
            sets += costs
            archive = _archive(duel)
            cpu = _cpu_ms(partial(verify_transcript, archive), 3)
            verify_ms.append(cpu / game_of(duel.table).number)
        figures[edition] = {
            "verify_ms_per_set": round(median(verify_ms), 2),
            "nothing_kept": _middle([cost for cost in sets if not cost.kept]),
            "some_kept": _middle([cost for cost in sets if cost.kept]),
        }
    return figures


@dataclass
class SetCost:
    """What one set has cost. kept: by each seat, () if nobody kept a card."""

    kept: tuple[int, ...] = ()
    opening_ms: list[float] = field(default_factory=lambda: [0.0, 0.0])  # CPU, by seat
    opening_authors: list[int] = field(default_factory=list)
    opening_bytes: int = 0
    bytes: int = 0
    moves: int = 0

    @property
    def opening_flights(self) -> int:
        """Changes of direction, the first message included."""
        return sum(1 for _ in groupby(self.opening_authors))


def _costed_game(seed: str, edition: str) -> tuple["Duel", list[SetCost]]:
    from matcha_p2p.games.matcha.table.view import game_of, matcha_of
    from matcha_p2p.table.table import next_due
    from tests.duel import chooser, next_entry, opened

    duel = opened(seed, edition)
    choosers = (chooser("uniform", f"{seed} 0"), chooser("uniform", f"{seed} 1"))
    costs: list[SetCost] = []
    while True:
        due = next_due(duel.table)
        if due is None:
            return duel, costs
        kept = game_of(duel.table).kept
        if game_of(duel.table).number > len(costs):
            costs.append(SetCost(kept if any(kept) else ()))
        cost = costs[-1]
        opening = matcha_of(duel.table).stage is not None
        start = time.process_time()
        entry = next_entry(duel, choosers)
        made = time.process_time()
        duel.say(entry)
        checked = time.process_time()
        size = len(entry.encoded)
        cost.bytes += size
        cost.moves += due.decision
        if opening:
            cost.opening_ms[entry.seat] += (made - start) * 1000
            cost.opening_ms[1 - entry.seat] += (checked - made) * 1000
            cost.opening_authors.append(entry.seat)
            cost.opening_bytes += size


def _middle(sets: list[SetCost]) -> Figures:
    """Return medians over ``sets``."""
    if not sets:
        return {"sets": 0}
    return {
        "sets": len(sets),
        "opening_flights": median(cost.opening_flights for cost in sets),
        "opening_ms_seat_0": round(median(cost.opening_ms[0] for cost in sets), 2),
        "opening_ms_seat_1": round(median(cost.opening_ms[1] for cost in sets), 2),
        "opening_ms_together": round(median(sum(cost.opening_ms) for cost in sets), 2),
        "opening_bytes": median(cost.opening_bytes for cost in sets),
        "bytes": median(cost.bytes for cost in sets),
        "decisions": median(cost.moves for cost in sets),
    }


def tichu() -> Figures:
    """Measure rounds of Tichu by bots in memory, in ms of CPU.

    made, checked: the entries of a player in a round, and those of the three others. An entry
    is small if it has no shuffle. file: a round verified.
    """
    from matcha_p2p.chain.verify import verify_transcript
    from matcha_p2p.games.tichu.bots.roster import BOTS
    from matcha_p2p.games.tichu.table.told import told
    from matcha_p2p.games.tichu.table.view import look
    from matcha_p2p.table.seat import decide, follow
    from matcha_p2p.table.step import step
    from matcha_p2p.table.table import next_due
    from matcha_p2p.wire.entry import parse_entry
    from tests.games.tichu.party import game
    from tests.table.party import begun

    times: list[tuple[bool, float, float]] = []  # small, made, checked
    files: list[bytes] = []
    for seed in range(GAMES):
        party, chance = begun(f"bench {seed}", game()), random.Random(seed)
        while (due := next_due(party.table)) is not None:
            player, make = party.players[due.seat], follow
            if due.decision:
                view = look(player, party.table, told(party.events, player))
                make = partial(decide, move=BOTS["club"].choose(view, chance))
            start = time.process_time()
            said = make(player, party.table)
            made = time.process_time()
            assert said is not None
            entry = parse_entry(said.entry.encoded)
            party.state, events = step(party.state, entry)
            checked = time.process_time()
            party.entries.append(entry)
            party.events += events
            times.append(
                (len(entry.encoded) < SMALL, 1000 * (made - start), 1000 * (checked - made))
            )
        files.append(party.file())
    verify_ms = [_cpu_ms(partial(verify_transcript, file), 3) for file in files]
    return {
        "made": round(sum(made for _, made, _ in times) / GAMES / 4, 1),
        "checked": round(sum(checked for _, _, checked in times) / GAMES * 3 / 4, 1),
        "small_made": round(median(made for small, made, _ in times if small), 3),
        "small_checked": round(median(checked for small, _, checked in times if small), 3),
        "file": round(median(verify_ms), 1),
    }


def opening() -> Figures:
    """Measure over loopback TCP, journals and all: wall time until both see their hands."""
    from tests.opening_times import opening_times

    times = trio.run(opening_times, GAMES)
    return {"sets": len(times), "wall_ms": round(1000 * median(times), 2)}


def practice() -> Figures:
    """Measure on a real terminal: ms to first screens, and from keys to redraws in practice.

    Shuffling: while all cards of a set are shuffled and dealt, with the proofs of both seats
    made in one process.
    """
    from tests.console.response import BEGINNINGS, beginnings, response, revealing

    begun = [beginnings() for _ in range(GAMES)]
    games = [response() for _ in range(GAMES)]
    shuffling = [shown for game in games for shown in game.shuffling]
    idle = [shown for game in games for shown in game.idle]
    revealed = [shown for _ in range(GAMES) for shown in revealing()]
    return {
        "first_screen_ms": round(median(game.first for game in games)),
        "first_screen_cpu_ms": round(median(game.cpu for game in games)),
        **{
            name: {
                "first_screen_ms": round(median(times[name][0] for times in begun)),
                "first_screen_cpu_ms": round(median(times[name][1] for times in begun)),
            }
            for name, _, _ in BEGINNINGS
        },
        "first_question_ms": round(median(game.asked for game in games)),
        "key_to_redraw_shuffling": _spread(shuffling),
        "key_to_redraw_idle": _spread(idle),
        "key_to_redraw_revealing": _spread(revealed),
    }


def _spread(times: list[float]) -> Figures:
    ordered = sorted(times)
    if not ordered:
        return {"keys": 0}
    return {
        "keys": len(ordered),
        "median_ms": round(median(ordered), 1),
        "p95_ms": round(ordered[len(ordered) * 95 // 100], 1),
        "max_ms": round(ordered[-1], 1),
    }


def memory() -> Figures:
    """Measure the most memory that each process of a game over the line has held, in MB.

    The screen is that of practice, which plays both seats: an upper bound for one.
    """
    from tests.console.response import response
    from tests.processes import host, join, peak_memory

    figures: Figures = {"practice_on_screen_mb": round(response().memory)}
    for edition in ("2015", "2020"):
        with (
            tempfile.TemporaryDirectory() as folder,
            host(Path(folder) / "host", "--play", "greedy", "--edition", edition) as hosting,
            join(Path(folder) / "guest", hosting.until("invite")["invite"]) as joined,
        ):
            for name, peer in (("host", hosting), ("guest", joined)):
                peer.until("game-ended")
                figures[f"{name}_{edition}_mb"] = round(peak_memory(peer.process.pid))
    return figures


def table() -> Figures:
    """Measure a round of Tichu by bots in four processes, journals and all.

    start_to_hand, join_to_hand: from the start of the last guest's program, and from its link
    to the host, until the host's bot sees its first cards. round: from there to the points.
    memory: of the largest process. star: each guest has a link to the host alone. mesh: the
    guests also link directly. late: the same over lines of 40 ms one way.
    """
    figures: Figures = {"rounds": ROUNDS, "one_way_s": LATE}
    for name, late in (("at_once", 0.0), ("late", LATE)):
        figures[name] = {graph: _table_figures(late, graph) for graph in ("star", "mesh")}
    return figures


def _table_figures(late: float, graph: str) -> Figures:
    from tests.table_times import table_times

    times = [table_times(seed, late, graph) for seed in range(ROUNDS)]
    return {
        "start_to_hand_s": round(median(each.from_start for each in times), 2),
        "join_to_hand_s": round(median(each.from_join for each in times), 2),
        "round_s": round(median(each.round for each in times), 2),
        "peak_mb": round(max(each.memory for each in times), 1),
    }


def reading() -> Figures:
    """Measure ``matcha verify`` on a thousand files: wall time and CPU of all its processes."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.matcha" for number in range(1000)]
        for seed in range(GAMES):
            duel, _ = _costed_game(f"bench {seed}", "2020")
            archive = _archive(duel)
            for file in files[seed::GAMES]:
                file.write_bytes(archive)
        command = [sys.executable, "-m", "matcha_p2p", "verify", *map(str, files)]
        before, start = os.times(), time.perf_counter()
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wall, after = time.perf_counter() - start, os.times()
    cpu = sum(after[2:4]) - sum(before[2:4])
    return {"files": len(files), "wall_s": round(wall, 1), "cpu_s": round(cpu, 1)}


def records() -> Figures:
    """Measure a file of Tichu by the number of its records: verified, and taken by a watcher.

    The entries are the same, so what a record costs stays the same.
    """
    from matcha_p2p.chain.verify import verify_transcript
    from tests.chain.test_many_records import ENTRIES, many, watch

    verify_transcript(many(ENTRIES, 1))  # whatever is cached
    figures: Figures = {}
    for count in RECORDS:
        file, few = many(ENTRIES, count // 3), many(ENTRIES, 1)
        figures[str(count)] = {
            f"{name}_ms_per_record": round(
                (_cpu_ms(partial(work, file), 1) - _cpu_ms(partial(work, few), 1)) / count, 3
            )
            for name, work in (("verify", verify_transcript), ("watch", watch))
        }
    return figures


def archives() -> Figures:
    """Measure archives: verify by the number of files, and two indexes of one folder.

    The files are copies of a few short games, and the games of the index have only begun: the
    figures show what grows with the number of files. The sizes are those of whole games.
    """
    from tests.duel import opened

    figures: Figures = {}
    for count in ARCHIVES:
        with tempfile.TemporaryDirectory() as folder:
            _copy_games(Path(folder), count)
            _, cpu, memory = _spent("verify", folder)
        figures[str(count)] = {
            "cpu_ms_per_file": round(1000 * cpu / count, 2),
            "peak_mb": round(memory, 1),
        }
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as folder:
        for number in range(INDEXED):
            begun = opened(f"index {number}")
            (Path(folder) / f"{number:06}.matcha").write_bytes(_archive(begun))
        first, second = (_spent("--home", home, "index", folder)[0] for _ in range(2))
    return figures | {
        "index": {"games": INDEXED, "first_s": round(first, 1), "second_s": round(second, 1)},
        "sizes": _sizes(),
    }


def _copy_games(folder: Path, count: int) -> None:
    """Write ``count`` files with a few short games by turns."""
    from tests.vectors import FOLDER

    games = [(FOLDER / "accept" / f"{name}.matcha").read_bytes() for name in ARCHIVED]
    for number in range(count):
        (folder / f"{number:06}.matcha").write_bytes(games[number % len(games)])


def _sizes() -> Figures:
    """Measure in kB of a game: its transcript, and its page without the shared files."""
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as folder:
        for seed in range(GAMES):
            duel, _ = _costed_game(f"bench {seed}", "2020")
            archive = _archive(duel)
            (Path(folder) / f"{seed}.matcha").write_bytes(archive)
        _spent("--home", home, "index", folder)
        return {
            name: round(sum(file.stat().st_size for file in files) / GAMES / 1000, 1)
            for name, files in {
                "transcript_kb": Path(folder).glob("*.matcha"),
                "page_kb": Path(folder).glob("[0-9].html"),
            }.items()
        }


def _spent(*words: str) -> tuple[float, float, float]:
    """Run a command: the wall time and the CPU in seconds, and the largest process in MB."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "matcha_p2p", *words]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise RuntimeError(f"{words} ends with {running.returncode}")
    wall = time.perf_counter() - start
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def arena() -> Figures:
    """Measure bots on the rules engine alone: games a second."""
    from matcha_p2p.games.matcha.bots.arena import play_game
    from matcha_p2p.games.matcha.bots.roster import BOTS
    from matcha_p2p.games.matcha.rules.edition import EDITIONS
    from matcha_p2p.games.matcha.rules.seats import SEATS

    figures: Figures = {}
    for edition in EDITIONS.values():
        for name, bot in BOTS.items():
            played, seconds = 0, 0.0
            start = time.process_time()
            while seconds < ARENA_SECONDS:
                play_game(edition, (bot, bot), f"2026 {played}", SEATS[played % 2])
                played += 1
                seconds = time.process_time() - start
            figures[f"{name} {edition.name}"] = {"games_per_s": round(played / seconds, 2)}
    return figures


def watching() -> Figures:
    """Measure a move from one player to the other, in ms, with nobody and with 20 watching."""
    from tests.watch_times import move_times

    times: dict[int, list[float]] = {0: [], WATCHERS: []}
    for number in range(WATCHED_GAMES):
        for watchers, found in times.items():  # in turn, as machines are busy at times
            found.extend(trio.run(move_times, f"watched {number}", watchers))
    p99 = {
        watchers: 1000 * sorted(found)[len(found) * 99 // 100]
        for watchers, found in times.items()
    }
    return {
        "moves": len(times[0]),
        "median_ms": round(1000 * median(times[0]), 2),
        "median_ms_watched": round(1000 * median(times[WATCHERS]), 2),
        "p99_ms": round(p99[0], 2),
        "p99_ms_watched": round(p99[WATCHERS], 2),
        "p99_ratio": round(p99[WATCHERS] / p99[0], 2),
    }


def moves() -> Figures:
    """Measure what the strongest bot costs: CPU ms to load, ms a move, memory in MB."""
    import resource

    began = time.process_time()
    from matcha_p2p.games.matcha.bots.roster import BOTS

    loaded = (time.process_time() - began) * 1000
    from matcha_p2p.games.matcha.bots.arena import play_game
    from matcha_p2p.games.matcha.rules.edition import EDITIONS

    figures: Figures = {"load_ms": round(loaded, 1)}
    for edition in EDITIONS.values():
        timed = Timed(BOTS["expert"])
        for number in range(6):
            play_game(edition, (timed, timed), f"moves {number}")
        ordered = sorted(timed.times)
        figures[edition.name] = {
            "moves": len(ordered),
            "mean_ms": round(sum(ordered) / len(ordered), 1),
            "p95_ms": round(ordered[len(ordered) * 95 // 100], 1),
            "max_ms": round(ordered[-1], 1),
        }
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return figures | {"memory_mb": round(used / 1024, 1)}


class Timed:
    """A bot with timed moves; forced moves do not count."""

    name = "timed"

    def __init__(self, bot: "Bot") -> None:
        self.bot = bot
        self.times: list[float] = []

    def choose(self, observation: "Observation", rng: random.Random) -> "Move":
        began = time.process_time()
        move = self.bot.choose(observation, rng)
        if len(observation.legal_moves()) > 1:
            self.times.append((time.process_time() - began) * 1000)
        return move


def _ratios(figures: Figures) -> Figures:
    """Return how many times as long one engine takes as another."""

    def ratios(slow: str, quick: str) -> Figures:
        return {
            name: round(_at(figures[slow], path) / _at(figures[quick], path), 2)
            for name, path in COMPARED.items()
        }

    return {
        f"{slow} to {quick}": ratios(slow, quick)
        for slow, quick in (("native", "fast"), ("pure", "native"))
    }


def _at(figures: object, path: tuple[str, ...]) -> float:
    for name in path:
        figures = figures[name]  # type: ignore[index]  # figures nest by these names
    return float(figures)  # type: ignore[arg-type]  # and end in a number


PARTS: dict[str, Callable[[], Figures]] = {
    "proofs": proofs,
    "game": game,
    "tichu": tichu,
    "opening": opening,
    "practice": practice,
    "memory": memory,
    "table": table,
    "reading": reading,
    "archives": archives,
    "records": records,
    "arena": arena,
    "moves": moves,
    "watching": watching,
}

if __name__ == "__main__":
    main()
