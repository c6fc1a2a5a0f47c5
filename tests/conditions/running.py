"""Make one change after the other, and look for a vector that turns red."""

import random
import signal
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.conditions.places import Change, changes
from tests.conditions.trials import Trial, WholeFile, surroundings, trials

SURVIVORS = Path(__file__).with_name("survivors.toml")
README = Path(__file__).parents[2] / "protocol" / "README.md"
SECONDS = 10  # of the processor, for one trial; the slowest needs about two
BEGIN, END = "<!-- python -m tests.conditions --write -->\n", "<!-- end -->"


@dataclass
class Outcome:
    """What became of the changes. shown: by which vector each was."""

    shown: dict[str, str] = field(default_factory=dict)
    survived: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        count = len(self.shown) + len(self.survived)
        return f"{count} changes, {len(self.shown)} shown, {len(self.survived)} not"


def run(only: str, sample: int | None, seed: str) -> Outcome:
    """Judge the chosen changes, and compare with survivors.toml."""
    known, reasons = changes(), explained()
    chosen = [change for change in known if only in change.name]
    if sample is not None:
        chosen = random.Random(seed).sample(chosen, min(sample, len(chosen)))
    trials()  # made by the verifier as it is
    found = Outcome()
    for name in sorted(reasons.keys() - {change.name for change in known}):
        found.faults.append(f"explained, but there is no such change: {name}")
    for change in chosen:
        vector = shows(change)
        if vector is None:
            found.survived.append(change.name)
            if change.name not in reasons:
                found.faults.append(f"no vector shows: {change.name}")
        else:
            found.shown[change.name] = vector
            if change.name in reasons:
                found.faults.append(f"explained, but {vector} shows it: {change.name}")
    return found


def shows(change: Change) -> str | None:
    """Return the name of a vector that turns red with the change."""
    with surroundings(remembers=not change.name.startswith("group.py")):
        change.make()
        try:
            return next((trial.name for trial in _concerned(change) if _is_red(trial)), None)
        finally:
            change.undo()


def _is_red(trial: Trial) -> bool:
    """Tell whether a trial turns red: it finds another result, or no end."""
    try:
        with _limited():
            return trial.is_red()
    except TimeoutError:
        return True


@contextmanager
def _limited() -> Iterator[None]:
    """Raise TimeoutError in what needs too much time: a changed verifier may never end."""

    def end(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _concerned(change: Change) -> Iterator[Trial]:
    """Yield the trials that the change can affect, with the trials of files to refuse first."""
    for refused in (True, False):
        for trial in trials():
            if refused == trial.name.startswith("reject") and _meets(trial, change):
                yield trial


def _meets(trial: Trial, change: Change) -> bool:
    if change.differs is not None:
        return (change.place, change.differs) in trial.met
    if change.wider and not isinstance(trial, WholeFile):
        return False
    return any(place == change.place for place, _ in trial.met)


def explained() -> dict[str, str]:
    """Return why no vector can show a change, by its name."""
    groups = tomllib.loads(SURVIVORS.read_text(encoding="utf-8")).get("survivors", [])
    return {name: group["reason"] for group in groups for name in group["changes"]}


def claim() -> str:
    """Return protocol/README.md's sentence about the vectors."""
    reasons = explained()
    count, beyond = len(changes()), len(reasons)
    parts = Counter(reasons.values())
    listed = "".join(f"* {reason} ({count})\n" for reason, count in parts.items())
    return (
        f"Of {count} such changes {count - beyond} turn a transcript or a play red. No "
        f"vector can show the other {beyond}:\n\n{listed}"
    )


def claimed() -> str:
    """Return what stands there."""
    return README.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]


def write_claim() -> None:
    """Put the claim there."""
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    README.write_text(f"{before}{BEGIN}{claim()}{END}{after}", encoding="utf-8")
