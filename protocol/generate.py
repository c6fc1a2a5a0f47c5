"""Make every test vector from labelled seeds: python protocol/generate.py [--check].

Without --check the files of protocol/vectors are written. With --check the files are compared,
byte by byte. If a file differs, is missing or superfluous, the exit code is 1.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from protocol.generator import (  # noqa: E402 -- the path has to be there first
    channel,
    comparing,
    games,
    kashi,
    plays,
    primitives,
    proofs,
    refusals,
    statements,
    three,
    tichu,
    traces,
    watching,
    words,
)
from protocol.generator.vectors import Vectors  # noqa: E402

FOLDER = ROOT / "protocol" / "vectors"


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the path, within the folder, and the bytes of every vector file."""
    goldens = tuple(games.every())
    for golden in goldens:
        yield f"accept/{golden.name}.matcha", golden.encoded
    index = Vectors(
        "index",
        "What a verifier finds in each file. waiting: who has to speak.",
        ("SPEC#verdicts", "SPEC#transcript"),
        tuple(golden.described() for golden in goldens),
    )
    yield "accept/index.json", index.encode()
    for vectors in refusals.every(goldens):
        yield f"reject/{vectors.name}.json", vectors.encode()
    yield from three.files()
    yield from kashi.files()
    yield from tichu.files()
    games_of = {
        "accept": goldens,
        "kashi": [golden for golden, *_ in kashi.every()],
        "tichu": tichu.wholes(),
        "toy": [golden for golden, *_ in three.every()],
    }
    paths = {f"{folder}/{each.name}": each for folder in games_of for each in games_of[folder]}
    for vectors in (
        *traces.every(paths),
        *plays.every(),
        *primitives.every(),
        *proofs.every(),
        *statements.every(goldens),
        *channel.every(),
        *watching.every(),
        *words.every(),
        *comparing.every(goldens),
        refusals.too_many(goldens),
    ):
        yield f"{vectors.name}.json", vectors.encode()


def main() -> int:
    """Write or compare the files; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    check: bool = parser.parse_args().check
    made = dict(files())
    known = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()}
    surplus = sorted(name for name in known - made.keys() if not name.endswith("README.md"))
    wrong = [name for name, content in made.items() if not _holds(FOLDER / name, content)]
    for name in wrong if not check else ():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_bytes(made[name])
    for name in surplus if not check else ():
        (FOLDER / name).unlink()
    for name in (*wrong, *surplus):
        sys.stdout.write(f"{'differs' if check else 'written or removed'}: {name}\n")
    total = sum(map(len, made.values()))
    sys.stdout.write(f"{len(made)} files, {total} bytes\n")
    return int(check and bool(wrong or surplus))


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


if __name__ == "__main__":
    sys.exit(main())
