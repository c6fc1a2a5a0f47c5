"""A scene, and the acts that lead to the scene."""

from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

from matcha_p2p.console.table.keys import gone
from matcha_p2p.console.table.scene import TableScene, tell
from matcha_p2p.console.table.show import Acts, swallows
from matcha_p2p.games.game import Event
from matcha_p2p.narration.after_game import ALONE

S = TypeVar("S", bound=TableScene)


@dataclass(frozen=True, slots=True)
class Staged(Generic[S]):
    """``scene`` is the present, and ``show`` has the past events still to be shown."""

    scene: S
    show: Acts[S]

    def to(self, scene: S) -> Self:
        """Go on to ``scene`` without an act."""
        return replace(self, scene=scene)

    def follow(self, scene: S, event: Event, now: float) -> Self:
        """Go on to ``scene``, the scene after ``event``."""
        show = self.show.follow(self.scene, scene, event, now)
        return replace(self, scene=scene, show=show)

    def over(self) -> Self:
        """Show the present scene."""
        return replace(self, show=self.show.over())

    def anew(self, scene: S, now: float) -> Self:
        """Show ``scene``, of another game or another place, without acts."""
        return replace(self, scene=scene, show=self.show.anew(now))

    def seen(self, now: float) -> S:
        """Return the visible scene at ``now``."""
        return self.show.shown(self.scene, now)

    def changes_in(self, now: float) -> float | None:
        """Return the seconds until the picture changes, or None if it will not change."""
        return self.show.next_change(self.scene, now)

    def lasts(self, now: float) -> float:
        """Return the seconds until all acts are over."""
        return self.show.lasts(now)

    def finish(self, key: str, now: float) -> tuple[Self, bool]:
        """Finish the running act at ``key``; tell whether the key has no further effect."""
        if not self.show.at(now).acts:
            return self, False
        taken = swallows(self.scene, key)
        return (self.over() if taken or not self.scene.is_talking else self), taken


def leave_alone(state: Staged[S]) -> Staged[S]:
    """Close the screen after the others have left, unless it shows the end of a game.

    Nobody leaves a tutorial.
    """
    scene = state.scene
    if not scene.is_over:
        return state.to(gone(scene))
    if not scene.lesson:
        scene = tell(scene, ALONE())
    return state.to(replace(scene, after_game=None, troubles={}))
