"""The show in the application's thread: a clock, and a redraw whenever something changes."""

import time
from collections.abc import Callable
from typing import Final

from matcha_p2p.console.table.scene import Scene
from matcha_p2p.console.table.show import Show, swallows
from matcha_p2p.console.terminal.bridge import Alarm
from matcha_p2p.console.terminal.looks import Speed
from matcha_p2p.machine.events import Event


class Stage:
    """What is shown of a scene at any time. Touched by the UI thread alone.

    changed: called when something else is to be seen. clock: seconds from any beginning.
    """

    def __init__(
        self,
        speed: Speed,
        changed: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show = Show(speed)
        self._clock: Final = clock
        self._alarm: Final = Alarm(changed)

    def follow(self, before: Scene, after: Scene, event: Event) -> None:
        """Show ``event``, which has led from one scene to the other."""
        self._show = self._show.follow(before, after, event, self._clock())

    def shown(self, scene: Scene) -> Scene:
        """Return what is to be seen of ``scene`` now."""
        return self._show.shown(scene, self._clock())

    def wait(self, scene: Scene) -> None:
        """Let ``changed`` be called when something else is to be seen of ``scene``."""
        self._alarm.set(self._show.next_change(scene, self._clock()))

    def finish(self) -> None:
        """Show everything as it stands."""
        self._show = self._show.over()

    def takes(self, scene: Scene, key: str) -> bool:
        """Finish what is running because of ``key``; tell whether that was all it meant."""
        if not self._show.at(self._clock()).acts:
            return False
        taken = swallows(scene, key)
        if taken or not scene.is_talking:
            self.finish()
        return taken
