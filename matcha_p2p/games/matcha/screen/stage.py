"""A scene, and the acts that lead to the scene."""

from dataclasses import dataclass, replace

from matcha_p2p.games.matcha.events import Event
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.show import Show, swallows


@dataclass(frozen=True, slots=True)
class Staged:
    """``scene`` is the present, and ``show`` has the past events still to be shown."""

    scene: Scene
    show: Show

    def to(self, scene: Scene) -> "Staged":
        """Go on to ``scene`` without an act."""
        return replace(self, scene=scene)

    def follow(self, scene: Scene, event: Event, now: float) -> "Staged":
        """Go on to ``scene``, the scene after ``event``."""
        return Staged(scene, self.show.follow(self.scene, scene, event, now))

    def over(self) -> "Staged":
        """Show the present scene."""
        return replace(self, show=self.show.over())

    def anew(self, scene: Scene, now: float) -> "Staged":
        """Show ``scene``, of another game or another place, without acts."""
        return Staged(scene, self.show.anew(now))

    def seen(self, now: float) -> Scene:
        """Return the visible scene at ``now``."""
        return self.show.shown(self.scene, now)

    def changes_in(self, now: float) -> float | None:
        """Return the seconds until the picture changes, or None if it will not change."""
        return self.show.next_change(self.scene, now)

    def lasts(self, now: float) -> float:
        """Return the seconds until all acts are over."""
        return self.show.lasts(now)

    def finish(self, key: str, now: float) -> "tuple[Staged, bool]":
        """Finish the running act at ``key``; tell whether the key has no further effect."""
        if not self.show.at(now).acts:
            return self, False
        taken = swallows(self.scene, key)
        return (self.over() if taken or not self.scene.is_talking else self), taken
