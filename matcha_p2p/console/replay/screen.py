"""A replay on a full screen."""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.console.replay.state import ReplayState, press, scene_of
from matcha_p2p.console.table.layout import draw
from matcha_p2p.console.table.scene import Gone
from matcha_p2p.console.table.show import Show
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.cells import Frame
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.screen import Status, View, open_screen
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.narration import replay_sentences


@dataclass(frozen=True, slots=True)
class Watching:
    """A place in a replay, and how its scene is shown."""

    place: ReplayState
    staged: Staged


class ReplayView:
    """What somebody who looks on sees, and what the keys mean."""

    def __init__(self, skin: Skin) -> None:
        self._skin: Final = skin

    def draw(self, state: Watching, columns: int, rows: int, now: float) -> Frame:
        """Return the table at this step, or the page that is open over it."""
        return draw(state.staged.seen(now), columns, rows, self._skin)

    def status(self, state: Watching, now: float) -> Status:
        """Return the players' names for the title of the terminal."""
        first, second = state.place.replay.names
        return Status(
            title=replay_sentences.WINDOW(first=first, second=second),
            over=state.place.focus == Gone(),
            changes_in=state.staged.changes_in(now),
        )

    def press(self, state: Watching, key: str, now: float) -> tuple[Watching, None]:
        """Return what follows from a key. One step forward is shown as it came about."""
        before, staged = state.place, state.staged.over()
        place = press(before, key)
        scene = scene_of(place)
        if (place.at, place.view) == (before.at + 1, before.view):
            staged = staged.follow(scene, place.replay.steps[place.at].event, now)
        return Watching(place, staged.to(scene)), None

    def write(self, state: Watching, _: str) -> Watching:
        """Nothing is written here."""
        return state


async def view(place: ReplayState, look: Look) -> None:
    """Show a replay until it is closed, or the terminal is gone."""
    state = Watching(place, Staged(scene_of(place), Show(look.speed)))
    looking: View[Watching, None] = ReplayView(look.skin)
    async with open_screen(looking, state, look) as screen:
        async for _ in screen.emitted:
            pass  # nothing comes out; it ends with the screen
