"""A game over a link: the one task that owns a chain, and what it tells and is told.

Frames, choices and the end of the line arrive in one inbox and are handled one by one; whoever
shows the game receives news. Checking and proving run in a thread, so that pings and the
screen go on.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar, assert_never

import trio

from matcha_p2p.chain import Chain, Said
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import (
    Check,
    EncodingError,
    IllegalMoveError,
    JournalError,
    LinkError,
    ProtocolViolationError,
)
from matcha_p2p.machine.events import Event, HandsDealt
from matcha_p2p.machine.table import Greeted
from matcha_p2p.news import (
    Choice,
    Concede,
    Declined,
    DiskFailed,
    Ending,
    Exposed,
    Finished,
    HandSeen,
    Interrupted,
    Leave,
    MoveDue,
    News,
    TalkHeard,
    Told,
    Violated,
)
from matcha_p2p.player.reply import Offer
from matcha_p2p.rules.edition import EDITIONS, Edition
from matcha_p2p.rules.moves import Move
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.records import Abort, Expose, Resign
from matcha_p2p.wire.talk import (
    Farewell,
    OfferOpenBook,
    Say,
    decode_farewell,
    decode_talk,
    encode_farewell,
    encode_talk,
)

PING_EVERY: Final = 2.0
SILENCE_LIMIT: Final = 45.0
"""Seconds without a frame after which the line counts as lost."""

PARTING_LIMIT: Final = 10.0
"""Seconds to wait for the peer's last words once the game is over."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Terms:
    """What this seat wants. edition: None to play what the other seat offers (seat 1 only).

    open_book: after the game expose the key if the peer does.
    """

    name: str
    edition: Edition | None
    open_book: bool


@dataclass(frozen=True, slots=True)
class Front:
    """Whoever shows the game: news go out, choices come in."""

    news: trio.MemorySendChannel[News]
    choices: trio.MemoryReceiveChannel[Choice]


@dataclass(frozen=True, slots=True)
class LineLost:
    """The link has ended. why: a sentence."""

    why: str


Item: TypeAlias = Frame | Choice | LineLost


class Session:
    """One game over one link."""

    def __init__(self, link: Link, chain: Chain, terms: Terms, front: Front) -> None:
        self._link: Final = link
        self._chain: Final = chain
        self._terms: Final = terms
        self._front: Final = front
        self._book_offered = False
        self._post, self._inbox = trio.open_memory_channel[Item](0)

    async def run(self) -> Ending:
        """Play the game to its end, or to the end of the line."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._receive)
            nursery.start_soon(self._relay)
            nursery.start_soon(self._ping)
            try:
                ending = await self._converse()
            except LinkError as error:
                ending = Interrupted(str(error))
            except JournalError as error:
                ending = DiskFailed(str(error))
            nursery.cancel_scope.cancel()
        return ending

    async def _receive(self) -> None:
        """Put every frame into the inbox, and at last why there are no more."""
        while True:
            try:
                with trio.fail_after(SILENCE_LIMIT):
                    frame = await self._link.receive()
            except trio.TooSlowError:
                await self._post.send(LineLost(f"Nothing has come for {SILENCE_LIMIT:.0f} s."))
                return
            except (LinkError, EncodingError) as error:
                await self._post.send(LineLost(str(error)))
                return
            await self._post.send(frame)

    async def _relay(self) -> None:
        """Put every choice of the front end into the inbox."""
        async for choice in self._front.choices:
            await self._post.send(choice)

    async def _ping(self) -> None:
        """Show the peer that we are there."""
        while True:
            try:
                await self._link.send(Frame(Kind.PING))
            except LinkError:
                return  # whoever receives will say so
            await trio.sleep(PING_EVERY)

    async def _converse(self) -> Ending:
        if self._chain.seat == 0:
            await self._greet()
        async for item in self._inbox:
            ending = await self._handle(item)
            if ending is not None:
                return ending
            if self._chain.finished:
                return await self._part()
        raise RuntimeError("the inbox ends with the session only")

    async def _handle(self, item: Item) -> Ending | None:
        """Deal with one thing that has arrived; return how the game ends if it does."""
        match item:
            case Frame(Kind.MSG):
                return await self._hear_entry(item)
            case Frame(Kind.REC):
                return await self._hear_record(item)
            case Frame(Kind.BYE, payload):
                return self._hear_farewell(payload)
            case Frame(Kind.CHAT, payload):
                await self._hear_talk(payload)
            case Frame():
                pass
            case LineLost(why):
                return Interrupted(why)
            case Leave():
                await self._leave(Frame(Kind.BYE, encode_farewell(Farewell.LATER)))
                return Interrupted("You have left the game.")
            case Say():
                await self._link.send(Frame(Kind.CHAT, encode_talk(item)))
            case Concede():
                await self._concede()
            case _:
                await self._decide(item)
        return None

    async def _hear_entry(self, frame: Frame) -> Ending | None:
        met = self._chain.met
        try:
            events = await _in_thread(lambda: self._chain.hear(frame.payload))
        except ProtocolViolationError as error:
            return await self._refuse(error, frame)
        unwanted = await self._unwanted()
        if unwanted is not None:
            return unwanted
        await self._tell(events)
        if not met and not self._chain.met:
            await self._greet()
        await self._carry_on()
        return None

    async def _unwanted(self) -> Declined | None:
        """Decline a game of another edition than the one this seat asked for."""
        match self._chain.state, self._terms.edition:
            case Greeted(hello=hello), Edition(name=wanted) if hello.edition != wanted:
                await self._leave(Frame(Kind.BYE, encode_farewell(Farewell.EDITION)))
                return Declined(
                    Farewell.EDITION,
                    f"{hello.name} offers a game of the {hello.edition} edition, and you asked "
                    f"for {wanted}. Agree on one, or leave --edition out. [edition]",
                )
            case _:
                return None

    async def _greet(self) -> None:
        match self._chain.state:
            case Greeted(hello=hello):
                edition = EDITIONS[hello.edition]
            case _:
                edition = self._terms.edition or EDITIONS["2015"]
        offer = Offer(edition, self._terms.name)
        await self._say(await _in_thread(lambda: self._chain.greet(offer)))

    async def _carry_on(self) -> None:
        """Say what follows by itself, and ask for a decision if one is due."""
        said = await _in_thread(self._chain.follow)
        if said is not None:
            await self._say(said)
        observation = await _in_thread(self._chain.observation)
        if observation is None:
            return
        match observation.legal_moves():
            case (only,):
                await self._decide(only)  # there is nothing to decide (R17)
            case _:
                await self._front.news.send(MoveDue(observation))

    async def _decide(self, move: Move) -> None:
        try:
            said = await _in_thread(lambda: self._chain.decide(move))
        except IllegalMoveError:
            observation = await _in_thread(self._chain.observation)
            if observation is not None:
                await self._front.news.send(MoveDue(observation))
            return
        await self._say(said)
        await self._carry_on()

    async def _say(self, said: Said) -> None:
        await self._link.send(Frame(Kind.MSG, said.encoded))
        await self._tell(said.events)

    async def _tell(self, events: tuple[Event, ...]) -> None:
        for event in events:
            await self._front.news.send(Told(event, self._chain.table.game))
            if isinstance(event, HandsDealt):
                observation = await _in_thread(self._chain.look)
                await self._front.news.send(HandSeen(observation.hand))

    async def _concede(self) -> None:
        """Give up the game; before it has begun, or once it is decided, there is none."""
        if not self._chain.met or self._chain.ended is not None:
            return
        said = await _in_thread(lambda: self._chain.declare(Resign()))
        await self._link.send(Frame(Kind.REC, said.encoded))
        await self._tell_end()

    async def _tell_end(self) -> None:
        """Tell of an end that no entry has told of."""
        ended = self._chain.ended
        if ended is not None:
            await self._tell((ended,))

    async def _hear_record(self, frame: Frame) -> Ending | None:
        try:
            record = await _in_thread(lambda: self._chain.hear_record(frame.payload))
        except ProtocolViolationError as error:
            return await self._refuse(error, frame)
        match record.statement:
            case Resign():
                await self._tell_end()
            case Abort(code):
                return Interrupted(
                    "The other side has stopped the game: it says that an entry of yours "
                    f"fails check {code}. The game is saved as it stands. [peer-aborted]"
                )
            case Expose():
                await self._front.news.send(Exposed(record.seat))
            case _:
                pass
        return None

    async def _hear_talk(self, payload: bytes) -> None:
        try:
            talk = decode_talk(payload)
        except EncodingError:
            return  # talk is no part of the game: what cannot be read is not shown
        match talk:
            case Say(text):
                await self._front.news.send(TalkHeard(text))
            case OfferOpenBook():
                self._book_offered = True

    def _hear_farewell(self, payload: bytes) -> Ending:
        try:
            farewell = decode_farewell(payload)
        except EncodingError:
            farewell = Farewell.LATER
        match farewell:
            case Farewell.EDITION:
                return Declined(farewell, "The guest wants to play another edition. [edition]")
            case Farewell.VERSION:
                return Declined(
                    farewell,
                    "The other side speaks another version of the protocol. One of you has to "
                    "update: pipx upgrade matcha-p2p [version]",
                )
            case Farewell.LATER | Farewell.DONE:
                return Interrupted("The other player has left the game.")
            case _:
                assert_never(farewell)

    async def _refuse(self, violation: ProtocolViolationError, offence: Frame) -> Ending:
        """Stop at the first wrong entry, and say so; nothing after it is worth a look."""
        if violation.check in (Check.VERSION, Check.RULES):
            await self._leave(Frame(Kind.BYE, encode_farewell(Farewell.VERSION)))
            return Declined(
                Farewell.VERSION,
                f"You and the other side cannot play together: {violation}. [version]",
            )
        if self._chain.met:
            abort = Abort(violation.check.value, H("msg", offence.payload))
            said = await _in_thread(lambda: self._chain.declare(abort))
            await self._leave(Frame(Kind.REC, said.encoded))
        return Violated(violation, offence)

    async def _leave(self, last: Frame) -> None:
        """Send ``last`` and wait until the peer has hung up.

        A connection closed while something is still to be read loses what was sent last.
        """
        with trio.move_on_after(PARTING_LIMIT), suppress(LinkError):
            await self._link.send(last)
            async for item in self._inbox:
                if isinstance(item, LineLost):
                    return

    async def _bye(self) -> None:
        await self._link.send(Frame(Kind.BYE, encode_farewell(Farewell.DONE)))

    async def _part(self) -> Ending:
        """Make the end durable, open the books if both want to, and see the peer off."""
        await _in_thread(self._chain.settle)
        ended = self._chain.ended
        if ended is None:
            raise RuntimeError("a finished game has ended somehow")
        try:
            with trio.move_on_after(PARTING_LIMIT):
                await self._last_words()
            await _in_thread(self._chain.settle)
        except LinkError:
            pass  # the game is over; what is left is courtesy
        return Finished(ended)

    async def _last_words(self) -> None:
        """Exchange keys if both offer to, the loser first, and then say goodbye both ways."""
        if self._terms.open_book:
            await self._link.send(Frame(Kind.CHAT, encode_talk(OfferOpenBook())))
        else:
            await self._bye()
        async for item in self._inbox:
            match item:
                case LineLost():
                    return
                case Frame(Kind.BYE):
                    break
                case Frame(Kind.CHAT, payload):
                    await self._hear_talk(payload)
                case Frame(Kind.REC):
                    await self._hear_record(item)
                case _:
                    continue  # whatever crossed the end of the game is void
            if self._terms.open_book and self._book_offered and await self._expose():
                await self._bye()
        if self._terms.open_book:
            await self._bye()

    async def _expose(self) -> bool:
        """Expose the key when it is this seat's turn to; tell whether both have now."""
        exposed = self._chain.exposed
        if self._chain.seat not in exposed and (self._goes_first() or exposed):
            secret = Expose(self._chain.game_key)
            said = await _in_thread(lambda: self._chain.declare(secret))
            await self._link.send(Frame(Kind.REC, said.encoded))
            await self._front.news.send(Exposed(self._chain.seat))
        return len(self._chain.exposed) == 2

    def _goes_first(self) -> bool:
        """Tell whether this seat shows its cards first: the loser, in a draw seat 0."""
        ended = self._chain.ended
        winner = None if ended is None else ended.ended.winner
        return self._chain.seat == (0 if winner is None else 1 - winner)


async def _in_thread(work: Callable[[], T]) -> T:
    """Run what blocks or computes where it holds up nobody."""
    return await trio.to_thread.run_sync(work)
