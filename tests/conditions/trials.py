"""The transcript vectors, cut into pieces for separate trials, and the games without proofs.

A change acts at some entry, record or frame. Each entry of an accepted file is therefore one
trial, on the state of the verifier before the entry. The rest of each file is another trial,
and each file to refuse: known entries are recalled there. Each game without proofs is a trial.
"""

import hashlib
import pickle
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import MethodType
from typing import TYPE_CHECKING
from unittest import mock

from tests import judges, vectors
from tests.conditions.places import Observed
from tests.judges import VERIFIER, contradictions, their_finding, written
from tests.told import is_right
from tests.vectors import (
    Case,
    Compared,
    Judged,
    accepted,
    comparisons,
    of_many_items,
    plays,
    refused,
)

MAIN = VERIFIER["main"]
GROUP = VERIFIER["group"]
RECORDS = VERIFIER["records"]
if TYPE_CHECKING:
    from group import Element
    from table import Table
else:
    Element = GROUP.Element
    Table = VERIFIER["table"].Table
_known: dict[bytes, bytes] = {b"": written(vars(Table()))}
_steps: dict[bytes, object] = {b"": Table().step}  # part of what is known
_met: dict[bytes, set] = {}  # what an entry met, by the name of the entries up to it
_differing: dict[int, bool] = {}  # whether a file is judged otherwise with the present change
_sums: dict[tuple, object] = {}
_summed = GROUP._sum_of_multiples
_root = cache(GROUP._sqrt_ratio)


def _copied(element: object) -> object:
    """Copy an element with its memory: a changed group may remember other things."""
    twin = object.__new__(Element)
    twin.__dict__.update(element.__dict__)
    return twin


class Recalled(Table):
    """A table that recalls the entries accepted by the unchanged verifier."""

    def __init__(self, said: bytes = b"") -> None:
        self.said = said

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "step":  # it is read after each entry, and only the next entry changes it
            return _steps[self.said]
        self.recall()
        return self.__dict__[name]

    def recall(self) -> None:
        """Have all that was known after the last recalled entry; a roster may stand."""
        if "chain" not in self.__dict__:
            self.__dict__ = pickle.loads(_known[self.said]) | self.__dict__

    def accept_entry(self, encoded: bytes) -> None:
        said = after(self.said or self.__dict__["roster"].rid, encoded)
        if said in _known:
            self.__dict__ = {"said": said}  # what was recalled until now is of the past
        else:
            self.recall()
            super().accept_entry(encoded)


def after(said: bytes, encoded: bytes) -> bytes:
    """Return the name of the roster, all entries so far and one entry more."""
    return hashlib.sha256(said + hashlib.sha256(encoded).digest()).digest()


@dataclass
class Trial:
    """One thing to judge. met: see Observed. seconds: how long it takes, about."""

    name: str
    met: set = field(default_factory=set)
    seconds: float = 0

    def is_red(self) -> bool:
        """Tell whether the present verifier finds another result than expected."""
        raise NotImplementedError


@dataclass
class WholeFile(Trial):
    """A file. recalls: whether known entries are recalled, and not judged again."""

    file: Judged | None = None
    recalls: bool = True

    def is_red(self) -> bool:
        with mock.patch.object(MAIN, "Table", Recalled if self.recalls else Table):
            return _differs(self.file)


@dataclass
class ManyItems(WholeFile):
    """A file of copies of one record: its signature is verified once."""

    def is_red(self) -> bool:
        with mock.patch.object(RECORDS, "check_signature", cache(RECORDS.check_signature)):
            return super().is_red()


@dataclass
class OneEntry(Trial):
    """An entry of an accepted file, on the state before the entry."""

    said: bytes = b""
    encoded: bytes = b""
    state: object = None
    file: Judged | None = None

    def is_red(self) -> bool:
        table = Recalled(self.said)
        table.recall()
        try:
            Table.accept_entry(table, self.encoded)
            if plain(table) == self.state:
                return False
        except Exception:  # noqa: BLE001 -- refused, or stumbled over what a check excludes
            return True
        if id(self.file) not in _differing:
            with mock.patch.object(MAIN, "Table", Table):
                _differing[id(self.file)] = _differs(self.file)
        return _differing[id(self.file)]


@dataclass
class Comparison(Trial):
    """Files that are judged together."""

    case: Compared | None = None

    def is_red(self) -> bool:
        with mock.patch.object(MAIN, "Table", Recalled):
            try:
                return contradictions(self.case.files) != self.case.expected
            except Exception:  # noqa: BLE001 -- as above
                return True


@dataclass
class Play(Trial):
    """A game without proofs."""

    case: Case | None = None

    def is_red(self) -> bool:
        try:
            return not is_right(self.case)
        except Exception:  # noqa: BLE001 -- as above
            return True


def _differs(file: Judged) -> bool:
    try:
        return their_finding(MAIN.judge(file.data)) != file.expected
    except Exception:  # noqa: BLE001 -- as above
        return True


def plain(value: object) -> object:
    """Return a value of the verifier in a comparable form."""
    match value:
        case Element():
            return value.encoding
        case MethodType():  # what a step leads to
            return value.__name__
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {k: plain(v) for k, v in value.items()}
        case _ if hasattr(value, "__dict__"):  # Table, Cards, a game, ..
            return {k: plain(v) for k, v in vars(value).items() if k != "said"}
        case _:
            return value


# --- all of them ---------------------------------------------------------------------------


@contextmanager
def surroundings(*, remembers: bool) -> Iterator[None]:
    """Let the trials be made or judged.

    remembers: whether roots and sums of the group are remembered, and so are those of elements:
    a file is judged soon again. They must not be for a change of the group, or where it is
    observed.
    """
    _differing.clear()
    with ExitStack() as patches:
        if not remembers:
            patches.enter_context(mock.patch.object(judges, "lent", _copied))
        else:
            patches.enter_context(mock.patch.object(GROUP, "_sqrt_ratio", _root))
            patches.enter_context(mock.patch.object(GROUP, "_sum_of_multiples", _sum))
        yield


def _sum(terms: Iterable[tuple[int, Sequence[object]]]) -> object:
    known = [*terms]
    key = tuple((n, multiples[0]) for n, multiples in known)
    if key not in _sums:
        _sums[key] = _summed(known)
    return _sums[key]


@cache
def trials() -> list[Trial]:
    """Judge every vector once, and return the trials, the quickest first.

    Raises:
        ValueError: the verdict of a vector is not the expected verdict.
    """
    with Observed() as observed, surroundings(remembers=False):
        made: list[Trial] = []
        others = (*vectors.of_three_seats(), *vectors.of_tichu(), *vectors.of_kashi())
        files = (*accepted(), *refused(), *others)
        for file in files:
            if file.expected.check is None:
                made += _entries(file, observed)
        for file in files:
            kind = "accept" if file.expected.check is None else "reject"
            trial: Trial = WholeFile(f"{kind} {file}", file=file)
            if not _is_judged_rightly(trial, observed):
                raise ValueError(f"{trial.name}: not judged as it should be")
            made.append(trial)
            if file.expected.verdict == "RESIGNED":  # each entry remembers who would win then
                name, met = (
                    f"{trial.name}, judged from its roster on",
                    trial.met | _met_by(file),
                )
                made.append(WholeFile(name, met, 60, file, recalls=False))
        together = [Comparison(f"compare {case}", case=case) for case in comparisons()]
        alone = [Play(f"play {case['game']}: {case['name']}", case=case) for case in plays()]
        many = [ManyItems(f"reject {file}", file=file) for file in of_many_items()]
        for trial in (*together, *alone, *many):
            if not _is_judged_rightly(trial, observed):
                raise ValueError(f"{trial.name}: not judged as it should be")
            made.append(trial)
    return sorted(made, key=lambda trial: trial.seconds)


def _is_judged_rightly(trial: Trial, observed: Observed) -> bool:
    observed.met = trial.met
    began = time.perf_counter()
    red = trial.is_red()
    trial.seconds = time.perf_counter() - began
    return not red


def _entries(file: Judged, observed: Observed) -> Iterator[Trial]:
    """Take the entries of a file that no earlier file had."""
    for item, (before, said, encoded) in enumerate(_said_in(file)):
        if said in _known:
            continue
        trial = OneEntry(f"{file} entry {item}", said=before, encoded=encoded, file=file)
        table = Recalled(before)
        table.recall()
        observed.met = trial.met
        began = time.perf_counter()
        Table.accept_entry(table, encoded)
        trial.seconds = time.perf_counter() - began
        _known[said] = written({k: v for k, v in vars(table).items() if k != "said"})
        _steps[said] = table.step
        _met[said] = trial.met
        trial.state = plain(table)
        yield trial


def _met_by(file: Judged) -> set:
    """Return what the entries of an accepted file met."""
    return set().union(*(_met[said] for _, said, _ in _said_in(file)))


def _said_in(file: Judged) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield for each entry the name of those before it, the name with it, and the entry."""
    _, payload, at = MAIN._read_frame(file.data, len(MAIN.MAGIC), 0, (MAIN.ROSTER,))
    roster = MAIN.parse_roster(payload)
    said = roster.rid
    _known[said] = written(vars(Table()) | {"roster": roster})
    _steps[said] = Table().step
    for item in range(MAIN.MOST_ITEMS):
        if at == len(file.data):
            return
        kind, payload, at = MAIN._read_frame(file.data, at, item, (MAIN.ENTRY, MAIN.RECORD))
        if kind != MAIN.ENTRY:
            return
        before, said = said, after(said, payload)
        yield before, said, payload
