"""Transcripts to refuse: an accepted transcript, cut, with the bytes of a cheat."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from matcha_p2p.chain.archive import ITEM_LIMIT, MAGIC, SIZE_LIMIT, encode_archive
from matcha_p2p.table.messages import MoveAction, Unseal, encode_action
from matcha_p2p.transport.framing import FRAME_LIMIT, Frame, Kind, encode_frame, prefix_length
from protocol.generator import unmasked
from protocol.generator.games import Golden, winners_of
from protocol.generator.primitives import name_cases
from protocol.generator.vectors import Case, Vectors
from tests.cheats.catalogue import CHEATS
from tests.cheats.greeting import FIRST, greeting
from tests.cheats.scene import Cheat, Scene, played, utter


@dataclass(frozen=True)
class Refusal:
    """A file with a single flaw: the first ``cut`` bytes of ``base``, then ``append``.

    entry: the refused item. seat: the seat to blame, or None. row: in the list of cheats.
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
        """Return the case for the vectors."""
        tail: object = self.append
        zeros = len(self.append) - len(self.append.rstrip(b"\0"))
        if zeros > 1000:
            tail = [self.append.rstrip(b"\0"), zeros]
        stands: Case = {}  # a complete game keeps its winners
        if self.entry >= len(self.base.entries):
            winners = winners_of(self.base.encoded[: self.cut] + self.append)
            stands = {} if winners is None else {"winners": winners}
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
                **stands,
            },
        }


def every(goldens: tuple[Golden, ...]) -> Iterator[Vectors]:
    """Yield a file for each check, with all cases that the check must refuse."""
    by_check = defaultdict[str, list[Refusal]](list)
    made = (
        *_files(goldens),
        *_sizes(goldens),
        *of_cheats(CHEATS, goldens),
        *_names(goldens),
    )
    for refusal in (*made, *_twins(goldens)):
        by_check[refusal.check].append(refusal)
    for check, refusals in sorted(by_check.items()):
        yield Vectors(
            check,
            "File: the first `cut` bytes of accept/`base`, then `append` (or [bytes, zeros]).",
            ("SPEC#transcript", "SPEC#order", "SPEC#checks"),
            tuple(refusal.described() for refusal in refusals),
        )


def of_cheats(cheats: Iterable[Cheat], goldens: tuple[Golden, ...]) -> Iterator[Refusal]:
    """Yield for each cheat its bytes, after the golden game with the cheat's scene."""
    for cheat in cheats:
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
    """Return the golden game with the scene."""
    log = scene.log if scene.honest is None else (*scene.log, scene.honest)
    matching = (
        golden
        for golden in goldens
        if golden.roster == scene.state.roster
        for known in (log, scene.log)
        if golden.entries[: len(known)] == known
    )
    return next(matching)


def _size(scene: Scene) -> int:
    return len(encode_archive([entry.encoded for entry in scene.log], [], scene.state.roster))


def _framed(kind: Kind, payload: bytes) -> bytes:
    return encode_frame(Frame(kind, payload))


def _files(goldens: tuple[Golden, ...]) -> Iterator[Refusal]:
    """Yield files with flaws outside the entries."""
    base = next(golden for golden in goldens if golden.name == "dealt")
    resigned = next(golden for golden in goldens if golden.name == "resigned")
    whole, items = len(base.encoded), len(base.entries)
    start = len(encode_archive([], [], base.roster))
    form, limit = "E_ENCODING", "E_LIMIT"
    other_version = MAGIC.replace(b"1", b"2") + base.encoded[len(MAGIC) :]
    record = resigned.records[0].encoded
    entry = base.entries[0].encoded
    for name, cut, append, check, item in (
        ("not a transcript", 0, b"GIF89a", form, 0),
        ("an empty file", 0, b"", form, 0),
        ("a transcript of another version", 0, other_version, form, 0),
        ("cut in the first line", 10, b"", form, 0),
        ("cut in a length", whole, b"\0", form, items),
        ("cut in an entry", whole - 1, b"", form, items - 1),
        ("cut after a length", whole, prefix_length(bytes(100))[:2], form, items),
        ("an empty frame", whole, bytes(2), form, items),
        ("places in the file", whole, _framed(Kind.WAYS, b"\x92\x00\x90"), form, items),
        ("a frame of kind 0", whole, prefix_length(b"\0x"), form, items),
        ("a frame of kind 9", whole, prefix_length(b"\x09x"), form, items),
        ("an empty entry", whole, _framed(Kind.MSG, b""), form, items),
        ("an empty record", whole, _framed(Kind.REC, b""), form, items),
        ("an entry as a record", whole, _framed(Kind.REC, entry), "E_RECORD", items),
        ("a record as an entry", whole, _framed(Kind.MSG, record), form, items),
        ("nothing behind the first line", len(MAGIC), b"", form, 0),
        ("no roster", len(MAGIC), base.encoded[start:], form, 0),
        ("a record for a roster", len(MAGIC), _framed(Kind.REC, record), form, 0),
        ("the roster twice", start, base.encoded[len(MAGIC) : start], form, 0),
        ("the roster behind an entry", whole, base.encoded[len(MAGIC) : start], form, items),
        ("a record before the greetings", start, _framed(Kind.REC, record), "E_RECORD", 0),
        ("an encoding of 16383 zeros", whole, _zeros(FRAME_LIMIT - 1), form, items),
        ("a frame of 16385 bytes", whole, _zeros(FRAME_LIMIT), limit, items),
        ("a length of 65535", whole, b"\xff\xff", limit, items),
    ):
        yield Refusal(name, base, cut, append, check, item, None)
    unknown = next(golden for golden in goldens if golden.name == "unknown-game")
    scene = FIRST()
    hello = replace(greeting(scene), game=unknown.roster.game.name)
    frame = utter(scene, [encode_action(hello)], prev=unknown.roster.id)
    name, whole = "an unknown game, as in the roster", len(unknown.encoded)
    yield Refusal(name, unknown, whole, frame, "E_GAME", 0, 0)
    after = len(resigned.entries) + len(resigned.records)
    late = _framed(Kind.MSG, entry)
    whole = len(resigned.encoded)
    yield Refusal("an entry after a record", resigned, whole, late, form, after, None)


def too_many(goldens: tuple[Golden, ...]) -> Vectors:
    """Return files with as many items as a file can have, and a frame more."""
    base = next(golden for golden in goldens if golden.name == "claimed")
    record = _framed(Kind.REC, base.records[0].encoded)
    times = ITEM_LIMIT - len(base.entries) - len(base.records)
    cases = [
        {
            "name": name,
            "base": f"{base.name}.matcha",
            "cut": len(base.encoded),
            "repeat": [record, times],
            "append": frame,
            "expect": {
                "verdict": "INVALID",
                "check": check,
                "entry": ITEM_LIMIT,
                "seat": None,
            },
        }
        for name, frame, check in (
            ("a claim too many", record, "E_LIMIT"),
            ("behind the last item an entry", _framed(Kind.MSG, b"x"), "E_LIMIT"),
            ("behind the last item a frame of kind 9", prefix_length(b"\x09x"), "E_ENCODING"),
        )
    ]
    about = "File: `cut` bytes of accept/`base`, `repeat` ([frame, times]), then `append`."
    return Vectors("many_items", about, ("SPEC#transcript", "SPEC#limits"), tuple(cases))


def _sizes(goldens: tuple[Golden, ...]) -> Iterator[Refusal]:
    """Yield files of wrong size, or with wrong sizes of items."""
    base = next(golden for golden in goldens if golden.name == "nothing-said")
    start = len(base.encoded)
    for size, check in ((SIZE_LIMIT, "E_ENCODING"), (SIZE_LIMIT + 1, "E_LIMIT")):
        zeros = bytes(size - start)
        yield Refusal(f"a file of {size} bytes", base, start, zeros, check, 0, None)
    whole = _framed(Kind.MSG, played("short").log[0].encoded)
    longer = (len(whole) - 1).to_bytes(2) + whole[2:]
    name = "a whole entry in a frame that should be longer"
    yield Refusal(name, base, start, longer, "E_ENCODING", 0, None)
    announced = next(golden for golden in goldens if golden.name == "announced")
    (record,) = announced.records
    before = len(announced.encoded) - len(_framed(Kind.REC, record.encoded))
    frame = _framed(Kind.SYNC, record.encoded)
    name, item = "a SYNC in a frame of its own", len(announced.entries)
    yield Refusal(name, announced, before, frame, "E_ENCODING", item, None)


def _names(goldens: tuple[Golden, ...]) -> Iterator[Refusal]:
    """Greet with every bad name."""
    scene = FIRST()
    base, start = _base(goldens, scene), _size(scene)
    for case in name_cases():
        if case["check"] is None:
            continue
        hello = replace(greeting(scene), name=str(case["text"]))
        frame = utter(scene, [encode_action(hello)])
        name = f"a name: {case['name']}"
        yield Refusal(name, base, start, frame, "E_TEXT", 0, 0)


def _zeros(n: int) -> bytes:
    return prefix_length(bytes([Kind.MSG]) + bytes(n))


def _twins(goldens: tuple[Golden, ...]) -> Iterator[Refusal]:
    """Name the second of two cards with an equal back: the back means the first card."""
    laid, both, left = unmasked.TWIN_LAID, unmasked.TWINS_TO_KEEP, unmasked.TWIN_LEFT_TO_KEEP
    sealed, sealed_laid = unmasked.both_sealed(), unmasked.laid_sealed()
    for name, base, duel, action in (
        (
            "the twin of a zero that was laid",
            "unmasked",
            laid.duel,
            MoveAction(("lay", 1, unmasked.twin(laid.duel))),
        ),
        (
            "both of two zeros that are alike",
            "unmasked-to-keep",
            both.duel,
            MoveAction(("keep", unmasked.twin(both.duel) * 2)),
        ),
        (
            "the twin of a zero that was laid, kept",
            "unmasked-left",
            left.duel,
            MoveAction(("keep", unmasked.twin(left.duel))),
        ),
        (
            "both of two zeros that are alike, by the closer",
            "unmasked-both-sealed",
            sealed,
            Unseal(unmasked.SALT, ("keep", unmasked.twin(sealed) * 2)),
        ),
        (
            "the twin of a zero that was laid, kept by the closer",
            "unmasked-laid-sealed",
            sealed_laid,
            Unseal(unmasked.SALT, ("keep", unmasked.twin(sealed_laid))),
        ),
    ):
        golden = next(golden for golden in goldens if golden.name == base)
        entry = unmasked.said(duel, action)
        frame, whole = _framed(Kind.MSG, entry.encoded), len(golden.encoded)
        yield Refusal(name, golden, whole, frame, "E_RULE", entry.seq, entry.seat)
