"""Mutants of one element, scalar or hash, or of two exchanged."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from matcha_p2p.crypto.edwards25519 import ORDER, P
from matcha_p2p.crypto.ristretto255 import GENERATOR, Point, hash_to_group
from matcha_p2p.crypto.shuffle import blinding
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import CheckError
from matcha_p2p.table.piles import point_of
from matcha_p2p.table.table import Table
from tests.cheats.greeting import hello_of
from tests.cheats.scene import Hostile, Scene
from tests.mutants.site import Mutant, Operator, refused, respoken, scenes

SIZE = 32


@dataclass(frozen=True)
class Cell:
    """32 bytes of a field. action, field: indexes; start: the first byte within the field."""

    action: int
    field: int
    start: int
    name: str
    kind: str

    def read(self, fields: list[Hostile]) -> bytes:
        return fields[self.action][self.field][self.start : self.start + SIZE]

    def write(self, fields: list[Hostile], content: bytes) -> Hostile:
        """Return the action with ``content`` in the place of the cell."""
        action = list(fields[self.action])
        field = action[self.field]
        action[self.field] = field[: self.start] + content + field[self.start + SIZE :]
        return action


# What the 32-byte pieces of a field are: of the first part, and of the rest after so many.
POINTS_OF = {"SHUF": 1, "SHARE": 1, "HELLO": 11}
SCALARS_OF = {"SHUF": 2, "SHARE": 2, "HELLO": 12}
PROOF_OF = {"SHUF": "E_SHUFFLE", "SHARE": "E_SHARE", "HELLO": "E_POP"}


def cells(scene: Scene, kind: str) -> list[Cell]:
    """Return the elements or scalars of an entry."""
    found = []
    for place, action in enumerate(scene.fields):
        name = str(action[0])
        if name not in POINTS_OF:
            continue
        first, second = POINTS_OF[name], SCALARS_OF[name]
        points = len(action[second]) - 32 * (2 * (len(action[first]) // 64) + 5)
        if name != "SHUF":
            points = 0  # of the proof
        spans = {
            "point": ((first, 0, len(action[first])), (second, 0, points)),
            "scalar": ((second, points, len(action[second])),),
        }
        found += [
            Cell(place, field, start, name, kind)
            for field, begin, end in spans[kind]
            for start in range(begin, end, SIZE)
        ]
    return found


def intended(cell: Cell, content: bytes) -> str:
    """Return the check that has to notice ``content`` in the cell."""
    if cell.kind == "scalar":
        if int.from_bytes(content, "little") >= ORDER:
            return "E_SCALAR"
    else:
        try:
            Point.decode(content)
        except CheckError:
            return "E_POINT"
    return PROOF_OF[cell.name]


def on_cells(kind: str, change: Callable[[bytes, Scene, random.Random], bytes]) -> Operator:
    """Return the operator that changes one element or scalar of an entry."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        fields = scene.fields
        places = cells(scene, kind)
        if not places:
            return None
        cell = rng.choice(places)
        content = change(cell.read(fields), scene, rng)
        check = intended(cell, content)
        if cell.name == "HELLO" and kind == "point" and _joins_badly(scene, content):
            check = "E_KEY"
        return refused(scene, respoken(scene, cell.action, cell.write(fields, content)), check)

    return operate


def _joins_badly(scene: Scene, key: bytes) -> bool:
    """Tell whether seat 1 would take or undo the game key of seat 0."""
    if not scene.log:
        return False
    host = hello_of(scene.log[0]).game_key
    return key in (host.encode(), (-host).encode())


def exchanged(kind: str) -> Operator:
    """Return the operator that exchanges two elements or two scalars of one action."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        places = cells(scene, kind)
        if not places:
            return None
        first = rng.choice(places)
        second = rng.choice([cell for cell in places if cell.action == first.action])
        fields = scene.fields
        one, two = first.read(fields), second.read(fields)
        fields[first.action] = first.write(fields, two)
        action = second.write(fields, one)
        return refused(scene, respoken(scene, first.action, action), intended(first, one))

    return operate


def _number(change: Callable[[int], int]) -> Callable[[bytes, Scene, random.Random], bytes]:
    def changed(content: bytes, _: Scene, __: random.Random) -> bytes:
        number = change(int.from_bytes(content, "little"))
        return (number % 2**256).to_bytes(32, "little")

    return changed


def _point(change: Callable[[Point], Point]) -> Callable[[bytes, Scene, random.Random], bytes]:
    return lambda content, _, __: change(Point.decode(content)).encode()


def _constant(content: bytes) -> Callable[[bytes, Scene, random.Random], bytes]:
    return lambda _, __, ___: content


def _keys(content: bytes, scene: Scene, rng: random.Random) -> bytes:
    """Put a key of the game in the place of an element."""
    keys = [player.game_key for player in scene.players]
    return rng.choice([*keys, keys[0] + keys[1]]).encode()


def _elsewhere(kind: str) -> Callable[[bytes, Scene, random.Random], bytes]:
    def taken(content: bytes, scene: Scene, rng: random.Random) -> bytes:
        """Take an element or scalar from any other entry of any game."""
        while True:
            other = rng.choice(scenes())
            places = cells(other, kind)
            if places:
                return rng.choice(places).read(other.fields)

    return taken


def _face(content: bytes, scene: Scene, rng: random.Random) -> bytes:
    """Add another face to what is masked, or to anything else."""
    face = point_of("matcha", rng.randrange(17))
    return (Point.decode(content) + face).encode()


def _on_the_table(content: bytes, scene: Scene, rng: random.Random) -> bytes:
    """Put an element of a card that lies on the table in the place of another."""
    known = [*scene.table.piles.values()] if isinstance(scene.state, Table) else []
    cards = [card.masked for pile in known for card in pile]
    if not cards:
        return content
    card = rng.choice(cards)
    return rng.choice([card.c1, card.c2]).encode()


POINT_OPERATORS: dict[str, Callable[[bytes, Scene, random.Random], bytes]] = {
    "the identity": _constant(bytes(32)),
    "the generator": _constant(GENERATOR.encode()),
    "K": _constant(blinding().encode()),
    "negated": _point(lambda E: -E),
    "doubled": _point(lambda E: E + E),
    "plus G": _point(lambda E: E + GENERATOR),
    "minus G": _point(lambda E: E - GENERATOR),
    "plus a face": _face,
    "a key": _keys,
    "a card of the table": _on_the_table,
    "one from elsewhere": _elsewhere("point"),
    "a hash": lambda content, _, __: hash_to_group(content).encode(),
    "the other sign": _number(lambda n: P - n),
    "bit 255": _number(lambda n: n | 1 << 255),
    "plus p": _number(lambda n: n + P),
    "no element": _constant((1).to_bytes(32, "little")),
}

SCALAR_OPERATORS: dict[str, Callable[[bytes, Scene, random.Random], bytes]] = {
    "0": _constant(bytes(32)),
    "1": _number(lambda _: 1),
    "l - 1": _number(lambda _: ORDER - 1),
    "l": _number(lambda _: ORDER),
    "plus 1": _number(lambda n: (n + 1) % ORDER),
    "minus 1": _number(lambda n: (n - 1) % ORDER),
    "negated": _number(lambda n: -n % ORDER),
    "doubled": _number(lambda n: 2 * n % ORDER),
    "inverted": _number(lambda n: pow(n, -1, ORDER) if n else 0),
    "plus l": _number(lambda n: n + ORDER),
    "all bits": _number(lambda _: 2**256 - 1),
    "one from elsewhere": _elsewhere("scalar"),
    "a hash": lambda content, _, __: H("scalar", content)[:31] + b"\0",
}

OPERATORS: dict[str, Operator] = {
    **{f"element: {name}": on_cells("point", op) for name, op in POINT_OPERATORS.items()},
    **{f"scalar: {name}": on_cells("scalar", op) for name, op in SCALAR_OPERATORS.items()},
    "element: two exchanged": exchanged("point"),
    "scalar: two exchanged": exchanged("scalar"),
}
