"""Make one change after the other, and look for a vector that turns red."""

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from unittest import mock

from tests.conditions.places import Change, changes
from tests.conditions.trials import Element, Trial, WholeFile, _copied, trials

SURVIVORS = Path(__file__).with_name("survivors.toml")


@dataclass
class Outcome:
    """What became of the changes. shown: by which vector each was."""

    shown: dict[str, str] = field(default_factory=dict)
    survived: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        count = len(self.shown) + len(self.survived)
        return f"{count} changes, {len(self.shown)} shown, {len(self.survived)} not"


def run(only: str = "", sample: int | None = None, seed: str = "conditions") -> Outcome:
    """Judge the changes that are asked for, and compare with survivors.toml."""
    known, reasons = changes(), explained()
    chosen = [change for change in known if only in change.name]
    if sample is not None:
        chosen = random.Random(seed).sample(chosen, min(sample, len(chosen)))
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
    with mock.patch.object(Element, "__deepcopy__", _copied):
        change.make()
        try:
            red = (trial.name for trial in _concerned(change) if trial.is_red())
            return next(red, None)
        finally:
            change.undo()


def _concerned(change: Change) -> Iterator[Trial]:
    """Yield the trials that can come out otherwise, those of files to refuse first."""
    for refused in (True, False):
        for trial in _trials():
            if refused == trial.name.startswith("reject") and _meets(trial, change):
                yield trial


def _meets(trial: Trial, change: Change) -> bool:
    if change.differs is not None:
        return (change.place, change.differs) in trial.met
    if change.wider and not isinstance(trial, WholeFile):
        return False
    return any(place == change.place for place, _ in trial.met)


@cache
def _trials() -> tuple[Trial, ...]:
    return tuple(trials())


def explained() -> dict[str, str]:
    """Return why no vector can show a change, by its name."""
    groups = tomllib.loads(SURVIVORS.read_text(encoding="utf-8")).get("survivors", [])
    return {name: group["reason"] for group in groups for name in group["changes"]}
