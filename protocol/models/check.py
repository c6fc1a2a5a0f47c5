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
from pathlib import Path
from typing import ClassVar, Final

HERE: Final = Path(__file__).parent
MEMORY: Final = 3000
"""The most megabytes of a search."""

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


@dataclass(frozen=True, slots=True)
class Case:
    """A bounded world to search.

    order: the author, 0 or 1, of each entry. dials, restores: the model's sets of seats, bit i
    for seat i. resigns: the seat that may resign. pipes: the number of dials that reach the
    dialling seat's own listener. liar: the seat that lies in SYNC. waits: the number of links
    given up for a lie. switches: further definitions. breaks: the property that must break, the
    only property judged; None if all must hold. cycles: look for a run without end instead.
    """

    name: str
    order: str = "0110"
    crashes: int = 1
    cuts: int = 1
    dials: int = 2
    restores: int = 0
    resigns: int | None = None
    pipes: int = 0
    liar: int | None = None
    waits: int = 0
    switches: tuple[str, ...] = ()
    breaks: str | None = None
    cycles: bool = False

    model: ClassVar = HERE / "resume.pml"

    @property
    def defines(self) -> list[str]:
        """The case as options of the preprocessor."""
        switched = [f"-D{switch}" for switch in self.switches]
        return [*(f"-D{name}={n}" for name, n in self.bounds.items()), *switched]

    @property
    def bounds(self) -> dict[str, int]:
        """The bounds of the world, as the model names them."""
        return {
            "N": len(self.order),
            "ORDER": int(self.order[::-1], 2),
            "CRASHES": self.crashes,
            "CUTS": self.cuts,
            "DIALS": self.dials,
            "RESTORES": self.restores,
            "RESIGNS": 2 if self.resigns is None else self.resigns,
            "PIPES": self.pipes,
            "LIAR": 2 if self.liar is None else self.liar,
            "WAITS": self.waits,
            "WATCH": self.watched,
        }

    @property
    def watched(self) -> int:
        """The judged properties."""
        return PROPERTIES[self.breaks] if self.breaks else sum(PROPERTIES.values())


STAR: Final = ((0, 1), (0, 2))
RING: Final = ((0, 1), (0, 2), (1, 2))
STAR_OF_FOUR: Final = ((0, 1), (0, 2), (0, 3))


@dataclass(frozen=True, slots=True)
class TableCase(Case):
    """A bounded world of three or four seats, one of which is put back to a backup.

    edges: the pairs of neighbours. order: as digits, the author of each entry. restored: the
    seat that is put back, once. back: the most entries that the seat then lacks.
    """

    order: str = "01"
    crashes: int = 0
    cuts: int = 0
    edges: tuple[tuple[int, int], ...] = STAR
    restored: int = 0
    back: int = 1

    model: ClassVar = HERE / "asking.pml"

    @property
    def bounds(self) -> dict[str, int]:
        """The bounds of the world, as the model names them."""
        ends = [seat for edge in self.edges for seat in edge]
        return {
            "N": len(self.order),
            "ORDER": _in_fours(map(int, self.order)),
            "SEATS": 1 + max(ends),
            "EDGES": len(self.edges),
            "AT": _in_fours(ends),
            "CRASHES": self.crashes,
            "CUTS": self.cuts,
            "RESTORED": self.restored,
            "BACK": self.back,
            "WATCH": self.watched,
        }


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


SMALL: Final = (
    Case("two cuts", "01101", crashes=1, cuts=2),
    Case("two crashes", "0110", crashes=2, cuts=1),
    Case("two of each", "01101", crashes=2, cuts=2),
    Case("three crashes", "10010", crashes=3, cuts=1),
    Case("six entries", "011010", crashes=2, cuts=2),
    Case("host restored", "01101", restores=1),
    Case("guest restored", "01101", restores=2),
    Case("restored, either dials", "0110", crashes=0, dials=3, restores=2),
    Case("host resigns, restored", "0110", crashes=0, restores=1, resigns=0),
    Case("guest resigns, restored", "0110", crashes=0, restores=2, resigns=1),
    Case("peer resigns, restored", "0110", crashes=0, restores=2, resigns=0),
    Case("dials itself", "0110", dials=3, pipes=2),
    Case("dials itself, one psk", "0110", dials=3, pipes=2, switches=("ONE_PSK",)),
    Case("dials itself, strict SYNC", "0110", dials=3, pipes=2, switches=("SYNC_ENDS_GAME",)),
    Case("every SYNC is kept", "0110", crashes=2, switches=("JUDGE_SYNC",)),
    Case("peer tells less", "0110", crashes=2, liar=1, switches=("TELLS_LESS",)),
    Case("peer tells more", "0110", dials=1, liar=1, waits=1),
    Case("peer tells anything", "0110", dials=1, liar=1, waits=1, switches=("TELLS_LESS",)),
    Case("always told more", "0110", crashes=0, cuts=2, liar=1, switches=("ALWAYS_MORE",)),
    Case("restored, told more", "0110", crashes=0, dials=1, restores=1, liar=1, waits=1),
    Case("every run ends", "0110", crashes=2, cycles=True),
    Case("every run ends, restored", "0110", crashes=0, restores=1, cycles=True),
)

LARGE: Final = (
    Case("either dials, three cuts", "0110", crashes=2, cuts=3, dials=3),
    Case("either dials", "0110", crashes=2, cuts=2, dials=3),
    Case("three of each", "011010", crashes=3, cuts=3),
    Case("restored, two of each", "01101", crashes=2, cuts=2, restores=2),
    Case("guest lies twice", "01101", dials=3, liar=1, waits=2),
    Case("host lies twice", "01101", dials=3, liar=0, waits=2),
    Case(
        "host always tells more",
        "01101",
        crashes=0,
        cuts=2,
        dials=3,
        liar=0,
        switches=("ALWAYS_MORE",),
    ),
    Case("restored, told more, crash", "0110", dials=1, restores=1, liar=1, waits=1),
    Case("every run ends, told more", "0110", dials=3, liar=1, waits=1, cycles=True),
)

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
    Case(
        "resignation not awaited",
        restores=2,
        resigns=1,
        switches=("ENTRIES_ALONE",),
        breaks="goes_on",
    ),
    Case(
        "wait though certain",
        crashes=0,
        liar=1,
        switches=("ALWAYS_MORE", "WAIT_CERTAIN"),
        breaks="stuck",
    ),
    Case("wait for ever", liar=1, waits=1, switches=("WAIT_FOR_EVER",), breaks="stuck"),
    Case("late decision", switches=("DECIDE_LATE",), breaks="refused"),
    Case("stale link heard", switches=("TAKE_STALE",), breaks="refused"),
    Case("newer link dropped", switches=("DROP_NEWER",), breaks="stuck"),
    Case(
        "psk without the seat",
        pipes=1,
        switches=("ONE_PSK", "SYNC_ENDS_GAME"),
        breaks="accused",
    ),
    Case("SYNC ends the game", liar=1, waits=1, switches=("SYNC_ENDS_GAME",), breaks="accused"),
    Case("last author leaves", switches=("EXIT_EARLY",), breaks="stuck"),
    Case("last entry in memory", switches=("LAST_IN_MEMORY",), breaks="stuck"),
    Case("shown before written", switches=("SHOW_FIRST",), breaks="taken_back"),
    Case("told before written", switches=("SYNC_FROM_MEMORY",), breaks="taken_back"),
    Case("hands back from disk", restores=2, switches=("SYNC_FROM_MEMORY",), breaks="stuck"),
)

HOPELESS: Final = (
    Case("both restored", restores=3, breaks="two_entries"),
    Case(
        "announced, then restored", restores=1, switches=("JUDGE_SYNC",), breaks="two_entries"
    ),
    Case(
        "restored, peer lies",
        restores=1,
        liar=1,
        switches=("TELLS_LESS",),
        breaks="two_entries",
    ),
    Case("restarted, always told more", liar=1, switches=("ALWAYS_MORE",), breaks="stuck"),
)
"""Cases that no protocol can mend: the model must find a fault, and README.md lists them."""

TABLES: Final = (
    TableCase("star: hub restored", "012"),
    TableCase("star: hub restored far", "0120", back=2),
    TableCase("star: guest restored", "0120", restored=1, back=2),
    TableCase("star: hub restored, cut", "012", cuts=1),
    TableCase("star: guest restored, crash", crashes=1, restored=1),
)
TABLE_MISTAKES: Final = (
    TableCase("star: one word", switches=("ONE_WORD",), breaks="two_logs"),
    TableCase("star: no last entry", switches=("NO_LAST",), breaks="two_logs"),
    TableCase("star: no flooding", switches=("NO_FLOOD",), breaks="stuck"),
    TableCase("ring: one word", edges=RING, switches=("ONE_WORD",), breaks="two_logs"),
    TableCase("ring: old links count", edges=RING, switches=("OLD_LINKS",), breaks="two_logs"),
)
LARGE_TABLES: Final = (
    TableCase("star: hub restored, crash", crashes=1),
    TableCase("ring: restored", edges=RING),
    TableCase("star of four: hub restored", edges=STAR_OF_FOUR),
)

QUICK: Final = (*SMALL, *MISTAKES, *HOPELESS, *TABLES, *TABLE_MISTAKES)
CASES: Final = (*QUICK, *LARGE, *LARGE_TABLES)


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
        model = case.model.name
        if not (folder / f"{model}.trail").exists():
            return ""
        told = _run(["spin", "-T", *case.defines, "-k", f"{model}.trail", model], folder)
    steps = [line.strip() for line in told.splitlines()]
    return "\n".join(step for step in steps if re.match(r"(seat|link) \d", step))


def report(case: Case, finding: Finding) -> str:
    """Return a row of the table."""
    mark = "ok" if finding.fits(case) else "WRONG"
    row = f"{case.name:28}{case.order:8}{case.crashes:3}{case.cuts:4}"
    return f"{row}  {finding.verdict:12}{finding.states:10,}{finding.seconds:7.1f} s  {mark}"


def main(arguments: Sequence[str]) -> int:
    """Run the named cases; return the exit status."""
    parser = argparse.ArgumentParser(description="Search the models exhaustively.")
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
    _say(f"{'case':28}{'order':7}crashes cuts  found       states     time")
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
        shutil.copy(case.model, folder)
        told = _run(["spin", *case.defines, "-a", case.model.name], folder)
        kind = "-DNP" if case.cycles else "-DSAFETY"
        # Partial order reduction is off: here it saves no state, and takes time.
        how = ["-w", "-O2", "-DNOREDUCE", kind, f"-DMEMLIM={MEMORY}", *flags]
        told += _run(["gcc", *how, "-o", "pan", "pan.c"], folder)
        if not (folder / "pan").exists():
            raise RuntimeError(f"spin or gcc does not take {case.model.name}:\n{told}")
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
