"""The vector files of protocol/vectors, as tests read them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.chain.archive import parse_archive
from matcha_p2p.errors import CheckError
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.transport.framing import Kind
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.roster import parse_roster
from tests.cheats.scene import played
from tests.duel import secrets_of
from tests.judges import VERIFIER, Convicted, Finding

FOLDER = Path(__file__).parent.parent / "protocol" / "vectors"
Case = dict[str, Any]


@cache
def cases(name: str) -> tuple[Case, ...]:
    """Return the cases of a file."""
    content = json.loads((FOLDER / f"{name}.json").read_text(encoding="ascii"))
    return tuple(content["cases"])


def every(name: str) -> pytest.MarkDecorator:
    """Run a test with each case of a file."""
    ids = [f"{number} {case.get('name', '')}" for number, case in enumerate(cases(name))]
    return pytest.mark.parametrize("case", cases(name), ids=ids)


def unhex(value: Any) -> Any:
    """Return the bytes of a text in hex, and of all texts in an array."""
    return bytes.fromhex(value) if isinstance(value, str) else [unhex(item) for item in value]


def refusal(work: Callable[[], object]) -> str | None:
    """Return the check that either implementation refuses with, or None."""
    try:
        work()
    except CheckError as error:
        return error.check.value
    except VERIFIER["codec"].CheckError as error:
        return error.check
    return None


@dataclass(frozen=True)
class Judged:
    """A transcript, and the expected finding.

    before: the first bytes, from another transcript. tail: the rest; see appended.
    """

    name: str
    expected: Finding
    before: bytes
    tail: str | tuple[str, int] = ""

    @property
    def data(self) -> bytes:
        """The whole file: made anew each time, as some are very long."""
        return self.before + appended(self.tail)

    def __str__(self) -> str:
        return self.name


@cache
def accepted() -> tuple[Judged, ...]:
    """Return the golden transcripts."""
    return _accepted("accept")


def _accepted(folder: str) -> tuple[Judged, ...]:
    return tuple(
        Judged(
            case["file"].removesuffix(".matcha"),
            Finding.read(
                verdict=case["verdict"], waiting=case["waiting"], winners=case["winners"]
            ),
            base(case["file"], folder),
        )
        for case in cases(f"{folder}/index")
    )


@cache
def base(file: str, folder: str = "accept") -> bytes:
    """Return the bytes of a golden transcript."""
    return (FOLDER / folder / file).read_bytes()


def copy_of(data: bytes, *, seed: str, entries: int | None = None) -> Chain:
    """Return the copy of seat 0 after the first ``entries`` entries, or all, and all records.

    seed: of the secrets in the golden transcript ``data``.
    """
    frames = [*parse_archive(data)]
    known = [frame.payload for frame in frames if frame.kind is Kind.MSG][:entries]
    roster = parse_roster(frames[0].payload)
    chain = Chain.begin(Seat(0), secrets_of(seed, 0), Psk(bytes(32)), roster)
    for entry in known:
        chain, _ = chain.hear(entry)
    for frame in frames:
        if frame.kind is Kind.REC:
            chain, _ = chain.hear_record(frame.payload)
    return chain


@cache
def refused() -> tuple[Judged, ...]:
    """Return the transcripts to refuse, by check."""
    names = sorted(path.stem for path in (FOLDER / "reject").glob("*.json"))
    return tuple(each for name in names for each in _refused(f"reject/{name}", "accept"))


def _refused(name: str, folder: str) -> tuple[Judged, ...]:
    return tuple(
        Judged(
            f"{case['expect']['check'] or 'accepted'}: {case['name']}",
            Finding.read(**case["expect"]),
            base(case["base"], folder)[: case["cut"]],
            tail if isinstance(tail := case["append"], str) else tuple(tail),
        )
        for case in cases(name)
    )


def of_many_items() -> tuple[Judged, ...]:
    """Return the transcripts to refuse with more items than a file can have."""
    made = []
    for case in cases("many_items"):
        frame, times = case["repeat"]
        before = base(case["base"])[: case["cut"]] + bytes.fromhex(frame) * times
        expected = Finding.read(**case["expect"])
        made.append(Judged(case["name"], expected, before, case["append"]))
    return tuple(made)


@cache
def of_three_seats() -> tuple[Judged, ...]:
    """Return the transcripts of the toy game, those to accept first."""
    return (*_accepted("toy"), *_refused("toy/refused", "toy"))


@cache
def of_kashi() -> tuple[Judged, ...]:
    """Return the transcripts of Kashi-ichi, those to accept first."""
    return (*_accepted("kashi"), *_refused("kashi/refused", "kashi"))


@cache
def of_tichu() -> tuple[Judged, ...]:
    """Return the transcripts of Tichu, those to accept first."""
    cut = (_refused(f"tichu/{name}", "tichu") for name in ("continued", "refused"))
    return (*_accepted("tichu"), *chain.from_iterable(cut))


@cache
def plays() -> tuple[Case, ...]:
    """Return the games without proofs."""
    names = sorted(path.stem for path in (FOLDER / "plays").glob("*.json"))
    return tuple(chain.from_iterable(cases(f"plays/{name}") for name in names))


@dataclass(frozen=True)
class Compared:
    """Files to judge together. expected: the convictions by files of one game."""

    name: str
    files: tuple[bytes, ...]
    expected: list[Convicted]

    def __str__(self) -> str:
        return self.name


@cache
def comparisons() -> tuple[Compared, ...]:
    """Return several files of one game, or of several."""
    return tuple(
        Compared(
            case["name"],
            tuple(
                base(file["base"])[: file["cut"]] + bytes.fromhex(file["append"])
                for file in case["files"]
            ),
            [
                (tuple(found["files"]), found["check"], found["entry"], found["seat"])
                for found in case["expect"]
            ],
        )
        for case in cases("compare")
    )


def appended(tail: str | tuple[str, int]) -> bytes:
    """Return the bytes that a case appends: in hex, or [hex, number of zeros]."""
    if isinstance(tail, str):
        return bytes.fromhex(tail)
    start, zeros = tail
    return bytes.fromhex(start) + bytes(zeros)


def hear_sync(case: Case) -> str | None:
    """Return what seat 0 of the game named.matcha reports of a SYNC."""
    scene = played("named")
    host = Chain.begin(SEATS[0], scene.players[0].secrets, Psk(bytes(32)), scene.state.roster)
    for entry in scene.log:
        host, _ = host.hear(entry.encoded)
    payload = pack([*map(bytes, case["zeros"])]) if "zeros" in case else b""
    sync = payload or bytes.fromhex(case["payload"])
    return refusal(
        lambda: host.hear_sync(sync, Binding(bytes.fromhex(case["binding"])), SEATS[1])
    )
