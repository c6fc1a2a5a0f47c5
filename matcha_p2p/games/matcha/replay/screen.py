"""A replay on a full screen."""

from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from typing import Final

import trio

from matcha_p2p.console.review import replay
from matcha_p2p.console.review.replay import ReplayPosition, position_at
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.screen import ScreenView, open_screen
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.front import GameSoFar
from matcha_p2p.games.matcha.replay.state import ReplayState, watch
from matcha_p2p.games.matcha.replay.steps import Viewpoint, replay_of
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.screen.analysis import Analyse, Analyst, analyse

Position = ReplayPosition[ReplayState]


class AnalysedView(replay.ReplayView[ReplayState, Analyse]):
    """The view of an onlooker of a stored game. game: the game to analyse."""

    def __init__(self, skin: Skin, game: Analyse) -> None:
        super().__init__(skin)
        self._game: Final = game

    def press(self, state: Position, key: str, now: float) -> tuple[Position, Analyse | None]:
        """Return the position after a key, and the request for an analysis or None."""
        pressed, _ = super().press(state, key, now)
        asked = state.place.analysis is None and pressed.place.analysis is not None
        return pressed, self._game if asked else None


def with_analysis(state: Position, analysis: Analysis, now: float) -> Position:
    """Return the position with the progress of the analysis."""
    return state.to(replace(state.place, analysis=analysis), now)


async def view(place: ReplayState, look: Look, game: Analyse, analyst: Analyst) -> None:
    """Show a replay until the screen is closed, or the terminal is gone.

    game: the game that ``analyst`` gets if the person asks for an analysis.
    """
    looking: ScreenView[Position, Analyse] = AnalysedView(look.skin, game)
    state = position_at(place, look.speed)
    async with open_screen(looking, state, look) as screen, trio.open_nursery() as nursery:

        def show(analysis: Analysis) -> None:
            screen.change(lambda state, now: with_analysis(state, analysis, now))

        async for asked in screen.emitted:
            nursery.start_soon(analyse, analyst, asked, show)
        nursery.cancel_scope.cancel()


async def follow(look: Look, seen: AsyncIterator[GameSoFar]) -> None:
    """Show a live game, as it grows, until the screen is closed; as ``view`` does."""
    await replay.follow(look, seen, replay_of, partial(watch, view=Viewpoint.BOTH))
