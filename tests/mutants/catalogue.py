"""All operators, and the mutants that they make from seeded choices."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.cheats.scene import Scene
from tests.judges import Finding
from tests.mutants import cells, moves, parts, records
from tests.mutants.site import Mutant, file_of, scenes

OPERATORS = {**cells.OPERATORS, **parts.OPERATORS, **moves.OPERATORS, **records.OPERATORS}

ATTEMPTS = 400  # at places to find one where an operator has something to change


@dataclass(frozen=True)
class Made:
    """A mutant: by which operator, and the whole file."""

    operator: str
    scene: Scene
    mutant: Mutant

    @property
    def data(self) -> bytes:
        return file_of(self.scene, self.mutant.frames)

    def is_refused_as(self, found: Finding) -> bool:
        """Tell whether a judge has found what the operator intends."""
        entry = len(self.scene.log) + self.mutant.later
        right = found.check in self.mutant.checks and found.entry == entry
        return right and found.seat == self.mutant.seat


def make(count: int, seed: str = "mutants") -> Iterator[Made]:
    """Yield ``count`` different mutants, each operator's in turn, while it finds new ones."""
    made: set[tuple[int, bytes]] = set()
    exhausted: set[str] = set()
    rng = random.Random(seed)
    while len(exhausted) < len(OPERATORS):
        for name in OPERATORS:
            if len(made) == count:
                return
            if name in exhausted:
                continue
            found = _one(name, rng, made)
            if found is None:
                exhausted.add(name)
            else:
                yield found


def _one(name: str, rng: random.Random, made: set[tuple[int, bytes]]) -> Made | None:
    for _ in range(ATTEMPTS):
        scene = rng.choice(scenes())
        mutant = OPERATORS[name](scene, rng)
        if mutant is None:
            continue
        key = len(scene.log), mutant.frames
        if key not in made:
            made.add(key)
            return Made(name, scene, mutant)
    return None
