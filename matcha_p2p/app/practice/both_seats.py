"""A person plays a bot. Both seats are in one process and play the whole protocol.

Each seat has its own keys, journal and session, and between them is a real link, with TCP and
encryption. One process starts quicker than two, and a decision can be undone: both seats stop,
are rolled back together, and go on as after a crash.
"""

import math
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path
from secrets import token_bytes
from typing import Final, TypeAlias

import trio

from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.app.game.play import StoreEarlierGame
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.practice.undo import roll_back
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.narration.news import Decisions, Inform, News, TakeBack, Wish
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.reconnect import Place
from matcha_p2p.session.driver import meet
from matcha_p2p.session.news import (
    DiskFailed,
    Ending,
    Finished,
    Inbox,
    Leave,
    LineChanged,
    LineTimed,
    MakeMove,
    Propose,
    Terms,
)
from matcha_p2p.session.series import Series
from matcha_p2p.session.session import begin, take_up
from matcha_p2p.session.state import Over, Step, Tell
from matcha_p2p.session.storage.ledger import Ledger
from matcha_p2p.table.seat import SECRET_SIZE, Secrets
from matcha_p2p.transport.dial import dial
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import listen
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.talk import Proposal

PERSON: Final = Seat(0)
BOT: Final = Seat(1)
_HERE: Final = IPv4Address("127.0.0.1")
_HOSTS: Final = (str(_HERE),)
_PLACE: Final = Place((_HERE,), 0, _HOSTS)
_DIAL_LIMIT: Final = 12.0
_GOODBYE: Final = 1.0
"""Seconds that the bot's side has to finish after the person's."""

Links: TypeAlias = tuple[Link, Link]  # both ends of a link, by seat


class Practice:
    """The games of ``person`` against ``bot`` called ``name``, with their files in ``folder``.

    store: stores a game of the person that is followed by another one.
    """

    def __init__(
        self, person: Terms, bot: BotSeat, name: str, folder: Path, store: StoreEarlierGame
    ) -> None:
        bots = Terms(name, person.game, None, open_book=False, stays=True)
        self._terms: Final = (person, bots)
        self._bot: Final = bot
        self._store: Final = store
        self._folder: Final = folder
        self._decided: Final[list[int]] = []  # the height of each decision of the person
        self._returning = False
        self._inform: Inform = _tell_nobody
        self._inbox = Inbox()
        self._playing = trio.CancelScope()
        self.series: Final[list[Series]] = []  # by side, once they have met

    async def play(self, inform: Inform) -> Ending:
        """Play to the end, with every undo on the way."""
        self._inform = inform
        try:
            links, begun = await self._begin()
            while (ending := await self._go_on(links, begun, inform)) is None:
                links, begun = await self._go_back()
        finally:
            self._inform = _tell_nobody  # the person has left: nobody is there to be told
        return ending

    def choose(self, wish: Wish) -> None:
        """Pass on what the person chooses; stop the game when a decision is taken back.

        While the person is asked, nobody can sign anything: the length of the chain then is
        the place of the entry that the decision makes. A choice that the rules make (R17) is
        no decision.
        """
        match wish:
            case TakeBack() if self._decided and not self._returning:
                self._returning = True
                self._inform(Decisions(len(self._decided) - 1, returning=True))
                self._inbox = Inbox()
                self._playing.cancel()
                return
            case TakeBack():
                return
            case Propose(Proposal.REMATCH) | Leave():  # the bot agrees: the game stays so
                self._forget_decisions()
            case MakeMove():
                self._decided.append(len(self.series[PERSON].ledger.chain.entries))
                self._inform(Decisions(len(self._decided)))
            case _:
                pass
        self._inbox.put(wish)

    def _forget_decisions(self) -> None:
        self._decided.clear()
        self._inform(Decisions(0))

    def close(self) -> None:
        """Close both journals."""
        for side in self.series:
            side.ledger.close()

    async def _begin(self) -> tuple[Links, list[Step]]:
        """Let both seats greet each other; return how the game begins for each.

        Raises:
            CommandError: a journal cannot be made.
        """
        psk = Psk(token_bytes(SECRET_SIZE))
        links = await _connect(psk)
        stores = (self._store_person, self._store_bot)
        begun: list[Step] = []
        for seat in SEATS:
            secrets = Secrets(token_bytes(SECRET_SIZE), token_bytes(SECRET_SIZE))
            chain = Chain.begin(seat, secrets, links[seat].binding, psk)
            ledger = Ledger(self._journal(seat, 0), chain)
            self.series.append(Series(ledger, self._terms[seat], _PLACE, stores[seat]))
            start = partial(begin, chain, self._terms[seat], links[seat].binding)
            begun.append(await trio.to_thread.run_sync(start))

        async def greet(seat: Seat) -> None:
            state, told = await meet(begun[seat], self.series[seat].ledger, links[seat])
            if isinstance(state, Over):
                raise _failure(state.ending)
            begun[seat] = (state, tuple(map(Tell, told)))

        async with trio.open_nursery() as nursery:
            for seat in SEATS:
                nursery.start_soon(greet, seat)
        return links, begun

    def _journal(self, side: int, number: int) -> Path:
        return self._folder / f"{side}-{number}" / "journal"

    async def _store_person(self, ledger: Ledger, ending: Finished) -> Path:
        self._forget_decisions()
        await self._store(ledger, ending)
        return self._journal(PERSON, self.series[PERSON].earlier + 1)

    async def _store_bot(self, ledger: Ledger, _: Finished) -> Path:
        ledger.close()
        return self._journal(BOT, self.series[BOT].earlier + 1)

    async def _go_back(self) -> tuple[Links, list[Step]]:
        """Roll the game back to before the person's last decision.

        The bot may lack the last entries before that; the person's side sends them again.
        """
        height = self._decided.pop()
        begun: list[Step] = []
        for side, terms in zip(self.series, self._terms, strict=True):
            side.ledger.close()
            side.ledger = await trio.to_thread.run_sync(roll_back, side.ledger.path, height)
            begun.append(await trio.to_thread.run_sync(take_up, side.ledger.chain, terms))
        links = await _connect(self.series[PERSON].ledger.chain.resume_psk(BOT))
        return links, begun

    async def _go_on(self, links: Links, begun: list[Step], inform: Inform) -> Ending | None:
        """Let both seats play; return how the game ended, or None for an undo."""
        ending: Ending | None = None
        inbox, bot_done = self._inbox, trio.Event()

        def tell(news: News) -> None:
            if not isinstance(news, LineChanged | LineTimed):  # both ends are in this process
                inform(news)

        self._returning = False
        async with trio.open_nursery() as game:
            self._playing = game.cancel_scope
            game.start_soon(self._play_bot, begun[BOT], links[BOT], bot_done)
            person = self.series[PERSON]
            ending = await person.play(begun[PERSON], links[PERSON], tell, inbox)
            with trio.move_on_after(_GOODBYE):
                await bot_done.wait()
            game.cancel_scope.cancel()
        return None if self._returning else ending

    async def _play_bot(self, begun: Step, link: Link, done: trio.Event) -> None:
        """Play the other seat.

        Raises:
            CommandError: its journal cannot be written.
        """
        told, news = trio.open_memory_channel[News](math.inf)
        inbox = Inbox()
        async with trio.open_nursery() as nursery:
            side = self.series[BOT]
            nursery.start_soon(self._bot.play, side.ledger.chain.seat, news, inbox.put)
            async with told:
                ending = await side.play(begun, link, told.send_nowait, inbox)
        if isinstance(ending, DiskFailed):
            raise _failure(ending)
        done.set()


def _failure(ending: Ending) -> CommandError:
    """Return what to raise when a seat of practice fails."""
    why = ending.why if isinstance(ending, DiskFailed) else str(ending)
    return CommandError(Exit.UNREADABLE, "{why}", why=why)


async def _connect(psk: Psk) -> Links:
    """Return both ends of a new link over loopback."""
    listener = await listen(0, _HOSTS)
    accepted: list[Link] = []

    async def accept() -> None:
        accepted.append(await listener.accept(psk))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(accept)
        dialled = await dial((Endpoint(_HERE, listener.port),), psk, timeout=_DIAL_LIMIT)
    return accepted[0], dialled


def _tell_nobody(_: News) -> None:
    """Drop a piece of news: nobody is there to be told."""
