"""A stored game of Matcha, for its replay."""

from functools import partial

from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.analyst import LateAnalyst
from matcha_p2p.games.front import OpenedGame, OpenedReplay
from matcha_p2p.games.matcha.game import GAME
from matcha_p2p.games.matcha.replay.steps import Viewpoint, replay_of
from matcha_p2p.games.matcha.rules.seats import Seat


def opened(game: OpenedGame, view: str | None) -> OpenedReplay:
    """Return the game. view: the value of a Viewpoint; by default the view of our own seat."""
    replay = replay_of(game.report, game.own)
    chosen = _usual(game.seat) if view is None else Viewpoint(view)

    async def show(look: Look, at: int) -> None:
        from matcha_p2p.games.matcha.replay import screen
        from matcha_p2p.games.matcha.replay.state import watch
        from matcha_p2p.games.matcha.screen.analysis import Analyse

        seat = game.seat or Seat(0)
        asked = Analyse(game.transcript, seat, replay.hands_of(seat))
        await screen.view(watch(replay, chosen, at, seat), look, asked, LateAnalyst(GAME))

    return OpenedReplay(len(replay.steps), partial(replay.sentences, view=chosen), show)


def _usual(seat: Seat | None) -> Viewpoint:
    return Viewpoint.BOTH if seat is None else (Viewpoint.FIRST, Viewpoint.SECOND)[seat]
