"""What a person is told of a whole game: that it is sound, and what lay face down."""

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
    """Reads one game, again whenever its transcript has grown."""

    def __init__(self) -> None:
        self._checked = False
        self._known: Final = set[Unopened]()

    def read(self, transcript: bytes) -> tuple[News, ...]:
        """Return what is new; takes about as long as to have played one seat."""
        # Imported here, for this comes last: a screen is up before all that is loaded.
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
    """Pass ``news`` on, as facts too, and with them what is read from games that are over.

    attended: whether a person is there to be told that.
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
            # Of the game before, or as it was before a way back, all is told first.
            if isinstance(piece, NextGame | TakenUp):
                for done in begun:
                    await done.wait()
                begun, reader = [], Reader()
            await tell(piece)
            if isinstance(piece, Settled) and attended:
                begun.append(trio.Event())
                nursery.start_soon(read, piece.transcript, begun[-1])
