"""Verifies a finished game for the player, and finds cards never turned up."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.games import game_of
from matcha_p2p.narration.news import Checked, Inform, News, Uncovered
from matcha_p2p.session.news import NextGame, Settled, TakenUp

if TYPE_CHECKING:
    from matcha_p2p.games.game import Unopened


class Reader:
    """Verifies one game, and again each time the transcript has grown."""

    def __init__(self) -> None:
        self._checked = False
        self._known: Final = set["Unopened"]()

    def read(self, transcript: bytes) -> tuple[News, ...]:
        """Verify ``transcript``; return the news.

        Verifying costs about as much as playing one seat.
        """
        # Imported late so that the screen is shown sooner: only the end of a game needs this
        # module.
        from matcha_p2p.chain.verify import verify_transcript

        report = verify_transcript(transcript)
        news: list[News] = []
        if not self._checked or report.failure is not None:
            self._checked = True
            news.append(Checked("" if report.failure is None else report.failure.sentence))
        if report.game is not None:
            export = game_of(report.game).export
            found = () if export is None else export.unopened_cards(report)
            cards = tuple(card for card in found if card not in self._known)
            self._known.update(cards)
            all_open = len(report.exposed) == len(report.accepted[-1].state.hellos)
            if cards or (all_open and not self._known):
                news.append(Uncovered(cards))
        return tuple(news)


class Announcer:
    """Passes news on to ``show``, and adds news from verifying finished games.

    nursery: where games are verified.
    """

    def __init__(self, nursery: trio.Nursery, show: Inform) -> None:
        self._nursery: Final = nursery
        self._show: Final = show
        self._reader = Reader()
        self._turn: Final = trio.Lock()
        self._readings = 0
        self._later: list[News] = []

    def tell(self, news: News) -> None:
        """Pass ``news`` on, and have each complete game verified.

        After a next game or an undo, further news wait until the game before is verified.
        """
        another = isinstance(news, NextGame | TakenUp)
        if self._later or (another and self._readings):
            self._later.append(news)
            return
        if another:
            self._reader = Reader()
        self._show(news)
        if isinstance(news, Settled):
            self._readings += 1
            self._nursery.start_soon(self._read, news.transcript)

    async def _read(self, transcript: bytes) -> None:
        async with self._turn:
            for news in await trio.to_thread.run_sync(self._reader.read, transcript):
                self._show(news)
        self._readings -= 1
        if self._readings == 0:
            later, self._later = self._later, []
            for news in later:
                self.tell(news)


@asynccontextmanager
async def announcing(show: Inform, *, attended: bool) -> AsyncGenerator[Inform]:
    """Yield a function that takes news; at the end wait until every game is verified.

    attended: whether a person plays the seat; a bot's games are not verified.
    """
    if not attended:
        yield show
        return
    async with trio.open_nursery() as nursery:
        yield Announcer(nursery, show).tell
