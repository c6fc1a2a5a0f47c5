"""One game over one link, from the journal's first byte to the transcript."""

import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import Final, TypeAlias

import trio

from matcha_p2p.cli.attending import Sitting, attend
from matcha_p2p.cli.outcomes import (
    SIGNALLED,
    CommandError,
    Exit,
    NotBegunError,
    exit_of_ending,
)
from matcha_p2p.console.breaches import BREACHES
from matcha_p2p.errors import HomeError, JournalError
from matcha_p2p.language import Sentence
from matcha_p2p.machine.table import SEATS
from matcha_p2p.player.secret import SECRET_SIZE, Secrets
from matcha_p2p.rules.moves import Seat
from matcha_p2p.session.chain import THEIR_REACH, Chain
from matcha_p2p.session.news import (
    Choice,
    Declined,
    DiskFailed,
    Ending,
    Finished,
    Interrupted,
    News,
    TakeBack,
    Violated,
    Wish,
)
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.series import Seating, Series
from matcha_p2p.transcript.archive import encode_archive
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.records import Resign
from matcha_p2p.wire.talk import Reach

_KEPT: Final = Sentence("The game is kept, and anybody can check it: matcha verify {path}")
_LAST_WORD: Final = Sentence(
    "The other side may lack the last word of the game. If so, let both of you run: matcha "
    "resume {game}"
)
_CANNOT_GO_ON: Final = Sentence("The other side cannot go on with this game: {breach}.")
_OWN_FORK: Final = Sentence(
    "Your own program has signed two different entries at one place of this game, as happens "
    "when its folder is restored from a backup. The game stops. Both are in {path} - check it "
    "with matcha verify. [own-fork]"
)
_BROKEN: Final = Sentence(
    "{name}'s program broke the protocol: {breach}, check {check}. The game stops, and nobody "
    "has won. Evidence: {path} - check it with matcha verify. [peer-proof]"
)
_BROKEN_BEFORE: Final = Sentence(
    "The other side broke the protocol before the game began: {breach}, check {check}. "
    "[peer-proof]"
)
_NOT_BEGUN: Final = Sentence("{why} The game had not begun. [not-begun]")


KeepGame: TypeAlias = Callable[[Chain, Finished], Awaitable[None]]
"""Keeps a game that another one follows."""


NO_NEXT_GAME: Final = Sentence("The next game has not come about. {why}")


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
    shelf = Shelf(sitting)

    async def keep(before: Chain, ending: Finished) -> Path:
        await shelf.keep(before, ending)
        return sitting.home.new_journal()

    series = Series(chain, Seating(sitting.terms, place, sitting.patience), keep)

    async def games(
        news: trio.MemorySendChannel[News], wishes: trio.MemoryReceiveChannel[Wish]
    ) -> Ending:
        chosen, choices = trio.open_memory_channel[Choice](math.inf)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_pass_on, wishes, chosen)
            ending = await series.play(link, news, choices)
            nursery.cancel_scope.cancel()
        return ending

    try:
        ending, caught = await attend(chain.seat, sitting, games)
    finally:
        with suppress(JournalError):  # the peer would say it again
            series.chain.settle()
        series.chain.close()
    return await trio.to_thread.run_sync(shelf.conclude, series, ending, caught)


async def _pass_on(
    wishes: trio.MemoryReceiveChannel[Wish], chosen: trio.MemorySendChannel[Choice]
) -> None:
    """Pass on what a session can do; among people nothing is taken back."""
    async for wish in wishes:
        if not isinstance(wish, TakeBack):
            await chosen.send(wish)


class Shelf:
    """Where games go that are over; what there is to say of them waits for the last one."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting: Final = sitting
        self._said: Final[list[str]] = []

    async def keep(self, chain: Chain, ending: Finished) -> None:
        """Store a game that another one follows."""
        chain.close()
        self._said.extend(
            await trio.to_thread.run_sync(_keep_game, chain, self._sitting, ending)
        )

    def conclude(self, series: Series, ending: Ending, caught: list[int]) -> int:
        """Leave on the disk what has to stay there, and say how the last game ended."""
        for sentence in self._said:
            self._sitting.out.say(sentence)
        chain = series.chain
        if series.earlier and not chain.met:
            self._sitting.home.forget(chain.path)
            self._sitting.out.say(NO_NEXT_GAME(why=_why_not_begun(ending)))
            return Exit.DONE
        ended = chain.ended
        if ended is not None and chain.finished and isinstance(ending, Interrupted):
            ending = Finished(ended, seen_off=False)  # only the goodbye was cut short
        return _conclude_game(chain, self._sitting, ending, caught)


def _conclude_game(chain: Chain, sitting: Sitting, ending: Ending, caught: list[int]) -> int:
    code = exit_of_ending(ending, begun=chain.met)
    match ending:
        case Finished():
            for sentence in _keep_game(chain, sitting, ending):
                sitting.out.say(sentence)
            return code
        case DiskFailed(why):
            raise CommandError(code, why)
        case _ if not chain.met:
            sitting.home.forget(chain.path)
            if caught:
                raise CommandError(SIGNALLED + caught[0], "Stopped before the game began.")
            raise NotBegunError(code, _why_not_begun(ending))
        case Violated(violation, Frame(kind=Kind.SYNC)):  # is in no transcript
            why = _CANNOT_GO_ON(breach=BREACHES[violation.check]())
            sitting.out.fact("interrupted", why=why, journal=str(chain.path))
            raise CommandError(code, "{why} The game is saved. [peer-proof]", why=why)
        case Violated():
            raise CommandError(code, _keep_evidence(chain, sitting, ending))
        case Interrupted(why) | Declined(why=why) if not sitting.lasting:
            sitting.out.fact("interrupted", why=why, journal=None)
            raise CommandError(
                SIGNALLED + caught[0] if caught else code,
                "{why} Nothing is kept of a practice game that is left. [practice-left]",
                why=why,
            )
        case Interrupted(why) | Declined(why=why):
            sitting.out.fact("interrupted", why=why, journal=str(chain.path))
            raise CommandError(
                SIGNALLED + caught[0] if caught else code,
                "{why} The game is saved; go on with: matcha resume {game} [game-unfinished]",
                why=why,
                game=chain.path.parent.name,
            )


def _keep_game(chain: Chain, sitting: Sitting, ending: Finished) -> list[str]:
    """Store the game; if its last word is ours and may not have arrived, it can be resumed.

    Return what to say of it.
    """
    said: list[str] = []
    path = sitting.home.keep_transcript(chain.table.gid, chain.transcript())
    ended = chain.ended
    with suppress(HomeError):  # the game itself is safe; it is listed without a score
        sitting.home.note_game(
            path, chain.seat, None if ended is None else ended.ended.how.value
        )
    given_up = {record.seat for record in chain.records if record.statement == Resign()}
    crossed = given_up == set(SEATS)  # then the goodbyes may have crossed as well
    arrived = (ending.seen_off and not crossed) or chain.last_word != chain.seat
    if arrived or not sitting.lasting:
        sitting.home.forget(chain.path)
    else:
        said.append(_LAST_WORD(game=chain.path.parent.name))
    sitting.out.fact("transcript", path=str(path))
    return [*said, _KEPT(path=path)]


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
    with suppress(HomeError):  # the evidence itself is safe
        sitting.home.note_game(path, chain.seat, None)
    sitting.home.forget(chain.path)
    sitting.out.fact(
        "evidence", path=str(path), check=violation.check.value, entry=violation.entry
    )
    if violation.seat == chain.seat:
        return _OWN_FORK(path=path)
    return _BROKEN(
        name=chain.table.hellos[1 - chain.seat].name,
        breach=BREACHES[violation.check](),
        check=violation.check.value,
        path=path,
    )


def _why_not_begun(ending: Ending) -> str:
    match ending:
        case Declined(why=why):
            return why
        case Violated(violation):
            check = violation.check
            return _BROKEN_BEFORE(breach=BREACHES[check](), check=check.value)
        case Interrupted(why):
            return _NOT_BEGUN(why=why)
        case Finished() | DiskFailed():
            raise RuntimeError("such a game has begun, or does not end here")
