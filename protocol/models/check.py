"""Search the model exhaustively: sound cases that must hold, and cases with a mistake.

Run ``python protocol/models/check.py`` for all cases, or with the names of cases. ``--story
NAME`` prints a failing run of a case. The program needs spin and gcc on the path, and nothing
of matcha_p2p. Exit status: 0 all cases are as expected, 1 a case is not, 2 no such case, 3 a
tool is missing.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

HERE: Final = Path(__file__).parent
MEMORY: Final = 3000
"""The most megabytes of a search."""
STATE: Final = 2048
"""The most bytes of a state."""

PROPERTIES: Final = {
    "two_entries": 1,
    "two_logs": 2,
    "same_coins": 4,
    "refused": 8,
    "stuck": 16,
    "accused": 32,
    "taken_back": 64,
    "goes_on": 128,
}
"""The model's names of forbidden events, and the numbers of these events in WATCH."""

ENDLESS: Final = "endless"
"""The finding of a search for cycles: a run without end."""

NOBODY: Final = 4
"""In the model, the seat that resigns or lies, if none does."""


Edges: TypeAlias = tuple[tuple[int, int], ...]
"""The pairs of neighbours."""

PAIR: Final = ((0, 1),)
STAR: Final = ((0, 1), (0, 2))
RING: Final = ((0, 1), (0, 2), (1, 2))
STAR_OF_FOUR: Final = ((0, 1), (0, 2), (0, 3))

MODEL: Final = HERE / "asking.pml"


@dataclass(frozen=True, slots=True)
class Case:
    """A bounded world to search, of two seats by default.

    order: as digits, the author of each entry. dials: bit i if the end i of an edge dials; 0 if
    both ends take each link at once. restores: bit i if seat i is put back, once. back: the
    most entries that the seat then lacks. resigns: the seat that may resign. leaves: seats
    leave after the game. pipes: the number of dials that reach the dialling seat's own
    listener. liar: the seat that lies. fails: the number of its SYNCs that may fail.
    switches: further definitions. breaks: the property that must break, the only property
    judged; None if all must hold. cycles: look for a run without end instead.
    """

    name: str
    order: str = "0110"
    crashes: int = 1
    cuts: int = 1
    edges: Edges = PAIR
    dials: int = 2
    restores: int = 0
    back: int = 7
    resigns: int | None = None
    leaves: bool = True
    pipes: int = 0
    liar: int | None = None
    fails: int = 0
    switches: tuple[str, ...] = ()
    breaks: str | None = None
    cycles: bool = False

    @property
    def defines(self) -> list[str]:
        """The case as options of the preprocessor."""
        switched = [f"-D{switch}" for switch in self.switches]
        return [*(f"-D{name}={n}" for name, n in self.bounds.items()), *switched]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return 1 + max(map(max, self.edges))

    @property
    def bounds(self) -> dict[str, int]:
        """The bounds of the world, as the model names them."""
        return {
            "N": len(self.order),
            "ORDER": _in_fours(map(int, self.order)),
            "SEATS": self.seats,
            "EDGES": len(self.edges),
            "AT": _in_fours(seat for edge in self.edges for seat in edge),
            "DIALS": self.dials,
            "CRASHES": self.crashes,
            "CUTS": self.cuts,
            "RESTORES": self.restores,
            "BACK": self.back,
            "RESIGNS": NOBODY if self.resigns is None else self.resigns,
            "LEAVES": int(self.leaves),
            "PIPES": self.pipes,
            "LIAR": NOBODY if self.liar is None else self.liar,
            "FAILS": self.fails,
            "WATCH": self.watched,
        }

    @property
    def watched(self) -> int:
        """The judged properties."""
        return PROPERTIES.get(self.breaks or ENDLESS, sum(PROPERTIES.values()))


def _in_fours(seats: Iterable[int]) -> int:
    return sum(seat << 2 * place for place, seat in enumerate(seats))


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a search. broken: the first broken property. whole: saw every state."""

    broken: str | None
    whole: bool
    states: int
    seconds: float

    def fits(self, case: Case) -> bool:
        """Tell whether the finding is the expected finding of ``case``."""
        return self.whole if case.breaks is None else self.broken == case.breaks

    @property
    def verdict(self) -> str:
        """In a word or two."""
        return self.broken or ("holds" if self.whole else "search not completed")


table_case: Final = partial(
    Case, order="01", crashes=0, cuts=0, edges=STAR, dials=0, back=1, leaves=False
)
"""Return a bounded world of three or four seats."""

MORE: Final = ("TELLS_MORE",)
ANYTHING: Final = ("TELLS_MORE", "TELLS_LESS")

PAIRS: Final = (
    Case("two of each", "01101", crashes=2, cuts=2),
    Case("guest begins", "10010", cuts=2),
    Case("either dials", crashes=2, cuts=2, dials=3),
    Case("written late", crashes=2, switches=("LATE",)),
    Case("host restored", "01101", restores=1),
    Case("guest restored", "01101", restores=2),
    Case("restored, either dials", crashes=0, dials=3, restores=2),
    Case("restored, written late", crashes=0, restores=1, switches=("LATE",)),
    Case("host resigns, restored", crashes=0, restores=1, resigns=0),
    Case("guest resigns, restored", crashes=0, restores=2, resigns=1),
    Case("peer resigns, restored", crashes=0, restores=2, resigns=0),
    Case("dials itself", dials=3, pipes=2),
    Case("dials itself, one psk", dials=3, pipes=2, switches=("ONE_PSK",)),
    Case("dials itself, strict SYNC", dials=3, pipes=2, switches=("SYNC_ENDS_GAME",)),
    Case("every SYNC is kept", crashes=2, switches=("KEEP_SYNC",)),
    Case("peer tells less", liar=1, switches=("TELLS_LESS",)),
    Case("guest tells anything", dials=3, liar=1, fails=1, switches=ANYTHING),
    Case("host tells more", "01101", dials=3, liar=0, fails=1, switches=MORE),
    Case("restored, told more", crashes=0, restores=1, liar=1, fails=1, switches=MORE),
    Case("no wait for a SYNC", restores=2, switches=("NO_OWED",)),
    Case("every run ends", cycles=True),
    Case("every run ends, restored", crashes=0, restores=1, cycles=True),
    Case("every run ends, told more", liar=1, fails=1, switches=MORE, cycles=True),
)
TABLES: Final = (
    table_case("star: hub restored", order="012", restores=1),
    table_case("star: hub restored far", order="0120", restores=1, back=2),
    table_case("star: guest restored", order="0120", restores=2, back=2),
    table_case("star: hub restored, cut", order="012", cuts=1, restores=1),
    table_case("star: hub resigns, restored", restores=1, resigns=0),
    table_case("star: guest resigns, restored", restores=2, resigns=1),
    table_case("star: hub told more", order="012", restores=1, liar=1, fails=1, switches=MORE),
    table_case(
        "star: no wait for a SYNC", order="012", cuts=1, restores=1, switches=("NO_OWED",)
    ),
    table_case("ring: restored", edges=RING, restores=1),
    table_case("star of four: hub restored", edges=STAR_OF_FOUR, restores=1),
    table_case("star of four: guest restored", edges=STAR_OF_FOUR, restores=2),
)
LARGE: Final = (table_case("star: hub restored, crash", crashes=1, restores=1),)

MISTAKES: Final = (
    Case("send before journal", switches=("SEND_FIRST",), breaks="two_entries"),
    Case("re-made message", switches=("REMAKE",), breaks="two_entries"),
    Case("label-only coins", restores=1, switches=("LABEL_ONLY",), breaks="same_coins"),
    Case("no adoption", restores=1, switches=("NO_ADOPTION",), breaks="refused"),
    Case("no adoption: the game", restores=1, switches=("NO_ADOPTION",), breaks="stuck"),
    Case("author before SYNC", restores=1, switches=("AUTHOR_UNSYNCED",), breaks="two_logs"),
    Case("author while behind", restores=2, switches=("AUTHOR_BEHIND",), breaks="two_logs"),
    Case(
        "author while behind, host",
        restores=1,
        switches=("AUTHOR_BEHIND",),
        breaks="two_entries",
    ),
    Case("no last entry", restores=1, switches=("NO_LAST",), breaks="two_logs"),
    Case(
        "announced, not shown",
        restores=1,
        switches=("KEEP_SYNC", "NO_SYNC"),
        breaks="two_entries",
    ),
    Case(
        "resignation not awaited",
        restores=2,
        resigns=1,
        switches=("ENTRIES_ALONE",),
        breaks="goes_on",
    ),
    Case(
        "wait though whole",
        crashes=0,
        liar=1,
        switches=(*MORE, "WAIT_WHOLE"),
        breaks=ENDLESS,
        cycles=True,
    ),
    Case("wait for ever", liar=1, switches=(*MORE, "WAIT_FOR_EVER"), breaks="stuck"),
    Case("late decision", switches=("DECIDE_LATE",), breaks="refused"),
    Case("newer link dropped", switches=("DROP_NEWER",), breaks="stuck"),
    Case(
        "psk without the seat",
        pipes=1,
        switches=("ONE_PSK", "SYNC_ENDS_GAME"),
        breaks="accused",
    ),
    Case("SYNC ends the game", liar=1, fails=1, switches=("SYNC_ENDS_GAME",), breaks="accused"),
    Case("last author leaves", switches=("EXIT_EARLY",), breaks="stuck"),
    Case("last entry in memory", switches=("LATE", "LAST_IN_MEMORY"), breaks="stuck"),
    Case("shown before written", switches=("LATE", "SHOW_FIRST"), breaks="taken_back"),
    Case("told before written", switches=("LATE", "TELL_FROM_MEMORY"), breaks="taken_back"),
    Case(
        "hands back from disk",
        restores=2,
        switches=("LATE", "TELL_FROM_MEMORY"),
        breaks="stuck",
    ),
    table_case("star: one word", restores=1, switches=("ONE_WORD",), breaks="two_logs"),
    table_case(
        "star: no last entry", cuts=1, restores=1, switches=("NO_LAST",), breaks="two_logs"
    ),
    table_case("star: no flooding", restores=1, switches=("NO_FLOOD",), breaks="stuck"),
    table_case(
        "star: resignation not awaited",
        restores=2,
        resigns=1,
        switches=("ENTRIES_ALONE",),
        breaks="goes_on",
    ),
    table_case(
        "star of four: author while behind",
        edges=STAR_OF_FOUR,
        restores=1,
        switches=("AUTHOR_BEHIND",),
        breaks="two_logs",
    ),
    table_case(
        "ring: old links count",
        edges=RING,
        restores=1,
        switches=("OLD_LINKS",),
        breaks="two_logs",
    ),
)

HOPELESS: Final = (
    Case("both restored", restores=3, breaks="two_entries"),
    Case("announced, then restored", restores=1, switches=("KEEP_SYNC",), breaks="stuck"),
    Case(
        "restored, peer lies",
        restores=1,
        liar=1,
        switches=("TELLS_LESS",),
        breaks="two_entries",
    ),
)
"""Cases that no protocol can mend: the model must find a fault, and README.md lists them."""

QUICK: Final = (*PAIRS, *TABLES, *MISTAKES, *HOPELESS)
CASES: Final = (*QUICK, *LARGE)


def missing() -> tuple[str, ...]:
    """Return the tools missing on the path."""
    return tuple(tool for tool in ("spin", "gcc") if shutil.which(tool) is None)


def search(case: Case) -> Finding:
    """Search all states of ``case``, or until a fault.

    Raises:
        RuntimeError: spin or gcc does not take the model.
    """
    with _built(case) as folder:
        before = time.monotonic()
        options = ["-l"] if case.cycles else ["-E"]  # -E: the model itself judges ends
        said = _run(["./pan", *options, "-m200000", "-w24"], folder)
        return _read(said, time.monotonic() - before)


def story(case: Case) -> str:
    """Return a short run that breaks ``case``, a line for each step, or "" if no run does."""
    with _built(case, "-DREACH") as folder:
        _run(["./pan", "-E", "-i", "-m200000"], folder)
        model = MODEL.name
        if not (folder / f"{model}.trail").exists():
            return ""
        told = _run(["spin", "-T", *case.defines, "-k", f"{model}.trail", model], folder)
    steps = [line.strip() for line in told.splitlines()]
    return "\n".join(step for step in steps if re.match(r"(seat|link) \d", step))


def report(case: Case, finding: Finding) -> str:
    """Return a row of the table."""
    mark = "ok" if finding.fits(case) else "WRONG"
    row = f"{case.name:36}{case.order:8}{case.crashes:3}{case.cuts:4}"
    return f"{row}  {finding.verdict:12}{finding.states:10,}{finding.seconds:7.1f} s  {mark}"


def main(arguments: Sequence[str]) -> int:
    """Run the named cases; return the exit status."""
    parser = argparse.ArgumentParser(description="Search the model exhaustively.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases to run (all)")
    parser.add_argument("--quick", action="store_true", help="leave out the large cases")
    parser.add_argument("--story", metavar="NAME", help="tell how a case goes wrong")
    asked = parser.parse_args(arguments)
    cases = {case.name: case for case in CASES}
    every = [case.name for case in (QUICK if asked.quick else CASES)]
    names: list[str] = [asked.story] if asked.story else asked.names or every
    if unknown := [name for name in names if name not in cases]:
        parser.error(f"no case is called {unknown[0]!r}; there are: {', '.join(cases)}")
    if lacking := missing():
        _say(f"{' and '.join(lacking)} must be installed: apt-get install spin gcc")
        return 3
    if asked.story:
        _say(story(cases[asked.story]) or "Nothing goes wrong.")
        return 0
    return _check([cases[name] for name in names])


def _check(cases: Sequence[Case]) -> int:
    _say(f"{'case':36}{'order':7}crashes cuts  found       states     time")
    right = True
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for case, finding in zip(cases, pool.map(search, cases), strict=True):
            _say(report(case, finding))
            right = right and finding.fits(case)
    return 0 if right else 1


@contextmanager
def _built(case: Case, *flags: str) -> Generator[Path]:
    """Lend a folder with the model and the search program ``pan``."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(MODEL, folder)
        told = _run(["spin", *case.defines, "-a", MODEL.name], folder)
        kind = "-DNP" if case.cycles else "-DSAFETY"
        # Partial order reduction is off: here it saves no state, and takes time.
        # Of a quick search, the compiler's work would take longer than the search.
        speed = "-O1" if case in LARGE else "-O0"
        how = ["-w", speed, "-DNOREDUCE", kind, f"-DMEMLIM={MEMORY}"]
        told += _run(["gcc", *how, f"-DVECTORSZ={STATE}", *flags, "-o", "pan", "pan.c"], folder)
        if not (folder / "pan").exists():
            raise RuntimeError(f"spin or gcc does not take {MODEL.name}:\n{told}")
        yield folder


def _run(command: Sequence[str], folder: Path) -> str:
    """Run ``command`` in ``folder``; return the output."""
    # Only commands of this file come here. pan reports by words, not by status.
    done = subprocess.run(  # noqa: S603 - no part of a command comes from elsewhere
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def _read(said: str, seconds: float) -> Finding:
    """Return the finding in the output of pan."""
    broken = None
    if fault := re.search(r"^pan:1: (.+?)(?: \(at depth \d+\))?$", said, re.MULTILINE):
        judged = re.match(r"assertion violated +!\(\((\w+)", fault[1])
        cycle = "non-progress cycle" in fault[1]
        broken = judged[1] if judged else ENDLESS if cycle else fault[1]
    counted = re.search(r"(\d+) states, stored", said)
    cut_short = "Search not completed" in said or "max search depth too small" in said
    return Finding(
        broken=broken,
        whole=counted is not None and "errors: 0" in said and not cut_short,
        states=int(counted[1]) if counted else 0,
        seconds=seconds,
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
