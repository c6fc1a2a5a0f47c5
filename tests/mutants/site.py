"""The place of a mutant, and the entry made again after one change."""

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
    """Frames that end a game, and the expected findings.

    checks: any of these. later: entries from the first frame to the refusal. seat: the blamed
    seat.
    """

    frames: bytes
    checks: frozenset[str]
    seat: int | None
    later: int = 0


Operator: TypeAlias = Callable[[Scene, random.Random], Mutant | None]
"""Change one thing; None if impossible. A scene is a game before an entry."""


@cache
def scenes() -> tuple[Scene, ...]:
    """Return every place of every game: the game so far, and the next entry."""
    return tuple(
        replace(end, states=end.states[: n + 1], log=end.log[:n], honest=entry, seat=entry.seat)
        for end in map(played, GAMES)
        for n, entry in enumerate(end.log)
    )


def file_of(scene: Scene, frames: bytes) -> bytes:
    """Return the transcript of the game so far, followed by ``frames``."""
    log = [entry.encoded for entry in scene.log]
    return encode_archive(log, [], scene.state.roster) + frames


def blamed(scene: Scene, check: str) -> int | None:
    """Return the seat named by a refusal: None for errors before the signature is known."""
    decoded_first = check in {"E_ENCODING", "E_POINT", "E_SCALAR", "E_SHUFFLE"}
    return None if decoded_first and len(scene.log) < 2 else scene.seat


def refused(scene: Scene, frames: bytes, *checks: str) -> Mutant | None:
    """Return the mutant, to be refused at once for one of ``checks`` by the seat's fault."""
    if frames == utter(scene, scene.fields):
        return None
    return Mutant(frames, frozenset(checks), blamed(scene, checks[0]))


def respoken(scene: Scene, place: int, action: Hostile) -> bytes:
    """Return the entry with ``action`` at ``place``, and all following actions made to match.

    If no machine would go on, the following actions stay unchanged.
    """
    try:
        if isinstance(scene.state, Table):
            changed = decode_action(action, scene.table.game.forms)
            return say(scene, *scene.actions[:place], changed)
    except CheckError:
        pass
    return utter(scene, replaced(scene, place, action))


def replaced(scene: Scene, place: int, *actions: Hostile) -> list[Hostile]:
    """Return the encoded actions with ``actions`` in the place of the action at ``place``."""
    fields = scene.fields
    return [*fields[:place], *actions, *fields[place + 1 :]]
