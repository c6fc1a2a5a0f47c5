"""A game over a line: the one task that owns a chain, and what it tells and is told.

Frames, choices and changes of the line arrive in one inbox and are handled one by one; whoever
shows the game receives news. Checking and proving run in a thread, so that pings and the
screen go on.
"""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import trio

from matcha_p2p.books import Books
from matcha_p2p.chain import OUR_REACH, THEIR_REACH, Chain
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import (
    Check,
    EncodingError,
    IllegalMoveError,
    JournalError,
    ProtocolViolationError,
)
from matcha_p2p.line import Arrived, Line, LineDown, LineEnded, LineItem, LineQuiet, LineUp
from matcha_p2p.machine.table import Greeted
from matcha_p2p.news import (
    Choice,
    Concede,
    Declined,
    DiskFailed,
    Ending,
    Exposed,
    Finished,
    Front,
    Interrupted,
    Leave,
    LineChanged,
    MoveDue,
    TalkHeard,
    Terms,
    Violated,
    ending_of,
)
from matcha_p2p.player.reply import Offer
from matcha_p2p.rules.edition import EDITION_2015, EDITIONS, Edition
from matcha_p2p.rules.moves import Move
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.voice import Voice, in_thread
from matcha_p2p.wire.records import Abort, Expose, Resign
from matcha_p2p.wire.talk import Farewell, OfferOpenBook, Reach, Say, decode_talk

PARTING_LIMIT: Final = 10.0
"""Seconds to wait for the peer's last words once the game is over."""

Item: TypeAlias = LineItem | Choice | Reach


class Session:
    """One game, over whatever links the line is made of."""

    def __init__(self, line: Line, chain: Chain, terms: Terms, front: Front) -> None:
        self._line: Final = line
        self._chain: Final = chain
        self._terms: Final = terms
        self._front: Final = front
        self._voice: Final = Voice(line, chain, front.news)
        self._post, self._inbox = trio.open_memory_channel[Item](0)
        self._announced: int | None = None  # how far the peer's copy goes, once it has said so
        self._asked = -1  # how long the chain was when a decision was asked for
        self._chosen: tuple[int, Move] | None = None  # waits for the line, and so does the game
        self._books: Final = Books(chain, wanted=terms.open_book)

    async def run(self) -> Ending:
        """Play the game to its end, or until there will be no line any more."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._line.run, self._post.send)
            nursery.start_soon(self._relay)
            try:
                ending = await self._converse()
            except JournalError as error:
                ending = DiskFailed(str(error))
            nursery.cancel_scope.cancel()
        return ending

    async def met(self) -> None:
        """Wait until both seats have greeted each other."""
        await self._voice.met.wait()

    async def announce(self, reach: Reach) -> None:
        """Tell the peer, now and on every new link, where this seat can be reached."""
        await self._post.send(reach)

    async def _relay(self) -> None:
        """Put every choice of the front end into the inbox."""
        async for choice in self._front.choices:
            await self._post.send(choice)

    async def _converse(self) -> Ending:
        if self._chain.met:
            await self._voice.tell_taken_up()
        ending: Ending | None = None
        while ending is None:
            over = self._chain.finished
            ending = await (self._part() if over else self._handle(await self._inbox.receive()))
        return ending

    async def _handle(self, item: Item) -> Ending | None:
        """Deal with one thing that has arrived; return how the game ends if it does."""
        match item:
            case Arrived(binding, frame):
                return await self._hear(frame) if binding == self._voice.binding else None
            case LineUp() | LineQuiet() | LineDown() | LineEnded():
                return await self._line_changed(item)
            case Leave():
                await self._leave(lambda: self._voice.bye(Farewell.LATER))
                return Interrupted("You have left the game.")
            case Say():
                await self._voice.talk(item)
            case Reach():
                await in_thread(lambda: self._chain.note_reach(OUR_REACH, item))
                await self._voice.talk(item)
            case Concede():
                await self._concede()
            case _:
                await self._decide(item)
        return None

    async def _line_changed(
        self, item: LineUp | LineQuiet | LineDown | LineEnded
    ) -> Ending | None:
        match item:
            case LineUp(binding):
                await self._line_up(binding)
            case LineQuiet():
                pass
            case LineDown(why):
                self._voice.binding, self._announced = b"", None
                if not self._chain.met:
                    return Interrupted(why)
            case LineEnded(why):
                return Interrupted(why)
        if self._chain.met:
            await self._voice.tell(LineChanged(item))
        return None

    async def _line_up(self, binding: bytes) -> None:
        """Begin on a new link: with the greetings, or by comparing chains."""
        self._voice.binding = binding
        if self._chain.met:
            self._announced = None
            sync = await in_thread(lambda: self._chain.sync(binding))
            await self._voice.send(Kind.SYNC, sync)
            if OUR_REACH in self._chain.reaches:
                await self._voice.talk(self._chain.reaches[OUR_REACH])
            return
        self._announced = 0
        if self._chain.seat == 0:
            await self._greet()

    async def _hear(self, frame: Frame) -> Ending | None:
        match frame.kind:
            case Kind.MSG:
                return await self._hear_entry(frame)
            case Kind.REC:
                return await self._hear_record(frame)
            case Kind.SYNC:
                return await self._hear_sync(frame)
            case Kind.BYE:
                return ending_of(frame.payload)
            case Kind.CHAT:
                await self._hear_talk(frame.payload)
            case Kind.PING:
                pass
        return None

    async def _hear_entry(self, frame: Frame) -> Ending | None:
        try:
            events = await in_thread(lambda: self._chain.hear(frame.payload))
        except ProtocolViolationError as error:
            return await self._refuse(error, frame)
        unwanted = await self._unwanted()
        if unwanted is not None:
            return unwanted
        await self._voice.tell_events(events)
        if not self._chain.met:
            await self._greet()
        await self._carry_on()
        return None

    async def _hear_sync(self, frame: Frame) -> Ending | None:
        """Give the peer what it lacks; what we lack it gives us (SPEC#resume)."""
        if not self._chain.met:
            return None
        binding = self._voice.binding
        try:
            told = await in_thread(lambda: self._chain.hear_sync(frame.payload, binding))
        except ProtocolViolationError as error:
            return await self._refuse(error, frame)
        for entry in told.entries:
            await self._voice.send(Kind.MSG, entry)
        for record in told.records:
            await self._voice.send(Kind.REC, record)
        self._announced = told.length
        await self._carry_on()
        return None

    async def _unwanted(self) -> Declined | None:
        """Decline a game of another edition than the one this seat asked for."""
        match self._chain.state, self._terms.edition:
            case Greeted(hello=hello), Edition(name=wanted) if hello.edition != wanted:
                await self._leave(lambda: self._voice.bye(Farewell.EDITION))
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
                edition = self._terms.edition or EDITION_2015
        offer = Offer(edition, self._terms.name)
        await self._voice.say(await in_thread(lambda: self._chain.greet(offer)))

    @property
    def _may_author(self) -> bool:
        """Whether this seat may sign something new.

        Not before the peer's SYNC is handled and its length reached: until then the peer may
        hold entries of ours that we have lost, and another one in their place would be a fork.
        """
        return self._announced is not None and len(self._chain.entries) >= self._announced

    async def _carry_on(self) -> None:
        """Say what follows by itself, and ask for a decision if one is due."""
        if not self._may_author:
            return
        said = await in_thread(self._chain.follow)
        if said is not None:
            await self._voice.say(said)
        observation = await in_thread(self._chain.observation)
        if observation is None:
            return
        length = len(self._chain.entries)
        match observation.legal_moves(), self._chosen:
            case (only,), _:
                await self._decide(only)  # there is nothing to decide (R17)
            case _, (when, move) if when == length:
                await self._decide(move)
            case _ if self._asked != length:
                self._asked = length
                await self._voice.tell(MoveDue(observation))
            case _:
                pass

    async def _decide(self, move: Move) -> None:
        if not self._may_author:
            self._chosen = (len(self._chain.entries), move)
            return
        self._chosen = None
        try:
            said = await in_thread(lambda: self._chain.decide(move))
        except IllegalMoveError:
            self._asked = -1
        else:
            await self._voice.say(said)
        await self._carry_on()

    async def _concede(self) -> None:
        """Give up the game; before it has begun, or once it is decided, there is none."""
        if not self._chain.met or self._chain.ended is not None:
            return
        await self._voice.declare(Resign())
        await self._voice.tell_end()

    async def _hear_record(self, frame: Frame) -> Ending | None:
        known = len(self._chain.records)
        try:
            record = await in_thread(lambda: self._chain.hear_record(frame.payload))
        except ProtocolViolationError as error:
            return await self._refuse(error, frame)
        if len(self._chain.records) == known:
            return None  # said again after a SYNC
        match record.statement:
            case Resign():
                await self._voice.tell_end()
            case Abort(code):
                return Interrupted(
                    "The other side has stopped the game: it says that an entry of yours "
                    f"fails check {code}. The game is saved as it stands. [peer-aborted]"
                )
            case Expose():
                await self._voice.tell(Exposed(record.seat))
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
                await self._voice.tell(TalkHeard(text))
            case OfferOpenBook():
                self._books.offered = True
            case Reach():
                await in_thread(lambda: self._chain.note_reach(THEIR_REACH, talk))

    async def _refuse(self, violation: ProtocolViolationError, offence: Frame) -> Ending:
        """Stop at the first wrong entry, and say so; nothing after it is worth a look."""
        if violation.check in (Check.VERSION, Check.RULES):
            await self._leave(lambda: self._voice.bye(Farewell.VERSION))
            return Declined(
                Farewell.VERSION,
                f"You and the other side cannot play together: {violation}. [version]",
            )
        if self._chain.met:
            abort = Abort(violation.check.value, H("msg", offence.payload))
            await self._leave(lambda: self._voice.declare(abort))
        return Violated(violation, offence)

    async def _leave(self, say: Callable[[], Awaitable[None]]) -> None:
        """Say the last thing, and wait until the peer has hung up.

        A connection closed while something is still to be read loses what was sent last.
        """
        with trio.move_on_after(PARTING_LIMIT):
            await say()
            while self._voice.binding:
                match await self._inbox.receive():
                    case LineDown() | LineEnded() | LineUp():
                        return
                    case _:
                        pass

    async def _part(self) -> Finished | None:
        """Make the end durable, open the books if both want to, and see the peer off.

        None if it was no end: an entry that crossed our resignation has decided the game.
        """
        await in_thread(self._chain.settle)
        seen_off = False
        with trio.move_on_after(PARTING_LIMIT):
            seen_off = await self._last_words()
        await in_thread(self._chain.settle)
        ended = self._chain.ended
        return Finished(ended, seen_off) if ended and self._chain.finished else None

    async def _last_words(self) -> bool:
        """Exchange keys if both offer to, the loser first, and then say goodbye both ways.

        Tell whether the peer has said that it is done, and so has all of the game.
        """
        if self._announced is not None:
            await self._begin_parting()
        while self._chain.finished:
            match await self._inbox.receive():
                case Arrived(binding, frame) if binding == self._voice.binding:
                    if frame.kind is Kind.BYE:
                        return await self._bye(frame.payload)
                    await self._hear_last(frame)
                case LineUp(binding):
                    await self._line_up(binding)
                case LineDown():
                    self._voice.binding, self._announced = b"", None
                case LineEnded():
                    return False
                case _:
                    pass
        return False

    async def _bye(self, farewell: bytes) -> bool:
        """Answer the peer's goodbye; tell whether it lacks nothing."""
        if self._books.wanted:
            await self._voice.bye(Farewell.DONE)
        return ending_of(farewell) is None

    async def _hear_last(self, frame: Frame) -> None:
        """Deal with a frame that comes after the end.

        An entry then counts only where it has crossed a resignation: it may decide the game.
        """
        if frame.kind is not Kind.MSG or self._chain.resigned is not None:
            await self._hear(frame)
        if frame.kind in (Kind.SYNC, Kind.MSG) and self._chain.finished:
            await self._begin_parting()  # only now has the peer been sent all that it lacks
        if self._books.due:
            await self._voice.expose()
        if self._books.open:
            await self._voice.bye(Farewell.DONE)

    async def _begin_parting(self) -> None:
        wanted = self._books.wanted
        await (self._voice.talk(OfferOpenBook()) if wanted else self._voice.bye(Farewell.DONE))
