"""Full screen: a replay in the application's thread."""

from typing import Final

from matcha_p2p.console.replay.viewer import Watching, press, scene_of, settled
from matcha_p2p.console.table.layout import draw
from matcha_p2p.console.table.scene import Gone
from matcha_p2p.console.table.stage import Stage
from matcha_p2p.console.terminal.bridge import Console, leave, running
from matcha_p2p.console.terminal.canvas import Canvas
from matcha_p2p.console.terminal.cells import Line
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.narration import onlooker_words


class Viewer:
    """Where somebody is in a replay, and what shows it. The UI thread's alone."""

    def __init__(
        self,
        watching: Watching,
        look: Look,
    ) -> None:
        self.watching = watching
        self._scene = self._seen = scene_of(watching)
        self._stage: Final = Stage(look.speed, self._look_again)
        self._skin: Final = look.skin
        self._canvas: Final = Canvas(look, self._draw, self._press, _drop)
        self.application: Final = self._canvas.application

    def _draw(self, columns: int, rows: int) -> list[Line]:
        return draw(self._seen, columns, rows, self._skin)

    def _press(self, key: str) -> None:
        before = self.watching
        self._stage.finish()
        self.watching = settled(press(before, key), *self._canvas.size)
        if self.watching.focus == Gone():
            leave(self.application)
        scene, step = scene_of(self.watching), self.watching.replay.steps[self.watching.at]
        if (self.watching.at, self.watching.view) == (before.at + 1, before.view):
            self._stage.follow(scene_of(before), scene, step.event)
        self._scene = scene
        self._look_again()

    def _look_again(self) -> None:
        """Show what is to be seen now."""
        self._seen = self._stage.shown(self._scene)
        self._stage.wait(self._scene)
        self.application.invalidate()

    def name_window(self) -> None:
        """Say in the title of the terminal whose game this is."""
        first, second = self.watching.replay.names
        self.application.output.set_title(onlooker_words.WINDOW(first=first, second=second))
        self.application.output.flush()


def _drop(_: str) -> None:
    """Ignore a pasted text: it is no keys."""


async def view(
    watching: Watching,
    look: Look,
) -> None:
    """Show a replay until it is closed, or the terminal is gone."""
    console = Console[None]()
    viewer = Viewer(watching, look)
    async with running(console, viewer.application):
        console.call(viewer.name_window)
        async for _ in console.emitted:
            pass  # nothing comes out; it ends with the application
