"""Verifies a finished game for the person who played it, and finds cards never turned up."""

from typing import Final

import trio

from matcha_p2p.app.output import Output
from matcha_p2p.narration.facts import FactTeller
from matcha_p2p.session.news import (
    Checked,
    News,
    NextGame,
    Settled,
    TakenUp,
    Uncovered,
    Unopened,
)


class Reader:
    """Verifies one game, again each time that its transcript has grown."""

    def __init__(self) -> None:
        self._checked = False
        self._known: Final = set[Unopened]()

    def read(self, transcript: bytes) -> tuple[News, ...]:
        """Return what is new. This takes about as long as playing one seat has taken."""
        # Imported here so that the screen is shown sooner: this is needed last.
        from matcha_p2p.review.export import unopened_cards
        from matcha_p2p.review.verify import verify_transcript

        report = verify_transcript(transcript)
        news: list[News] = []
        if not self._checked or report.failure is not None:
            self._checked = True
            news.append(Checked("" if report.failure is None else report.failure.sentence))
        cards = tuple(card for card in unopened_cards(report) if card not in self._known)
        self._known.update(cards)
        both = None not in report.exposed
        if cards or (both and not self._known):
            news.append(Uncovered(cards))
        return tuple(news)


async def look_over(
    teller: FactTeller,
    out: Output,
    news: trio.MemoryReceiveChannel[News],
    forward: trio.MemorySendChannel[News],
    *,
    attended: bool = False,
) -> None:
    """Pass ``news`` on and print them as facts; add the news of verifying games that are over.

    attended: whether a person plays the seat; a bot's games are not verified.
    """
    reader, reading = Reader(), trio.Lock()
    begun: list[trio.Event] = []

    async def tell(piece: News) -> None:
        event, fields = teller.tell(piece)
        out.fact(event, **fields)
        await forward.send(piece)

    async def read(transcript: bytes, done: trio.Event) -> None:
        async with reading:
            for piece in await trio.to_thread.run_sync(reader.read, transcript):
                await tell(piece)
        done.set()

    async with forward, trio.open_nursery() as nursery:
        async for piece in news:
            # First finish with the game before, or with this one as it was before an undo.
            if isinstance(piece, NextGame | TakenUp):
                for done in begun:
                    await done.wait()
                begun, reader = [], Reader()
            await tell(piece)
            if isinstance(piece, Settled) and attended:
                begun.append(trio.Event())
                nursery.start_soon(read, piece.transcript, begun[-1])
