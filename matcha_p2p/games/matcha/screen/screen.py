"""Full screen: the view of a seat of Matcha."""

from matcha_p2p.console.table.full_screen import FullScreen
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import Advise, Analyst
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.screen import keys
from matcha_p2p.games.matcha.screen.drawing.layout import draw
from matcha_p2p.games.matcha.screen.scene import Scene, hear
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.words import captions


class TableView(PlayerView[Scene]):
    """The view of a seat at the table."""

    due = captions.WINDOW_DUE
    picture = staticmethod(draw)
    keys = keys.FRAME
    told = staticmethod(hear)
    acts = staticmethod(Show)

    def opening(self, seat: Seat) -> Scene:
        """Return the scene before both have met."""
        return Scene(seat, advise=self.advise)


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> FullScreen[Scene]:
    """Return the front end of a person. advise: for practice alone."""
    return FullScreen(TableView(look, advise), analyst)
