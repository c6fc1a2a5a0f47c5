"""The acts of Tichu: each play, pass and trick is seen for a moment before the next one."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Final

from matcha_p2p.console.table.show import CALM, DOT, Acts, Beat
from matcha_p2p.console.terminal.looks import Speed
from matcha_p2p.games.tichu import events
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.screen.scene import WAITING, Scene, Slide

# Seconds at normal speed: a round of which each question is answered at once takes two minutes.
_DEAL: Final = 0.1
_ARRIVES: Final = 0.12
_LAID: Final = 3.4
_PASSED: Final = 1.4
_TAKEN: Final = 3.0
_SLIDE: Final = 0.13
_WAY: Final = (0.25, 0.5, 0.75)
"""The parts of the way of a trick to its taker at which the trick is seen."""
_MOST_DOTS: Final = 3
_TICK: Final = 0.25
"""Seconds between two pictures of a window that closes."""


@dataclass(frozen=True, slots=True)
class Show(Acts[Scene]):
    """The acts still to be shown: a whole round at most, for a key shows the present."""

    behind: ClassVar[int] = 300
    present: ClassVar = frozenset(("marked", "at", "by_plays", "armed", "calls", "window"))
    silent: ClassVar = MappingProxyType({"question": WAITING, "due": None})

    def act(
        self, before: Scene, after: Scene, event: events.TichuEvent
    ) -> tuple[Beat[Scene], ...]:
        """Return the act of ``event``, at normal speed; our own passes need none."""
        own = after.seat if after.watched is None else None
        moves = self.speed is Speed.NORMAL  # cards move at normal speed alone
        match event:
            case events.HandSeen() if moves and own is not None:
                return _deal(before, after)
            case Laid(seat):
                arrives = (Beat(replace(after, arriving=True), _ARRIVES),) if moves else ()
                return (*arrives, Beat(after, _LAID)) if seat != own else arrives
            case events.TurnPassed(seat) if seat != own:
                return (Beat(after, _PASSED),)
            case events.TrickTaken(seat):
                lies = replace(after, trick=before.trick, game=before.game)
                ways = [Slide(seat, gone) for gone in _WAY] if moves else []
                slides = [Beat(replace(lies, slide=slide), _SLIDE) for slide in ways]
                return Beat(lies, _TAKEN), *slides
            case _:
                return ()

    def waiting(self, scene: Scene, now: float) -> Scene:
        """Return ``scene`` with a sign that another player thinks; without motion if OFF."""
        if scene.window is not None:
            scene = replace(scene, left=scene.window.left(now))
        if not self.thinks(scene):
            return scene
        waited = max(0, int(now - self.thinks_since))
        if self.speed is Speed.OFF:
            return replace(scene, waited=waited - waited % CALM)
        return replace(scene, dots=1 + int(now / DOT) % _MOST_DOTS, waited=waited)

    def next_change(self, scene: Scene, now: float) -> float | None:
        """Return the seconds until the picture changes, or None if it will not change."""
        change = Acts[Scene].next_change(self, scene, now)
        left = 0.0 if scene.window is None else scene.window.left(now)
        if not left:
            return change
        return min(left, _TICK) if change is None else min(left, _TICK, change)

    def thinks(self, scene: Scene) -> bool:
        """Tell whether another seat is asked, and the connection stands."""
        game = scene.game
        if game is None or game.stage is not None or scene.work or scene.trouble:
            return False
        if scene.watched is not None:
            return False
        return scene.end is None and game.round.speaker not in (None, scene.seat)


def _deal(before: Scene, after: Scene) -> tuple[Beat[Scene], ...]:
    """Return the beats of dealing, a card a beat; no other card of the hand is new."""
    count = len(before.held)
    return tuple(
        Beat(replace(after, dealt=dealt), _DEAL) for dealt in range(count, len(after.held))
    )
