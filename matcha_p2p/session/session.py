"""A game over a line: the one task that owns a chain, and what it tells and is told.

Frames, choices and changes of the line arrive in one inbox and are handled one by one; whoever
shows the game receives news. Checking and proving run in a thread, so that pings and the
screen go on.
"""

from collections.abc import Awaitable, Callable
from typing import Final

import trio

from matcha_p2p.afterwards import PARTING_LIMIT, Afterwards
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import (
    Check,
    EncodingError,
    IllegalMoveError,
    JournalError,
    ProtocolViolationError,
)
from matcha_p2p.machine.opening import draws_dealer
from matcha_p2p.machine.table import Greeted
from matcha_p2p.player.reply import Offer
from matcha_p2p.rules.edition import EDITION_2015, EDITIONS, Edition
from matcha_p2p.rules.moves import Move
from matcha_p2p.session.chain import OUR_REACH, THEIR_REACH, Chain
from matcha_p2p.session.line import (
    Arrived,
    Line,
    LineChange,
    LineDialled,
    LineDown,
    LineEnded,
    LineQuiet,
    LineUp,
)
from matcha_p2p.session.news import (
    ABORTED,
    INCOMPATIBLE,
    LEFT,
    OTHER_DEALER,
    UNWANTED,
    YOU_LEFT,
    Concede,
    Declined,
    DiskFailed,
    Ending,
    Exposed,
    Front,
    Interrupted,
    Item,
    Leave,
    LineChanged,
    MoveDue,
    Propose,
    Terms,
    Violated,
    ending_of,
)
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.voice import Voice, in_thread
from matcha_p2p.wire.records import Abort, Expose, Resign
from matcha_p2p.wire.talk import Farewell, Phrase, Proposal, Reach, Say, decode_talk


class Session:
    """One game, over whatever links the line is made of."""

    def __init__(
        self, line: Line, chain: Chain, terms: Terms, front: Front, link: bytes = b""
    ) -> None:
        self._chain: Final = chain
        self._terms: Final = terms
        self._inbox: Final = front.inbox
        self._link: Final = link
        self._voice: Final = Voice(line, chain, front.news)
        self._afterwards: Final = Afterwards(chain, self._voice, terms)
        self._announced: int | None = None  # how far the peer's copy goes, once it has said so
        self._asked = -1  # how long the chain was when a decision was asked for
        self._chosen: tuple[int, Move] | None = None  # waits for the line, and so does the game

    async def run(self) -> Ending:
        """Play the game to its end, or until there will be no line any more."""
        try:
            if self._chain.met:
                await self._voice.tell_taken_up()
            if self._link:
                await self._line_up(self._link)
            return await self._converse()
        except JournalError as error:
            return DiskFailed(str(error))

    async def met(self) -> None:
        """Wait until both seats have greeted each other."""
        await self._voice.met.wait()

    async def announce(self, reach: Reach) -> None:
        """Tell the peer, now and on every new link, where this seat can be reached."""
        await self._inbox.post(reach)

    async def dialled(self, tries: int) -> None:
        """Tell how often the peer has been dialled, while there is no link."""
        await self._inbox.post(LineDialled(tries))

    async def _converse(self) -> Ending:
        """Take one thing after another, until nothing more is awaited."""
        while True:
            ending: Ending | None = None
            late = False
            self._afterwards.be_patient()
            await self._go_on()
            while ending is None and not late and not self._afterwards.over:
                item = await self._next()
                late = item is None
                if item is not None:
                    ending = await self._handle(item)
                    await self._go_on()
            await in_thread(self._chain.settle)
            if not self._chain.finished:
                if late:
                    ending = await self._handle(Leave())
                if ending is not None:
                    return ending
            elif not late or self._afterwards.give_up():
                return self._afterwards.ending()

    async def _next(self) -> Item | None:
        """Take what arrives next; None if the peer takes too long over its goodbye.

        Only waiting is cut short: what has been heard is also told.
        """
        with trio.move_on_at(self._afterwards.until):
            return await self._inbox.take()
        return None

    async def _go_on(self) -> None:
        """Once the game is over, do what is due then."""
        if self._chain.finished:
            await self._afterwards.go_on(level=self._announced is not None)

    async def _handle(self, item: Item) -> Ending | None:
        """Deal with one thing that has arrived; return how the game ends if it does."""
        match item:
            case Arrived(binding, frame):
                return await self._hear(frame) if binding == self._voice.binding else None
            case LineUp() | LineQuiet() | LineDown() | LineDialled() | LineEnded():
                return await self._line_changed(item)
            case Leave() if self._chain.finished or self._signing:
                self._afterwards.leave()
            case Propose(proposal):
                if self._chain.finished:
                    self._afterwards.propose(proposal)
            case Leave():
                await self._leave(lambda: self._voice.bye(Farewell.LATER))
                return Interrupted(YOU_LEFT())
            case Say() | Phrase():
                await self._voice.talk(item)
            case Reach():
                await in_thread(lambda: self._chain.note_reach(OUR_REACH, item))
                await self._voice.talk(item)
            case Concede():
                await self._concede()
            case _:
                await self._decide(item)
        return None

    async def _line_changed(self, item: LineChange) -> Ending | None:
        match item:
            case LineUp() if self._voice.binding and not self._chain.met:
                return Interrupted(LEFT())
            case LineUp(binding):
                self._afterwards.line_changed()
                await self._line_up(binding)
            case LineDialled() if self._voice.binding:
                return None  # beside a link that is quiet; silence is what is told then
            case LineQuiet() | LineDialled():
                pass
            case LineDown(why):
                self._voice.binding, self._announced = b"", None
                self._afterwards.line_changed()
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
                return await self._hear_bye(frame.payload)
            case Kind.CHAT:
                await self._hear_talk(frame.payload)
            case Kind.PING:
                pass
        return None

    async def _hear_bye(self, farewell: bytes) -> Ending | None:
        if self._chain.finished:
            await self._afterwards.hear_bye(farewell)
            return None
        gone = None if self._chain.met else Interrupted(LEFT())
        return ending_of(farewell) or gone

    async def _hear_entry(self, frame: Frame) -> Ending | None:
        if self._chain.finished and self._chain.resigned is None:
            return None  # said again
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
        self._afterwards.say_again()
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
        self._afterwards.say_again()
        return None

    async def _unwanted(self) -> Declined | None:
        """Decline a game of another edition than the one this seat asked for."""
        match self._chain.state, self._terms.edition:
            case Greeted(hello=hello), Edition(name=wanted) if hello.edition != wanted:
                await self._leave(lambda: self._voice.bye(Farewell.EDITION))
                return Declined(
                    Farewell.EDITION,
                    UNWANTED(name=hello.name, edition=hello.edition, wanted=wanted),
                )
            case Greeted(hello=hello), _ if draws_dealer(hello) != self._terms.drawn:
                await self._leave(lambda: self._voice.bye(Farewell.EDITION))
                return Declined(Farewell.EDITION, OTHER_DEALER(name=hello.name))
            case _:
                return None

    async def _greet(self) -> None:
        match self._chain.state:
            case Greeted(hello=hello):
                edition = EDITIONS[hello.edition]
            case _:
                edition = self._terms.edition or EDITION_2015
        offer = Offer(edition, self._terms.name, drawn=self._terms.drawn)
        await self._voice.say(await in_thread(lambda: self._chain.greet(offer)))

    @property
    def _may_author(self) -> bool:
        """Whether this seat may sign something new.

        Not before the peer's SYNC is handled and its length reached: until then the peer may
        hold entries of ours that we have lost, and another one in their place would be a fork.
        """
        return self._announced is not None and len(self._chain.entries) >= self._announced

    @property
    def _signing(self) -> bool:
        """Whether the game is decided, and who leaves had better wait until both sign that."""
        decided = self._chain.ended is not None and not self._chain.finished
        return decided and bool(self._voice.binding) and not self._afterwards.leaving

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
        if not self._chain.met or self._chain.finished:
            return  # it was meant for the game before
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
        await self._voice.declare(Resign(), level=self._announced is not None)
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
            case Abort(code) if record.seat != self._chain.seat:
                return Interrupted(ABORTED(check=code))
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
            case Say() | Phrase():
                await self._voice.tell_talk(talk)
            case Proposal():
                if self._chain.finished:
                    await self._afterwards.hear(talk)
            case Reach():
                await in_thread(lambda: self._chain.note_reach(THEIR_REACH, talk))

    async def _refuse(self, violation: ProtocolViolationError, offence: Frame) -> Ending:
        """Stop at the first wrong entry, and say so; nothing after it is worth a look."""
        if violation.check in (Check.VERSION, Check.RULES):
            await self._leave(lambda: self._voice.bye(Farewell.VERSION))
            return Declined(Farewell.VERSION, INCOMPATIBLE())
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
                match await self._inbox.take():
                    case LineDown() | LineEnded() | LineUp():
                        return
                    case _:
                        pass
