"""A replay on a full screen."""

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import trio

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
from matcha_p2p.games.matcha.screen.scene import AtTable, Gone
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.screen.stage import Staged
from matcha_p2p.games.matcha.words import replay_sentences
from matcha_p2p.language import Sentence

PAUSE: Final = 1.2
"""Seconds from what a step has shown to the next step, when a replay plays by itself."""


MOST_BEHIND: Final = 12
"""Steps that are shown one by one to who follows a live game: those of a round, and some."""


@dataclass(frozen=True, slots=True)
class Live:
    """A game that is still played, as far as it was shown. position: says how it is watched."""

    replay: Replay
    position: Sentence


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """A place in a replay, and how its scene is shown.

    due: when the next step comes by itself; None if it does not.
    """

    place: ReplayState
    staged: Staged
    due: float | None = None

    def to(self, place: ReplayState, now: float) -> "ReplayPosition":
        """Go to another place. One step forward is shown as it came about."""
        before, staged = self.place, self.staged.over()
        scene = scene_of(place)
        if (place.at, place.view) == (before.at + 1, before.view):
            staged = staged.follow(scene, place.replay.steps[place.at].event, now)
        return replace(self, place=place, staged=staged.to(scene))

    def grown(self, live: "Live", now: float) -> "ReplayPosition":
        """Go on with more of a game that is watched live.

        Who has seen the end so far sees what follows it, in steps unless these are too many;
        who looks at what was before stays.
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
        """Return it with what has come of the analysis."""
        return self.to(replace(self.place, analysis=analysis), now)

    def go_on_by_itself(self, now: float) -> "ReplayPosition":
        """Let the next step come when what is shown is over; none comes after the last."""
        if self.place.is_last:
            return replace(self, due=None)
        return replace(self, due=now + self.staged.lasts(now) + PAUSE)


class ReplayView:
    """What somebody who looks on sees, and what the keys mean.

    game: what can be analysed; None while it is still played.
    """

    def __init__(self, skin: Skin, game: Analyse | None) -> None:
        self._skin: Final = skin
        self._game: Final = game

    def by(self, state: ReplayPosition, now: float) -> ReplayPosition:
        """Take the next step, if it comes by itself and its time has come."""
        if state.due is None or now < state.due:
            return state
        return state.to(press(state.place, "right"), now).go_on_by_itself(now)

    def draw(self, state: ReplayPosition, columns: int, rows: int, now: float) -> TerminalFrame:
        """Return the table at this step, or the page that is open over it."""
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
        """Return what follows from a key. Any but the one for that ends playing by itself."""
        if latin(key) == PLAYS and state.place.focus == AtTable():
            if state.due is not None:
                return replace(state, due=None), None
            return replace(state, due=now), None
        pressed = replace(state.to(press(state.place, key), now), due=None)
        asked = state.place.analysis is None and pressed.place.analysis is not None
        return pressed, self._game if asked else None

    def paste(self, state: ReplayPosition, _: str) -> tuple[ReplayPosition, Analyse | None]:
        """Drop a pasted text: here it is no keys."""
        return state, None

    def write(self, state: ReplayPosition, _: str) -> ReplayPosition:
        """Nothing is written here."""
        return state


def _soonest(state: ReplayPosition, now: float) -> float | None:
    """Return in how many seconds something else is to be seen."""
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
    """Show a replay until it is closed, or the terminal is gone.

    game: what is analysed by ``analyst`` when that is asked for.
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
    """Show a game that is still played, as it grows, until that is closed; as ``view`` does."""
    growing = _live(seen)
    first = await anext(growing)
    last = len(first.replay.steps) - 1
    place = replace(watch(first.replay, Viewpoint.BOTH, last), live=first.position)
    state = ReplayPosition(place, Staged(scene_of(place), Show(look.speed)))
    looking: ScreenView[ReplayPosition, Analyse] = ReplayView(look.skin, None)
    async with open_screen(looking, state, look) as screen, trio.open_nursery() as nursery:
        nursery.start_soon(_grow, screen.change, growing)
        async for _ in screen.emitted:
            pass  # nothing comes out; it ends with the screen
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
