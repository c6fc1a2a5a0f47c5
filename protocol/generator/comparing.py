"""Several files of one game, which may exclude each other (SPEC#comparing)."""

from collections.abc import Iterator

from matcha_p2p.errors import CheckError
from matcha_p2p.machine.step import act
from matcha_p2p.review.compare import contradictions, copy_of
from matcha_p2p.review.verify import verify_transcript
from matcha_p2p.transcript.archive import MAGIC
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.messages import PlayCard
from protocol.generator.games import Golden
from protocol.generator.vectors import Case, Vectors
from tests.cheats.scene import Scene, at, say, says


def every(goldens: tuple[Golden, ...]) -> Iterator[Vectors]:
    """Yield the one file of this module."""
    yield Vectors(
        "compare",
        "Files (see reject/) and which of them, by place, exclude each other, and by what.",
        ("comparing",),
        tuple(_cases({golden.name: golden for golden in goldens})),
    )


def _cases(goldens: dict[str, Golden]) -> Iterator[Case]:
    scene = at(says("PASS"), "short")()
    whole = {name: _file(golden, len(golden.encoded), b"") for name, golden in goldens.items()}
    short = whole["short"]
    otherwise = _file(goldens["short"], _size(scene), _laid(scene))
    spoilt = _file(goldens["resigned"], len(goldens["resigned"].encoded), b"\0\0")
    for name, files in {
        "the same file twice": [short, short],
        "a whole game, and copies of its beginning": [
            short,
            whole["unfinished"],
            whole["dealt"],
        ],
        "copies that have only the greeting of seat 0": [whole["one-greeting"]] * 2,
        "files without an entry": [whole["nothing-said"]] * 2,
        "two games": [short, whole["hoarding"]],
        "a game, and a copy in which its loser resigned long before": [
            short,
            whole["resigned"],
        ],
        "the copy first, and another game between": [whole["resigned"], whole["long"], short],
        "a copy of two entries, after which a seat resigned": [
            whole["resigned-at-once"],
            whole["unfinished"],
        ],
        "two copies that go different ways": [short, otherwise],
        "two copies that go different ways, the longer one last": [otherwise, short],
        "a copy that is not what a seat has announced": [whole["announced"], short],
        "a copy with a resignation, damaged behind it": [spoilt, short],
        "a resignation that crossed the end": [whole["resigned-late"], whole["unfinished"]],
        "both ways at once": [whole["resigned"], otherwise, short],
    }.items():
        yield {"name": name, "files": files, "expect": _expected(goldens, files)}


def _expected(goldens: dict[str, Golden], files: list[Case]) -> list[Case]:
    copies = [copy_of(verify_transcript(_joined(goldens, file))) for file in files]
    return [
        {
            "files": list(found.copies),
            "check": found.failure.check.value,
            "seat": found.failure.seat,
        }
        for found in contradictions(copies)
    ]


def _joined(goldens: dict[str, Golden], file: Case) -> bytes:
    base, cut, append = file["base"], file["cut"], file["append"]
    if not (isinstance(base, str) and isinstance(cut, int) and isinstance(append, bytes)):
        raise TypeError("no file")
    return goldens[base.removesuffix(".matcha")].encoded[:cut] + append


def _file(golden: Golden, cut: int, append: bytes) -> Case:
    return {"base": f"{golden.name}.matcha", "cut": cut, "append": append}


def _size(scene: Scene) -> int:
    frames = (encode_frame(Frame(Kind.MSG, entry.encoded)) for entry in scene.log)
    return len(MAGIC) + sum(map(len, frames))


def _laid(scene: Scene) -> bytes:
    """Lay a card where the seat passed in the game."""
    seat, game = scene.seat, scene.table.game
    mat = 2 * game.rounds[-1].number - 2
    for slot in sorted(game.hands[seat]):
        for place in (mat, mat + 1):
            play = PlayCard(place, scene.table.hands[seat].backs[slot])
            try:
                act(scene.table, seat, play)
            except CheckError:
                continue
            return say(scene, play)
    raise RuntimeError("no card can be laid")
