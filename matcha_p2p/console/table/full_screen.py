"""A person at the full screen of any game: news are shown, and choices are sent."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Final, Generic, TypeVar

import trio

from matcha_p2p.console.review.findings import Findings, judge_all
from matcha_p2p.console.table.frame import AskAnalysis, AskHint, Request
from matcha_p2p.console.table.scene import TableScene
from matcha_p2p.console.table.stage import Staged, leave_alone
from matcha_p2p.console.table.view import PlayerView
from matcha_p2p.console.terminal.screen import OpenScreen, ScreenView, open_screen
from matcha_p2p.games.front import Analyst
from matcha_p2p.narration.news import Choose, News
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Leave

S = TypeVar("S", bound=TableScene)


def with_findings(scene: S, found: Findings) -> S:
    """Return the scene with more of an analysis, unless another was asked for meanwhile."""
    if scene.findings is None or scene.findings.asked != found.asked:
        return scene
    return replace(scene, findings=found)


class FullScreen(Generic[S]):
    """A person at a terminal with a screen of its own."""

    def __init__(self, view: PlayerView[S], analyst: Analyst) -> None:
        self._view: Final = view
        self._analyst: Final = analyst

    async def play(self, seat: Seat, news: AsyncIterator[News], choose: Choose) -> None:
        """Show ``news`` from the first piece on, and send the person's choices meanwhile.

        The end of a game stays on the screen until the person closes the screen. A screen
        closed or lost earlier leaves the game.
        """
        first: list[News] = []
        if (
            self._view.advise is None
        ):  # not practice: bots are there already, persons may never come
            try:
                first.append(await anext(news))
            except StopAsyncIteration:
                return  # no player has come, so the screen stays closed
        view: ScreenView[Staged[S], Any] = self._view
        async with (
            open_screen(view, self._view.begin(seat), self._view.look) as screen,
            trio.open_nursery() as nursery,
        ):
            for piece in first:
                self._tell(screen, piece)
            nursery.start_soon(self._follow, news, screen)
            async for choice in screen.emitted:
                self._take(choice, choose, seat, screen, nursery)
            nursery.cancel_scope.cancel()
        choose(Leave())
        async for _ in news:
            pass  # the session is still at its last words

    def _take(
        self,
        choice: Request,
        choose: Choose,
        seat: Seat,
        screen: OpenScreen[Staged[S], Any],
        nursery: trio.Nursery,
    ) -> None:
        """Send the choice of a key, or begin an analysis or a hint."""
        match choice:
            case AskHint():
                nursery.start_soon(self._advise, choice, screen)
            case AskAnalysis():
                nursery.start_soon(self._analyse, choice, seat, screen)
            case _:
                choose(choice)

    async def _analyse(
        self, asked: AskAnalysis, seat: Seat, screen: OpenScreen[Staged[S], Any]
    ) -> None:
        """Judge all decisions, and show the progress."""

        def show(found: Findings) -> None:
            screen.change(lambda state, _: state.to(with_findings(state.scene, found)))

        await judge_all(self._analyst, asked.asked, seat, show)

    async def _advise(self, asked: AskHint, screen: OpenScreen[Staged[S], Any]) -> None:
        """Judge a decision in a thread and show the hint. Enter waits for the hint."""
        judgement = await trio.to_thread.run_sync(
            asked.advise, asked.seen, abandon_on_cancel=True
        )

        def hinted(state: Staged[S], _: float) -> tuple[Staged[S], Any]:
            scene, choice = self._view.keys.hinted(state.scene, asked, judgement)
            return state.to(scene), choice

        screen.answer(hinted)

    async def _follow(
        self, news: AsyncIterator[News], screen: OpenScreen[Staged[S], Any]
    ) -> None:
        async for piece in news:
            self._tell(screen, piece)
        screen.change(lambda state, _: leave_alone(state))

    def _tell(self, screen: OpenScreen[Staged[S], Any], piece: News) -> None:
        screen.answer(lambda state, now: self._view.hear(state, piece, now))
