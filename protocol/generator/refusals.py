"""Transcripts to refuse: an accepted one, cut, and the bytes that a cheat adds."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from matcha_p2p.machine.table import next_due, state_tag
from matcha_p2p.transcript.archive import MAGIC
from matcha_p2p.transcript.entry import sign_entry
from matcha_p2p.transport.framing import FRAME_LIMIT, Frame, Kind, encode_frame, prefix_length
from matcha_p2p.wire.messages import PlayCard
from protocol.generator.games import Golden, unmasked
from protocol.generator.vectors import Case, Vectors
from tests.cheats.catalogue import CHEATS
from tests.cheats.scene import Scene


@dataclass(frozen=True)
class Refusal:
    """A file with one flaw: the first ``cut`` bytes of ``base``, then ``append``.

    entry: the item that is refused. seat: who is to blame. row: in the list of cheats.
    """

    name: str
    base: Golden
    cut: int
    append: bytes
    check: str
    entry: int
    seat: int | None
    row: int | None = None

    def described(self) -> Case:
        """Return the case as it stands in the vectors."""
        tail: object = self.append
        zeros = len(self.append) - len(self.append.rstrip(b"\0"))
        if zeros > 1000:
            tail = [self.append.rstrip(b"\0"), zeros]
        return {
            "name": self.name,
            "row": self.row,
            "base": f"{self.base.name}.matcha",
            "cut": self.cut,
            "append": tail,
            "expect": {
                "verdict": "FORK" if self.check == "E_FORK" else "INVALID",
                "check": self.check,
                "entry": self.entry,
                "seat": self.seat,
            },
        }


def every(goldens: tuple[Golden, ...]) -> Iterator[Vectors]:
    """Yield a file for each check, with all cases that it must refuse."""
    by_check = defaultdict[str, list[Refusal]](list)
    for refusal in (*_files(goldens), *_cheats(goldens), _twin(goldens)):
        by_check[refusal.check].append(refusal)
    for check, refusals in sorted(by_check.items()):
        yield Vectors(
            check,
            "File: the first `cut` bytes of accept/`base`, then `append` (or [bytes, zeros]).",
            ("transcript", "order", "checks"),
            tuple(refusal.described() for refusal in refusals),
        )


def _cheats(goldens: tuple[Golden, ...]) -> Iterator[Refusal]:
    for cheat in CHEATS:
        scene = cheat.row.scene()
        yield Refusal(
            name=cheat.name,
            base=_base(goldens, scene),
            cut=_size(scene),
            append=cheat.make(scene),
            check=cheat.row.check.value,
            entry=len(scene.log),
            seat=scene.seat if cheat.row.attributed else None,
            row=cheat.row.number,
        )


def _base(goldens: tuple[Golden, ...], scene: Scene) -> Golden:
    """Return the game in which the scene plays."""
    log = scene.log if scene.honest is None else (*scene.log, scene.honest)
    matching = (
        golden
        for golden in goldens
        for known in (log, scene.log)
        if golden.entries and golden.entries[: len(known)] == known
    )
    return next(matching)


def _size(scene: Scene) -> int:
    return len(MAGIC) + sum(len(_framed(Kind.MSG, entry.encoded)) for entry in scene.log)


def _framed(kind: Kind, payload: bytes) -> bytes:
    return encode_frame(Frame(kind, payload))


def _files(goldens: tuple[Golden, ...]) -> Iterator[Refusal]:
    """Yield files that are wrong whatever their entries say."""
    base = next(golden for golden in goldens if golden.name == "dealt")
    resigned = next(golden for golden in goldens if golden.name == "resigned")
    whole, items = len(base.encoded), len(base.entries)
    form, limit = "E_ENCODING", "E_LIMIT"
    record = resigned.records[0].encoded
    entry = base.entries[0].encoded
    for name, cut, append, check, item in (
        ("not a transcript", 0, b"GIF89a", form, 0),
        ("an empty file", 0, b"", form, 0),
        ("a transcript of another version", 0, MAGIC.replace(b"1", b"2"), form, 0),
        ("cut in the first line", 10, b"", form, 0),
        ("cut in a length", whole, b"\0", form, items),
        ("cut in an entry", whole - 1, b"", form, items - 1),
        ("cut after a length", whole, prefix_length(bytes(100))[:2], form, items),
        ("an empty frame", whole, bytes(2), form, items),
        ("talk in the file", whole, _framed(Kind.CHAT, b"\x91\xa4OPEN"), form, items),
        ("a frame of kind 0", whole, prefix_length(b"\0x"), form, items),
        ("a frame of kind 7", whole, prefix_length(b"\x07x"), form, items),
        ("an empty entry", whole, _framed(Kind.MSG, b""), form, items),
        ("an empty record", whole, _framed(Kind.REC, b""), form, items),
        ("an entry as a record", whole, _framed(Kind.REC, entry), "E_RECORD", items),
        ("a record as an entry", whole, _framed(Kind.MSG, record), form, items),
        ("a record before the greetings", len(MAGIC), _framed(Kind.REC, record), "E_RECORD", 0),
        ("an encoding of 16383 zeros", whole, _zeros(FRAME_LIMIT - 1), form, items),
        ("a frame of 16385 bytes", whole, _zeros(FRAME_LIMIT), limit, items),
        ("a length of 65535", whole, b"\xff\xff", limit, items),
    ):
        yield Refusal(name, base, cut, append, check, item, None)
    after = len(resigned.entries) + len(resigned.records)
    late = _framed(Kind.MSG, entry)
    whole = len(resigned.encoded)
    yield Refusal("an entry after a record", resigned, whole, late, form, after, None)


def _zeros(n: int) -> bytes:
    return prefix_length(bytes([Kind.MSG]) + bytes(n))


def _twin(goldens: tuple[Golden, ...]) -> Refusal:
    """Lay the second of two cards that have one back: it means the first, which is spent."""
    base = next(golden for golden in goldens if golden.name == "unmasked")
    duel = unmasked()
    due = next_due(duel.table)
    if due is None:
        raise RuntimeError("nobody is to move")
    backs = duel.table.hands[due.seat].backs
    twin = PlayCard(1, next(back for back in backs if backs.count(back) == 2))
    seed = duel.players[due.seat].secrets.session
    place = duel.table.length
    entry = sign_entry(place, due.seat, duel.table.head, state_tag(duel.table), [twin], seed)
    frame = _framed(Kind.MSG, entry.encoded)
    name = "the twin of a zero that was laid"
    return Refusal(name, base, len(base.encoded), frame, "E_SPENT", place, due.seat)
