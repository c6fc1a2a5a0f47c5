"""The form of vector files, and the labelled seeds of all vectors."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.crypto.ristretto255 import Point, encode_scalar
from matcha_p2p.crypto.sigma import Random
from matcha_p2p.crypto.sponge import H, kdf
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.table.game import TableGame
from tests.games.toy.steps import Toy

Json: TypeAlias = int | str | bool | list["Json"] | dict[str, "Json"] | None
Case: TypeAlias = Mapping[str, object]

MATCHA: TableGame = begin(EDITION_2015)
TOY: TableGame = Toy()


@dataclass(frozen=True, slots=True)
class Vectors:
    """A file: a sentence about its cases, the citations of its rules, and the cases.

    file: the path of the transcript that all cases are about, if there is one.
    """

    name: str
    about: str
    spec: tuple[str, ...]
    cases: tuple[Case, ...]
    file: str | None = None

    def encode(self) -> bytes:
        """Return the bytes of the file, for readable diffs.

        Each value has a line; in a trace or a game without proofs, each case.
        """
        content: dict[str, Json] = {"about": self.about, "spec": list(self.spec)}
        if self.file is not None:
            content["file"] = self.file
        cases = list(map(plain, self.cases))
        if self.name.startswith(("trace/", "plays/")):
            return (_lines({**content, "cases": cases}) + "\n").encode()
        content["cases"] = cases
        return (json.dumps(content, indent=1, ensure_ascii=True) + "\n").encode()


def _lines(value: Json) -> str:
    """Return JSON with a line for each case, or for each step of a case."""
    match value:
        case {"steps": [*steps], **rest}:
            return _open(json.dumps(rest).removesuffix("}"), ("steps", steps))
        case {"cases": [*cases], **rest}:
            return _open(json.dumps(rest, indent=1).removesuffix("\n}"), ("cases", cases))
        case _:
            return json.dumps(value)


def _open(head: str, last: tuple[str, list[Json]]) -> str:
    name, items = last
    return f'{head}, "{name}": [\n' + ",\n".join(map(_lines, items)) + "\n]}"


def plain(value: object) -> Json:
    """Return ``value`` for JSON: bytes and elements in hex, all arrays as lists."""
    match value:
        case bytes():
            return value.hex()
        case Point():
            return value.encode().hex()
        case bool() | int() | str() | None:
            return value
        case Mapping():
            return {str(name): plain(item) for name, item in value.items()}
        case Iterable():
            return [plain(item) for item in value]
        case _:
            raise TypeError(f"no JSON for a {type(value).__name__}")


def seed(label: str, n: int = 32) -> bytes:
    """Return ``n`` reproducible bytes: KDF(H("test vector", label), "", n)."""
    return kdf(H("test vector", label.encode()), b"", n)


def scalars(numbers: Iterable[int]) -> list[bytes]:
    """Return the encodings of scalars."""
    return list(map(encode_scalar, numbers))


def randomness(label: str) -> Random:
    """Return a prover's randomness: KDF(seed(label), H("rnd", label', message), n)."""
    secret = seed(label)
    return lambda name, message, n: kdf(secret, H("rnd", name.encode(), message), n)
