"""Both implementations as judges of a transcript: matcha_p2p, and protocol/verifier.

Both judges remember accepted entries, so a common beginning of two files is folded only once.
The chain before an entry decides about the entry, and ``prev`` or the file names the whole
chain.
"""

import hashlib
import importlib
import importlib.util
import io
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias
from unittest import mock

from matcha_p2p import games
from matcha_p2p.chain import compare, verify
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.table.step import length, step
from matcha_p2p.table.table import State
from matcha_p2p.wire.entry import Entry
from tests.games import toy

FOLDER = Path(__file__).parent.parent / "protocol" / "verifier"


@dataclass(frozen=True)
class Finding:
    """A judge's verdict.

    seat: the blamed seat. waiting: the seat due next in a valid file. winners: None while the
    game is undecided, and in a bad file whose game was not complete.
    """

    verdict: str
    check: str | None = None
    entry: int | None = None
    seat: int | None = None
    waiting: int | None = None
    winners: tuple[int, ...] | None = None

    @classmethod
    def read(cls, *, winners: Sequence[int] | None = None, **fields: Any) -> "Finding":
        """Return the finding of a file, or of another program."""
        return cls(**fields, winners=None if winners is None else tuple(winners))


Convicted: TypeAlias = tuple[tuple[int, ...], str, int, int]
"""The files of one game that convict a seat, the check, the entry and the seat."""


def _load_verifier() -> dict[str, ModuleType]:
    """Import the modules of the independent verifier, whose folder is not a package."""
    names = sorted(path.stem for path in FOLDER.glob("[!_]*.py"))
    sys.path.insert(0, str(FOLDER))
    try:
        modules = {name: importlib.import_module(name) for name in names}
        spec = importlib.util.spec_from_file_location("verifier", FOLDER / "__main__.py")
        assert spec is not None
        assert spec.loader is not None
        modules["main"] = importlib.util.module_from_spec(spec)
        sys.modules["verifier"] = modules["main"]  # its dataclasses look themselves up
        spec.loader.exec_module(modules["main"])
    finally:
        sys.path.remove(str(FOLDER))
    modules["games"].FOR_TESTS.add("toy")
    return modules


VERIFIER = _load_verifier()


def their_table(state: State) -> Any:
    """Return a table of the independent verifier, with the roster of ``state``."""
    table = VERIFIER["table"].Table()
    table.roster = VERIFIER["roster"].parse_roster(state.roster.encoded)
    return table


# --- matcha_p2p ----------------------------------------------------------------------------

_taken: dict[tuple[int, bytes, bytes, bytes], tuple] = {}


def _remembered_step(state: State, entry: Entry) -> tuple:
    key = length(state), state.head, entry.encoded, state.roster.id
    if key not in _taken:
        _taken[key] = step(state, entry)
    return _taken[key]


def reported(data: bytes) -> verify.Report:
    """Return the report of matcha_p2p."""
    with mock.patch.object(verify, "step", _remembered_step):
        return verify_transcript(data)


def ours(data: bytes) -> Finding:
    """Return the finding of matcha_p2p."""
    report = reported(data)
    failure, won = report.failure, None if report.result is None else report.result.winners
    if failure is None:
        return Finding(report.verdict.value, waiting=report.waiting, winners=won)
    blamed = failure.check.value, failure.entry, failure.seat
    return Finding(report.verdict.value, *blamed, winners=won)


def ours_of_a_toy(data: bytes) -> Finding:
    """Return the finding of matcha_p2p, with the toy game among the known games."""
    with mock.patch.dict(games.FOLDERS, toy.FOLDERS):
        return ours(data)


# --- the independent verifier --------------------------------------------------------------

Element = VERIFIER["group"].Element
_elements: list[Any] = []
_numbers: dict[int, int] = {}  # by the id of an element, its place above
_known: dict[bytes, bytes] = {}
_steps: dict[bytes, Any] = {}  # what is owed after an entry


class _Writer(pickle.Pickler):
    """Writes the state of a table; of an element, which never changes, only its number."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) is not Element:
            return NotImplemented
        number = _numbers.setdefault(id(value), len(_elements))
        if number == len(_elements):
            _elements.append(value)
        return known_element, (number,)


def known_element(number: int) -> Any:
    """Return an element of a state that was written."""
    return lent(_elements[number])


def lent(element: Any) -> Any:
    """Return the element that a state gets which is read."""
    return element


def written(state: dict[str, Any]) -> bytes:
    """Return the attributes of a table in a form that is read in a fifth of a copy's time."""
    file = io.BytesIO()
    _Writer(file, pickle.HIGHEST_PROTOCOL).dump(state)
    return file.getvalue()


if TYPE_CHECKING:
    from table import Table as TheirTable
else:
    TheirTable = VERIFIER["table"].Table


class _RememberingTable(TheirTable):
    """A table that recalls accepted entries, and only what is asked for after them."""

    def __init__(self) -> None:
        super().__init__()
        self.said = b""

    def __getattr__(self, name: str) -> Any:
        said = self.__dict__.get("said", b"")
        if said not in _known or name.startswith("__"):
            raise AttributeError(name)
        if name == "step":  # read after each entry
            return _steps[said]
        self.__dict__ = pickle.loads(_known[said])
        return self.__dict__[name]

    def accept_entry(self, encoded: bytes) -> None:
        before = self.said or self.roster.rid
        said = hashlib.sha256(before + hashlib.sha256(encoded).digest()).digest()
        if said in _known:
            self.__dict__ = {"said": said}
            return
        _ = self.chain  # all is there now
        super().accept_entry(encoded)
        self.said = said
        _known[said] = written(self.__dict__)
        step = self.step
        _steps[said] = VERIFIER["steps"].Step([*step.owing], chosen=step.chosen)


def theirs(data: bytes) -> Finding:
    """Return the finding of the independent verifier."""
    with mock.patch.object(VERIFIER["main"], "Table", _RememberingTable):
        found = VERIFIER["main"].judge(data)
    return their_finding(found)


def their_finding(found: Any) -> Finding:
    """Return a verdict of the independent verifier as a finding."""
    fields = vars(found) | {"entry": found.item}
    return Finding.read(**{name: fields[name] for name in Finding.__dataclass_fields__})


def agreed(data: bytes) -> Finding:
    """Return the finding of both judges, after a check that they agree."""
    found = ours(data)
    assert found == theirs(data)
    return found


# --- several files -------------------------------------------------------------------------


def contradictions(files: Sequence[bytes]) -> list[Convicted]:
    """Return the seats that files convict, by the independent verifier."""
    return _compared([VERIFIER["main"].read(file)[1] for file in files])


def compared(*files: bytes) -> list[Convicted]:
    """Return whom files convict, as both implementations find it."""
    found = convicted(files)
    assert found == _compared([_read(file) for file in files])
    return found


def convicted(files: Sequence[bytes]) -> list[Convicted]:
    """Return whom files convict, as matcha_p2p finds it."""
    return [
        (each.copies, each.check.value, each.entry, int(each.seat))
        for each in compare.contradictions([_copy(file) for file in files])
    ]


@cache
def _copy(data: bytes) -> compare.Copy:
    return compare.copy_of(verify_transcript(data))


@cache
def _read(data: bytes) -> TheirTable:
    return VERIFIER["main"].read(data)[1]


def _compared(games: Sequence[TheirTable]) -> list[Convicted]:
    found = VERIFIER["comparing"].compare(games)
    return [(tuple(each.places), each.check, each.entry, each.seat) for each in found]


JUDGES = {"matcha_p2p": ours, "verifier": theirs}
