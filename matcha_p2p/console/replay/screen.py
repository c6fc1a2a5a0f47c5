"""A replay on a full screen, in the application's thread."""

from typing import Final

from matcha_p2p.console.replay.state import ReplayState, clamped, press, scene_of
from matcha_p2p.console.table.layout import draw
from matcha_p2p.console.table.scene import Gone
from matcha_p2p.console.table.stage import Stage
from matcha_p2p.console.terminal.bridge import Console, leave, running
from matcha_p2p.console.terminal.canvas import Canvas
from matcha_p2p.console.terminal.cells import Line
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.narration import replay_sentences


class ReplayScreen:
    """Shows a replay. Only the UI thread calls it."""

    def __init__(
        self,
        state: ReplayState,
        look: Look,
    ) -> None:
        self.state = state
        self._scene = self._seen = scene_of(state)
        self._stage: Final = Stage(look.speed, self._look_again)
        self._skin: Final = look.skin
        self._canvas: Final = Canvas(look, self._draw, self._press, _drop)
        self.application: Final = self._canvas.application

    def _draw(self, columns: int, rows: int) -> list[Line]:
        return draw(self._seen, columns, rows, self._skin)

    def _press(self, key: str) -> None:
        before = self.state
        self._stage.finish()
        self.state = clamped(press(before, key), *self._canvas.size)
        if self.state.focus == Gone():
            leave(self.application)
        scene, step = scene_of(self.state), self.state.replay.steps[self.state.at]
        if (self.state.at, self.state.view) == (before.at + 1, before.view):
            self._stage.follow(scene_of(before), scene, step.event)
        self._scene = scene
        self._look_again()

    def _look_again(self) -> None:
        """Show what is to be seen now."""
        self._seen = self._stage.shown(self._scene)
        self._stage.wait(self._scene)
        self.application.invalidate()

    def name_window(self) -> None:
        """Put the players' names into the title of the terminal."""
        first, second = self.state.replay.names
        self.application.output.set_title(replay_sentences.WINDOW(first=first, second=second))
        self.application.output.flush()


def _drop(_: str) -> None:
    """Ignore a pasted text: it is no keys."""


async def view(
    state: ReplayState,
    look: Look,
) -> None:
    """Show a replay until it is closed, or the terminal is gone."""
    console = Console[None]()
    viewer = ReplayScreen(state, look)
    async with running(console, viewer.application):
        console.call(viewer.name_window)
        async for _ in console.emitted:
            pass  # nothing comes out; it ends with the application
