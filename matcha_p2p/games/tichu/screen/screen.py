"""Full screen: the view of a seat of Tichu."""

from typing import Final

from matcha_p2p.console.table.full_screen import FullScreen
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import Analyst
from matcha_p2p.games.tichu.answers import Advise
from matcha_p2p.games.tichu.screen import keys
from matcha_p2p.games.tichu.screen.drawing.layout import draw
from matcha_p2p.games.tichu.screen.scene import Scene, hear, opening
from matcha_p2p.games.tichu.screen.show import Show
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.narration.news import News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import MakeMove


class TichuView(PlayerView[Scene, Wish]):
    """The view of a seat at the table. advise: for practice alone."""

    due = captions.WINDOW_DUE

    def __init__(self, look: Look, advise: Advise | None = None) -> None:
        super().__init__(look)
        self._advise: Final = advise

    def begin(self, seat: Seat) -> Staged[Scene]:
        """Return the state before all have met."""
        return Staged(opening(seat, self._advise), Show(self.look.speed))

    def told(self, scene: Scene, news: News) -> Scene:
        """Return the scene after ``news``."""
        return hear(scene, news)

    def reply(self, scene: Scene) -> Wish | None:
        """Return the move of a scene in which nothing is to be decided, or None."""
        return None if scene.reply is None else MakeMove(scene.reply)

    def picture(self, scene: Scene, columns: int, rows: int) -> TerminalFrame:
        """Return the frame of the table, or of the open page."""
        return draw(scene, columns, rows, self.look.skin)

    def key(self, scene: Scene, key: str) -> tuple[Scene, Wish | None]:
        """Return the scene and the choice after a key."""
        return keys.press(scene, key)


def full_screen(
    look: Look, analyst: Analyst | None, advise: Advise | None
) -> FullScreen[Scene]:
    """Return the front end of a person. There is no analysis of Tichu: no analyst is asked."""
    del analyst
    return FullScreen(TichuView(look, advise), practice=advise is not None)
