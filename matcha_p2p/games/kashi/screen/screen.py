"""Full screen: the view of a seat of Kashi-ichi."""

from matcha_p2p.console.table.full_screen import FullScreen
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import Advise, Analyst
from matcha_p2p.games.kashi.screen import captions, keys
from matcha_p2p.games.kashi.screen.drawing.layout import draw
from matcha_p2p.games.kashi.screen.scene import Scene, fresh, hear
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.seats import Seat


class TableView(PlayerView[Scene]):
    """The view of a seat at the table."""

    due = captions.WINDOW_DUE
    picture = staticmethod(draw)
    keys = keys.FRAME
    told = staticmethod(hear)
    acts = staticmethod(Show)

    def opening(self, seat: Seat) -> Scene:
        """Return the scene before all have met."""
        return fresh(seat, self.advise)


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> FullScreen[Scene]:
    """Return the front end of a person. advise: None outside practice."""
    return FullScreen(TableView(look, advise), analyst)
