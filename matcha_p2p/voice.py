"""What a session says: to the peer, over the one link it knows of, and to the front end."""

from collections.abc import Callable
from typing import Final, TypeVar

import trio

from matcha_p2p.machine.events import Event, HandsDealt
from matcha_p2p.session.chain import Chain, Said
from matcha_p2p.session.line import Line
from matcha_p2p.session.news import (
    Exposed,
    HandSeen,
    News,
    PhraseHeard,
    TakenUp,
    TalkHeard,
    Told,
)
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.records import Expose, Statement
from matcha_p2p.wire.talk import Farewell, Phrase, Say, Talk, encode_farewell, encode_talk

T = TypeVar("T")


class Voice:
    """Sends what the chain has made durable, and tells what came of it."""

    def __init__(self, line: Line, chain: Chain, news: trio.MemorySendChannel[News]) -> None:
        self._line: Final = line
        self._chain: Final = chain
        self._news: Final = news
        self.binding = b""
        """Names the link that counts; empty while there is none."""
        self.met: Final = trio.Event()
        """Set once both seats have greeted each other."""

    async def send(self, kind: Kind, payload: bytes) -> None:
        """Send over the link that the session knows of, never over a newer one unseen."""
        await self._line.send(self.binding, Frame(kind, payload))

    async def talk(self, talk: Talk) -> None:
        """Send what stays outside the game."""
        await self.send(Kind.CHAT, encode_talk(talk))

    async def bye(self, farewell: Farewell) -> None:
        """Say goodbye."""
        await self.send(Kind.BYE, encode_farewell(farewell))

    async def say(self, said: Said) -> None:
        """Send an entry, and tell of it."""
        await self.send(Kind.MSG, said.encoded)
        await self.tell_events(said.events)

    async def declare(self, statement: Statement, *, level: bool = True) -> None:
        """Make a record, and send it.

        level: whether the peer has been sent all entries. If not, it may lack the one that the
        record names; then it is given the record after them, when its SYNC has come.
        """
        said = await in_thread(lambda: self._chain.declare(statement))
        if level:
            await self.send(Kind.REC, said.encoded)

    async def expose(self) -> None:
        """Open our book."""
        await self.declare(Expose(self._chain.game_key))
        await self.tell(Exposed(self._chain.seat))

    async def tell(self, news: News) -> None:
        """Give ``news`` to the front end."""
        await self._news.send(news)

    async def tell_talk(self, said: Say | Phrase) -> None:
        """Tell what the peer says."""
        match said:
            case Say(text):
                await self.tell(TalkHeard(text))
            case Phrase(number):
                await self.tell(PhraseHeard(number))

    async def tell_events(self, events: tuple[Event, ...]) -> None:
        """Tell of ``events``, and of our hand when it is dealt."""
        if self._chain.met:
            self.met.set()
        for event in events:
            await self.tell(Told(event, self._chain.table.game))
            if isinstance(event, HandsDealt):
                await self.tell(HandSeen(await in_thread(self._chain.own_hand)))

    async def tell_end(self) -> None:
        """Tell of an end that no entry has told of."""
        ended = self._chain.ended
        if ended is not None:
            await self.tell_events((ended,))

    async def tell_taken_up(self) -> None:
        """Tell of a game that goes on where its journal ends."""
        self.met.set()
        hand = await in_thread(self._chain.own_hand)
        table = self._chain.table
        names = (table.hellos[0].name, table.hellos[1].name)
        await self.tell(TakenUp(table.game, names, hand))
        await self.tell_end()


async def in_thread(work: Callable[[], T]) -> T:
    """Run what blocks or computes where it holds up nobody."""
    return await trio.to_thread.run_sync(work)
