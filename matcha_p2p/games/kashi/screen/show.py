"""The way of another player's turn, shown step by step before the present scene."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Final

from matcha_p2p.console.table.show import Acts, Beat
from matcha_p2p.games.kashi.screen.routes import Footprints
from matcha_p2p.games.kashi.screen.scene import WAITING, Scene
from matcha_p2p.games.kashi.table.events import Event, TurnTaken
from matcha_p2p.seats import Seat

_STEP: Final = 0.4
"""Seconds at normal speed for each move of a turn."""


@dataclass(frozen=True, slots=True)
class Show(Acts[Scene]):
    """The turns of others still to be shown: a whole game at most; a key shows the present."""

    behind: ClassVar[int] = 300
    present: ClassVar = frozenset(("marked", "refused"))
    silent: ClassVar = MappingProxyType({"question": WAITING})

    def act(self, before: Scene, after: Scene, event: Event) -> tuple[Beat[Scene], ...]:
        """Return a beat for each move of another player's turn."""
        match event:
            case TurnTaken(seat):
                return _walk(before, seat, after.lit)
            case _:
                return ()

    def waiting(self, scene: Scene, now: float) -> Scene:
        """Return ``scene``: the mark beside a player's name says whose turn it is."""
        del now
        return scene

    def thinks(self, scene: Scene) -> bool:
        """Return False: while another player thinks, nothing moves."""
        del scene
        return False


def _walk(before: Scene, seat: Seat, lit: Footprints) -> tuple[Beat[Scene], ...]:
    game = before.game
    if game is None or not lit:
        return ()
    beats: list[Beat[Scene]] = []
    for number in range(1, lit[-1][1] + 1):
        gone = tuple(each for each in lit if each[1] <= number)
        player = game.players[seat]._replace(person=gone[-1][0])
        scene = replace(before, game=game.with_player(seat, player), lit=gone)
        beats.append(Beat(scene, _STEP))
    return tuple(beats)
