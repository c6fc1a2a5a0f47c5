"""A scene, and the acts that lead to the scene."""

from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

from matcha_p2p.console.table.focus import AT_TABLE
from matcha_p2p.console.table.keys import gone
from matcha_p2p.console.table.scene import TableScene, tell
from matcha_p2p.console.table.show import GO_ON, SKIPS, Acts
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
        """End the running act, or all acts, at ``key``; tell whether the key does only this.

        While a page, a list or a line of talk is open, the key is for that alone.
        """
        if not self.show.at(now).acts or self.scene.focus != AT_TABLE:
            return self, False
        if key in GO_ON:
            return replace(self, show=self.show.following(now)), True
        return self.over(), key == SKIPS


def leave_alone(state: Staged[S]) -> Staged[S]:
    """Close the screen after the others have left, unless it shows the end of a game.

    Nobody leaves a tutorial.
    """
    scene = state.scene
    if not scene.is_over:
        return state.to(gone(scene))
    if not scene.taught:
        scene = tell(scene, ALONE())
    return state.to(replace(scene, after_game=None, troubles={}))
