"""One game over one link, from the journal's first byte to the transcript."""

import math
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from secrets import token_bytes
from typing import Final, Protocol

import trio

from matcha_p2p.chain import THEIR_REACH, Chain
from matcha_p2p.cli.facts import FactTeller
from matcha_p2p.cli.home import Home
from matcha_p2p.cli.outcomes import (
    SIGNALLED,
    CommandError,
    NotBegunError,
    exit_of_ending,
)
from matcha_p2p.cli.output import Output
from matcha_p2p.errors import JournalError
from matcha_p2p.line import Line
from matcha_p2p.news import (
    Choice,
    Declined,
    DiskFailed,
    Ending,
    Finished,
    Front,
    Interrupted,
    Leave,
    News,
    Terms,
    Violated,
)
from matcha_p2p.player.secret import SECRET_SIZE, Secrets
from matcha_p2p.reunion import Place, Reunion
from matcha_p2p.rules.moves import Seat
from matcha_p2p.session import Session
from matcha_p2p.transcript.archive import encode_archive
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.talk import Reach

GRACE: Final = 3.0
"""Seconds for a goodbye when a signal stops us."""

_SIGNALS: Final = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


class Chooser(Protocol):
    """Who makes the choices of a seat: a person or a bot."""

    async def play(
        self,
        seat: Seat,
        news: trio.MemoryReceiveChannel[News],
        choices: trio.MemorySendChannel[Choice],
    ) -> None:
        """Follow ``news`` until they end, and send choices."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a player brings to the table. patience: seconds to wait for a peer that is lost."""

    terms: Terms
    chooser: Chooser
    home: Home
    out: Output
    patience: float = math.inf


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where this seat can be reached, and the peer, as far as that is known already."""

    place: Place
    peer: Reach | None = None


async def play(link: Link, seat: Seat, psk: bytes, meeting: Meeting, sitting: Sitting) -> int:
    """Play a new game that begins on ``link``, whose key is ``psk``; return the exit code.

    Raises:
        NotBegunError: it ended before both had greeted each other, and nothing is left of it.
        CommandError: it ended otherwise than by the rules; the sentence says what is left.
        JournalError, HomeError: the disk failed.
    """
    secrets = Secrets(token_bytes(SECRET_SIZE), token_bytes(SECRET_SIZE))
    path = sitting.home.new_journal()
    chain = await trio.to_thread.run_sync(Chain.create, path, seat, secrets, link.binding, psk)
    if meeting.peer is not None:
        await trio.to_thread.run_sync(chain.note_reach, THEIR_REACH, meeting.peer)
    return await go_on(chain, link, meeting.place, sitting)


async def go_on(chain: Chain, link: Link | None, place: Place, sitting: Sitting) -> int:
    """Play the game of ``chain`` to its end, on ``link`` and whatever links come after it.

    Store it, say how it ended, and return the exit code; raises as ``play`` does.
    """
    caught: list[int] = []
    ending: Ending = Interrupted("The game was stopped.")
    try:
        async with _heeding_signals(caught) as leave:
            ending = await _converse(chain, link, place, sitting, leave)
    finally:
        with suppress(JournalError):  # the peer would say it again
            chain.settle()
        chain.close()
    return await trio.to_thread.run_sync(_conclude, chain, sitting, ending, caught)


async def _converse(
    chain: Chain, link: Link | None, place: Place, sitting: Sitting, leave: trio.Event
) -> Ending:
    """Run the session, its front end and the search for the peer, until the game ends."""
    links, found = trio.open_memory_channel[Link](1)
    if link is not None:
        await links.send(link)
    told, news = trio.open_memory_channel[News](math.inf)
    forward, seen = trio.open_memory_channel[News](math.inf)
    chosen, choices = trio.open_memory_channel[Choice](math.inf)

    async def leave_when_told() -> None:
        await leave.wait()
        await chosen.send(Leave())

    line = Line(found)
    session = Session(line, chain, sitting.terms, Front(told, choices))
    reunion = Reunion(session, chain, line, place, sitting.patience)
    async with trio.open_nursery() as nursery:
        async with trio.open_nursery() as front:
            front.start_soon(_tell_facts, FactTeller(chain.seat), sitting.out, news, forward)
            front.start_soon(sitting.chooser.play, chain.seat, seen, chosen)
            async with told, trio.open_nursery() as game:
                game.start_soon(leave_when_told)
                game.start_soon(reunion.run, links)
                ending = await session.run()
                game.cancel_scope.cancel()
            # A screen may show the end until it is closed; a signal closes it too.
            nursery.start_soon(_cancel_when, leave, front.cancel_scope)
        nursery.cancel_scope.cancel()
    return ending


async def _cancel_when(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


async def _tell_facts(
    teller: FactTeller,
    out: Output,
    news: trio.MemoryReceiveChannel[News],
    forward: trio.MemorySendChannel[News],
) -> None:
    async with forward:
        async for piece in news:
            event, fields = teller.tell(piece)
            out.fact(event, **fields)
            await forward.send(piece)


@asynccontextmanager
async def _heeding_signals(caught: list[int]) -> AsyncGenerator[trio.Event]:
    """Set the event at the first signal, and cancel the body 3 s later or at the second."""
    leave = trio.Event()

    async def watch() -> None:
        with trio.open_signal_receiver(*_SIGNALS) as signals:
            async for number in signals:
                caught.append(number)
                if leave.is_set():
                    nursery.cancel_scope.cancel()
                leave.set()
                nursery.cancel_scope.deadline = trio.current_time() + GRACE

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        yield leave
        nursery.cancel_scope.cancel()


def _conclude(chain: Chain, sitting: Sitting, ending: Ending, caught: list[int]) -> int:
    """Leave on the disk what has to stay there, and say how the game ended."""
    code = exit_of_ending(ending, begun=chain.met)
    match ending:
        case Finished(seen_off=seen_off):
            _keep_game(chain, sitting, seen_off=seen_off)
            return code
        case DiskFailed(why):
            raise CommandError(code, why)
        case _ if not chain.met:
            sitting.home.forget(chain.path)
            if caught:
                raise CommandError(SIGNALLED + caught[0], "Stopped before the game began.")
            raise NotBegunError(code, _why_not_begun(ending))
        case Violated(violation, Frame(kind=Kind.SYNC)):  # is in no transcript
            why = f"The other side cannot go on with this game: {violation}."
            sitting.out.fact("interrupted", why=why, journal=str(chain.path))
            raise CommandError(code, f"{why} The game is saved. [peer-proof]")
        case Violated():
            raise CommandError(code, _keep_evidence(chain, sitting, ending))
        case Interrupted(why) | Declined(why=why):
            sitting.out.fact("interrupted", why=why, journal=str(chain.path))
            raise CommandError(
                SIGNALLED + caught[0] if caught else code,
                f"{why} The game is saved; go on with: matcha resume {chain.path.parent.name} "
                "[game-unfinished]",
            )


def _keep_game(chain: Chain, sitting: Sitting, *, seen_off: bool) -> None:
    """Store the game; if its last word is ours and may not have arrived, it can be resumed."""
    path = sitting.home.keep_transcript(chain.table.gid, chain.transcript())
    if seen_off or chain.last_word != chain.seat:
        sitting.home.forget(chain.path)
    else:
        sitting.out.say(
            "The other side may lack the last word of the game. If so, let both of you run: "
            f"matcha resume {chain.path.parent.name}"
        )
    sitting.out.fact("transcript", path=str(path))
    sitting.out.say(f"The game is kept, and anybody can check it: matcha verify {path}")


def _keep_evidence(chain: Chain, sitting: Sitting, ending: Violated) -> str:
    """Store the game with the offence in its place; return what to say."""
    violation = ending.violation
    entries = [entry.encoded for entry in chain.entries]
    records = [record.encoded for record in chain.records]
    if ending.offence.kind is Kind.REC:  # it came before our own record of it
        records.insert(violation.entry - len(entries), ending.offence.payload)
    else:
        entries.append(ending.offence.payload)
    evidence = encode_archive(entries, records)
    path = sitting.home.keep_evidence(chain.table.gid, evidence)
    sitting.home.forget(chain.path)
    sitting.out.fact(
        "evidence", path=str(path), check=violation.check.value, entry=violation.entry
    )
    if violation.seat == chain.seat:
        return (
            "Your own program has signed two different entries at one place of this game, as "
            "happens when its folder is restored from a backup. The game stops. Both are in "
            f"{path} - check it with matcha verify. [own-fork]"
        )
    name = chain.table.hellos[1 - chain.seat].name
    return (
        f"{name}'s program broke the protocol: {violation}, check {violation.check.value}. The "
        f"game stops, and nobody has won. Evidence: {path} - check it with matcha verify. "
        "[peer-proof]"
    )


def _why_not_begun(ending: Ending) -> str:
    match ending:
        case Declined(why=why):
            return why
        case Violated(violation):
            return (
                f"The other side broke the protocol before the game began: {violation}, check "
                f"{violation.check.value}. [peer-proof]"
            )
        case Interrupted(why):
            return f"{why} The game had not begun. [not-begun]"
        case Finished() | DiskFailed():
            raise RuntimeError("such a game has begun, or does not end here")
