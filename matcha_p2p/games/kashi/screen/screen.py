"""Full screen: the view of a seat of Kashi-ichi."""

from typing import Final

from matcha_p2p.console.table.full_screen import FullScreen
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import Advise, Analyst
from matcha_p2p.games.kashi.screen import captions, keys
from matcha_p2p.games.kashi.screen.drawing.layout import draw
from matcha_p2p.games.kashi.screen.scene import Scene, fresh, hear
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.narration.news import News, Wish
from matcha_p2p.seats import Seat


class TableView(PlayerView[Scene, Wish]):
    """The view of a seat at the table. practice: with hints and undo."""

    due = captions.WINDOW_DUE

    def __init__(self, look: Look, *, practice: bool = False) -> None:
        super().__init__(look)
        self._practice: Final = practice

    def begin(self, seat: Seat) -> Staged[Scene]:
        """Return the state before all have met."""
        return Staged(fresh(seat, practice=self._practice), Show(self.look.speed))

    def told(self, scene: Scene, news: News) -> Scene:
        """Return the scene after ``news``."""
        return hear(scene, news)

    def picture(self, scene: Scene, columns: int, rows: int) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""
        return draw(scene, columns, rows, self.look.skin)

    def key(self, scene: Scene, key: str) -> tuple[Scene, Wish | None]:
        """Return the scene and the choice after a key."""
        return keys.press(scene, key)


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> FullScreen[Scene]:
    """Return the front end of a person.

    analyst: without effect, as no decision is judged. advise: None outside practice.
    """
    del analyst
    practice = advise is not None
    return FullScreen(TableView(look, practice=practice), practice=practice)
