"""A scene and what is still being shown of how it came about."""

from dataclasses import dataclass, replace

from matcha_p2p.games.matcha.events import Event
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.show import Show, swallows


@dataclass(frozen=True, slots=True)
class Staged:
    """``scene`` is how things stand, and ``show`` what is still to be shown of before."""

    scene: Scene
    show: Show

    def to(self, scene: Scene) -> "Staged":
        """Go on to ``scene`` without a show of its own."""
        return replace(self, scene=scene)

    def follow(self, scene: Scene, event: Event, now: float) -> "Staged":
        """Go on to ``scene``, to which ``event`` has led."""
        return Staged(scene, self.show.follow(self.scene, scene, event, now))

    def over(self) -> "Staged":
        """Show everything as it stands."""
        return replace(self, show=self.show.over())

    def anew(self, scene: Scene, now: float) -> "Staged":
        """Show ``scene``, of another game or another place in it, as it stands."""
        return Staged(scene, self.show.anew(now))

    def seen(self, now: float) -> Scene:
        """Return what is to be seen at this time."""
        return self.show.shown(self.scene, now)

    def changes_in(self, now: float) -> float | None:
        """Return in how many seconds something else is to be seen; None if nothing will be."""
        return self.show.next_change(self.scene, now)

    def lasts(self, now: float) -> float:
        """Return for how many seconds what is being shown goes on."""
        return self.show.lasts(now)

    def finish(self, key: str, now: float) -> "tuple[Staged, bool]":
        """Finish what is running because of ``key``; tell whether that was all it meant."""
        if not self.show.at(now).acts:
            return self, False
        taken = swallows(self.scene, key)
        return (self.over() if taken or not self.scene.is_talking else self), taken
