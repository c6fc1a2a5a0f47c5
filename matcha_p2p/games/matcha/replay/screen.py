"""A replay on a full screen."""

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import trio

from matcha_p2p.console.table.focus import AtTable, Gone
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.screen import ScreenView, Status, open_screen
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.front import GameSoFar
from matcha_p2p.games.matcha.replay.state import PLAYS, ReplayState, press, scene_of, watch
from matcha_p2p.games.matcha.replay.steps import Replay, Viewpoint, replay_of
from matcha_p2p.games.matcha.review.analysis import Analysis
from matcha_p2p.games.matcha.screen.analysis import Analyse, Analyst, analyse
from matcha_p2p.games.matcha.screen.drawing.layout import draw
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.words import replay_sentences
from matcha_p2p.language import Sentence

PAUSE: Final = 1.2
"""Seconds between two steps, after the first is shown, when a replay plays by itself."""


MOST_BEHIND: Final = 12
"""The most steps shown singly to a watcher of a live game: a little more than a round."""


@dataclass(frozen=True, slots=True)
class Live:
    """A game still in play, as far as shown. position: says how the game is watched."""

    replay: Replay
    position: Sentence


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """A place in a replay, and the manner of showing its scene.

    due: the time at which the next step comes by itself, or None.
    """

    place: ReplayState
    staged: Staged[Scene]
    due: float | None = None

    def to(self, place: ReplayState, now: float) -> "ReplayPosition":
        """Go to another place. One step forward is shown with its animation."""
        before, staged = self.place, self.staged.over()
        scene = scene_of(place)
        if (place.at, place.view) == (before.at + 1, before.view):
            staged = staged.follow(scene, place.replay.steps[place.at].event, now)
        return replace(self, place=place, staged=staged.to(scene))

    def grown(self, live: "Live", now: float) -> "ReplayPosition":
        """Go on with more of a live game.

        A watcher at the end so far sees the new steps, singly unless the new steps are too
        many. A watcher of earlier steps stays there.
        """
        followed = self.due is not None or self.place.is_last
        place = replace(self.place, replay=live.replay, live=live.position)
        last = len(live.replay.steps) - 1
        if followed and last - place.at > MOST_BEHIND:
            place = replace(place, at=last)
        grown = replace(self, place=place, staged=self.staged.to(scene_of(place)))
        if grown.due is None and followed and not place.is_last:
            return replace(grown, due=now)
        return grown

    def with_analysis(self, analysis: Analysis, now: float) -> "ReplayPosition":
        """Return the position with the progress of the analysis."""
        return self.to(replace(self.place, analysis=analysis), now)

    def go_on_by_itself(self, now: float) -> "ReplayPosition":
        """Let the next step come after the animation; after the last step, stop."""
        if self.place.is_last:
            return replace(self, due=None)
        return replace(self, due=now + self.staged.lasts(now) + PAUSE)


class ReplayView:
    """The view of an onlooker, and the meaning of the keys.

    game: the game to analyse, or None while the game is still played.
    """

    def __init__(self, skin: Skin, game: Analyse | None) -> None:
        self._skin: Final = skin
        self._game: Final = game

    def by(self, state: ReplayPosition, now: float) -> tuple[ReplayPosition, None]:
        """If the next step comes by itself and is due, take the step."""
        if state.due is None or now < state.due:
            return state, None
        return state.to(press(state.place, "right"), now).go_on_by_itself(now), None

    def draw(self, state: ReplayPosition, columns: int, rows: int, now: float) -> TerminalFrame:
        """Return the frame of the table at this step, or of the open page."""
        return draw(state.staged.seen(now), columns, rows, self._skin)

    def status(self, state: ReplayPosition, now: float) -> Status:
        """Return the players' names for the title of the terminal."""
        first, second = state.place.replay.names
        return Status(
            title=replay_sentences.WINDOW(first=first, second=second),
            over=state.place.focus == Gone(),
            changes_in=_soonest(state, now),
        )

    def press(
        self, state: ReplayPosition, key: str, now: float
    ) -> tuple[ReplayPosition, Analyse | None]:
        """Return the position after a key, and the request for an analysis or None.

        Playing by itself stops at every key, except that the key PLAYS can start it.
        """
        if latin(key) == PLAYS and state.place.focus == AtTable():
            if state.due is not None:
                return replace(state, due=None), None
            return replace(state, due=now), None
        pressed = replace(state.to(press(state.place, key), now), due=None)
        asked = state.place.analysis is None and pressed.place.analysis is not None
        return pressed, self._game if asked else None

    def paste(self, state: ReplayPosition, _: str) -> tuple[ReplayPosition, Analyse | None]:
        """Drop a pasted text: a replay has no field."""
        return state, None

    def write(self, state: ReplayPosition, _: str) -> ReplayPosition:
        """Return ``state``: a replay has no field."""
        return state


def _soonest(state: ReplayPosition, now: float) -> float | None:
    """Return the seconds until the picture changes, or None."""
    shown = state.staged.changes_in(now)
    if state.due is None:
        return shown
    step = max(0.0, state.due - now)
    return step if shown is None else min(shown, step)


async def view(
    place: ReplayState,
    look: Look,
    game: Analyse,
    analyst: Analyst,
) -> None:
    """Show a replay until the screen is closed, or the terminal is gone.

    game: the game that ``analyst`` gets if the person asks for an analysis.
    """
    state = ReplayPosition(place, Staged(scene_of(place), Show(look.speed)))
    looking: ScreenView[ReplayPosition, Analyse] = ReplayView(look.skin, game)
    async with open_screen(looking, state, look) as screen, trio.open_nursery() as nursery:

        def show(analysis: Analysis) -> None:
            screen.change(lambda state, now: state.with_analysis(analysis, now))

        async for asked in screen.emitted:
            nursery.start_soon(analyse, analyst, asked, show)
        nursery.cancel_scope.cancel()


async def follow(look: Look, seen: AsyncIterator[GameSoFar]) -> None:
    """Show a live game, as it grows, until the screen is closed; as ``view`` does."""
    growing = _live(seen)
    first = await anext(growing)
    last = len(first.replay.steps) - 1
    place = replace(watch(first.replay, Viewpoint.BOTH, last), live=first.position)
    state = ReplayPosition(place, Staged(scene_of(place), Show(look.speed)))
    looking: ScreenView[ReplayPosition, Analyse] = ReplayView(look.skin, None)
    async with open_screen(looking, state, look) as screen, trio.open_nursery() as nursery:
        nursery.start_soon(_grow, screen.change, growing)
        async for _ in screen.emitted:
            pass  # no value comes out; the loop ends with the screen
        nursery.cancel_scope.cancel()


async def _live(seen: AsyncIterator[GameSoFar]) -> AsyncGenerator[Live]:
    async for report, position in seen:
        yield Live(await trio.to_thread.run_sync(replay_of, report), position)


Change: TypeAlias = Callable[[Callable[[ReplayPosition, float], ReplayPosition]], None]
"""Lets the screen go on to another state."""


async def _grow(change: Change, growing: AsyncIterable[Live]) -> None:
    async for live in growing:

        def step(state: ReplayPosition, now: float, live: Live = live) -> ReplayPosition:
            return state.grown(live, now)

        change(step)
