"""Where a mutant is made, and how an entry is said again after one thing in it has changed."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.errors import CheckError
from matcha_p2p.table.messages import decode_action
from matcha_p2p.table.table import Table
from tests.cheats.scene import GAMES, Hostile, Scene, played, say, utter


@dataclass(frozen=True)
class Mutant:
    """Frames that end a game, and what has to be found in them.

    checks: any of these. later: how many entries after its first one it is refused. seat: who
    is to blame.
    """

    frames: bytes
    checks: frozenset[str]
    seat: int | None
    later: int = 0


Operator: TypeAlias = Callable[[Scene, random.Random], Mutant | None]
"""Change one thing; None where there is no such thing. A scene is a game before an entry."""


@cache
def scenes() -> tuple[Scene, ...]:
    """Return every place of every game: the game so far, and the entry that came next."""
    return tuple(
        replace(end, states=end.states[: n + 1], log=end.log[:n], honest=entry, seat=entry.seat)
        for end in map(played, GAMES)
        for n, entry in enumerate(end.log)
    )


def file_of(scene: Scene, frames: bytes) -> bytes:
    """Return the transcript of the game so far, and then ``frames``."""
    return encode_archive([entry.encoded for entry in scene.log], []) + frames


def blamed(scene: Scene, check: str) -> int | None:
    """Return whom a refusal names: nobody for what is decoded before the signature is known."""
    decoded_first = check in {"E_ENCODING", "E_POINT", "E_SCALAR", "E_SHUFFLE"}
    return None if decoded_first and len(scene.log) < 2 else scene.seat


def refused(scene: Scene, frames: bytes, *checks: str) -> Mutant | None:
    """Return the mutant, to be refused at once for one of ``checks`` by the seat's fault."""
    if frames == utter(scene, scene.fields):
        return None
    return Mutant(frames, frozenset(checks), blamed(scene, checks[0]))


def respoken(scene: Scene, place: int, action: Hostile) -> bytes:
    """Return the entry with ``action`` at ``place``, all that follows from it made to match.

    What follows is left as it was where no machine would go on.
    """
    try:
        if isinstance(scene.state, Table):
            changed = decode_action(action, scene.table.game.forms)
            return say(scene, *scene.actions[:place], changed)
    except CheckError:
        pass
    return utter(scene, replaced(scene, place, action))


def replaced(scene: Scene, place: int, *actions: Hostile) -> list[Hostile]:
    """Return the encoded actions with ``actions`` instead of the one at ``place``."""
    fields = scene.fields
    return [*fields[:place], *actions, *fields[place + 1 :]]
