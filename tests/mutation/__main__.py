"""Change the core in thousands of small ways; each change must fail a test, or be explained.

    python -m tests.mutation                                  # every mutant; about an hour
    python -m tests.mutation --package rules --sample 40      # some, chosen by --seed
    python -m tests.mutation --only "scoring.py leader"       # those whose name has this

A mutant that no test of its suite notices is a gap in the tests, unless survivors.toml explains
the mutant. A new survivor fails the run. An explained mutant fails the run if a test kills the
mutant or the code no longer has it. operators.py makes the changes, running.py judges them.

Why not a library (looked at in November 2026): mutmut 3.8 works here, with 0.2 s a mutant. But
mutmut changes only code inside functions without a decorator: the tables, editions, sizes and
limits of the rules and the wire stay untested. Mutmut leaves no statement out, swaps no
arguments, and changes the texts of errors (two of three survivors in the rules). Mutmut numbers
its mutants, so an explanation would not last. Cosmic-ray and pytest-gremlins start pytest anew
for each mutant: a second or more before the first test.
"""

import argparse
import random
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.running import judge, watch

SURVIVORS = Path(__file__).with_name("survivors.toml")
ENOUGH = 0.9

# Not met: 300 duels, each cheat once more, long walks. They take more time than all others.
SLOW = (
    *("complete_transcript", "tie_breaks", "kilobytes", "no_step", "anybody_refuses"),
    *("flights", "verifier"),
)
SUITES = {
    "games/matcha/rules": [
        "tests/games/matcha/rules",
        "tests/games/matcha/test_rules_apart.py",
    ],
    "wire": ["tests/wire", "tests/test_vectors.py"],
    "table": [
        "tests/table",
        "tests/test_conformance.py::test_a_golden_transcript_is_accepted",
        "tests/test_conformance.py::test_bad_transcript_is_refused_at_its_place_with_its_check",
        "tests/test_cheats.py",
        "tests/test_protocol_machine.py",
        "tests/test_protocol_order.py",
        "tests/test_vectors.py",
        f"-k=not ({' or '.join(SLOW)})",
    ],
    "chain": [
        "tests/chain",
        "tests/test_cheats.py",
        "tests/test_conformance.py::test_bad_transcript_is_refused_at_its_place_with_its_check",
        "tests/test_vectors.py",
    ],
}
CLASSES = {"equivalent", "defence", "speed"}


@dataclass
class Tally:
    """The results of the mutants of one package. seconds: on the clock."""

    package: str
    mutants: int = 0
    killed: int = 0
    looped: int = 0
    explained: int = 0
    wrong: int = 0
    seconds: float = 0

    def complain(self, what: str) -> None:
        """Print each surprise at once: a run takes long."""
        self.wrong += 1
        print(what, flush=True)

    def __str__(self) -> str:
        return (
            f"{self.package:12}{self.mutants:8}{self.killed:8}{self.looped:8}"
            f"{self.mutants - self.killed:10}{self.explained:10}"
            f"{self.killed / max(self.mutants, 1):7.1%}{self.seconds:9.0f}"
        )


def main() -> int:
    """Judge as the flags ask, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--package", action="append", choices=SUITES, help="not all of them")
    parser.add_argument("--sample", type=int, help="how many mutants of each package, not all")
    parser.add_argument("--seed", default="mutation", help="where the choice comes from")
    parser.add_argument("--only", default="", help="mutants whose name has this text")
    options = parser.parse_args()
    reasons = explained()
    tallies = []
    for package in options.package or SUITES:
        mutants = mutants_of(package)
        gone = {name for name in reasons if name.startswith(f"{package}/")}
        gone -= {mutant.name for mutant in mutants}
        chosen = [mutant for mutant in mutants if options.only in mutant.name]
        if options.sample is not None and options.sample < len(chosen):
            chosen = random.Random(options.seed).sample(chosen, options.sample)
        tallies.append(tally(package, chosen, reasons))
        for name in sorted(gone):
            tallies[-1].complain(f"explained, but there is no such mutant: {name}")
    print("package      mutants  killed  looped  survived explained   rate  seconds")
    print(*tallies, sep="\n")
    whole = options.sample is None and not options.only
    enough = all(tally.killed >= ENOUGH * tally.mutants for tally in tallies)
    return int(any(tally.wrong for tally in tallies) or (whole and not enough))


def tally(package: str, mutants: list[Mutant], reasons: set[str]) -> Tally:
    """Judge ``mutants`` of a package, and print each that is not as survivors.toml says."""
    started = time.monotonic()
    found = Tally(package, len(mutants))
    judged = 0
    for verdict in judge(SUITES[package], watch(SUITES[package]), mutants):
        judged += 1
        name = verdict.mutant.name
        found.killed += verdict.killed
        found.looped += verdict.looped
        found.explained += not verdict.killed and name in reasons
        if verdict.killed and name in reasons:
            found.complain(f"explained, but killed now: {name}")
        if not verdict.killed and name not in reasons:
            found.complain(f"survives: {name}")
    if judged < len(mutants):
        found.complain(f"{len(mutants) - judged} mutants were not judged: a process has died")
    found.seconds = time.monotonic() - started
    return found


def explained() -> set[str]:
    """Return the names of the mutants that survivors.toml explains.

    Raises:
        SystemExit: an explanation has no known class or no reason, or a mutant has two.
    """
    groups = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["survivors"]
    if not all(group["class"] in CLASSES and group["reason"].strip() for group in groups):
        raise SystemExit(
            f"{SURVIVORS.name}: each group needs a reason and a class of {CLASSES}"
        )
    names = [name for group in groups for name in group["mutants"]]
    if len(names) != len(set(names)):
        raise SystemExit(f"{SURVIVORS.name}: a mutant is explained twice")
    return set(names)


if __name__ == "__main__":
    sys.exit(main())
