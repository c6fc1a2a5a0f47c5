"""Full screen: the view of a seat of Tichu."""

from dataclasses import replace

from matcha_p2p.console.table.full_screen import FullScreen
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.table.view import PlayerView
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
from matcha_p2p.session.news import MakeMove, WindowOpened


class TichuView(PlayerView[Scene]):
    """The view of a seat at the table."""

    due = captions.WINDOW_DUE
    picture = staticmethod(draw)
    keys = keys.FRAME
    told = staticmethod(hear)
    acts = staticmethod(Show)

    def opening(self, seat: Seat) -> Scene:
        """Return the scene before all have met."""
        return opening(seat, self.advise)

    def hear(
        self, state: Staged[Scene], news: News, now: float
    ) -> tuple[Staged[Scene], Wish | None]:
        """Return the state after ``news``; a window shows the play at once."""
        state, choice = super().hear(state, news, now)
        window = state.scene.window
        if isinstance(news, WindowOpened) and window is not None:
            scene = replace(state.scene, window=window._replace(shown=now))
            state = state.over().to(scene)
        return state, choice

    def reply(self, scene: Scene) -> Wish | None:
        """Return the move of a scene in which nothing is to be decided, or None."""
        return None if scene.reply is None else MakeMove(scene.reply)


def full_screen(look: Look, analyst: Analyst, advise: Advise | None) -> FullScreen[Scene]:
    """Return the front end of a person. advise: for practice alone."""
    return FullScreen(TichuView(look, advise), analyst)
