"""One game over one link, from the journal's first byte to the transcript."""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import Final, TypeAlias

import trio

from matcha_p2p.app.game.attend import Sitting, attend
from matcha_p2p.app.outcomes import (
    SIGNALLED,
    CommandError,
    Exit,
    NotBegunError,
    exit_of_ending,
)
from matcha_p2p.errors import HomeError, NotBegunJournalError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.machine.table import SEATS, next_due
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.player.secret import SECRET_SIZE, Secrets
from matcha_p2p.review.verify import verify_transcript
from matcha_p2p.rules.moves import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.driver import meet
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import (
    Declined,
    DiskFailed,
    Ending,
    Finished,
    Inbox,
    Inform,
    Interrupted,
    TakeBack,
    Violated,
    Wish,
)
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.series import Series
from matcha_p2p.session.session import begin
from matcha_p2p.session.state import Over, Step, Tell
from matcha_p2p.store.home import Home
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.records import Claim, Resign
from matcha_p2p.wire.talk import Farewell, Reach

_KEPT: Final = Sentence("The game is kept, and anybody can check it: matcha verify {path}")
_LAST_WORD: Final = Sentence(
    "The other side may lack the last word of the game. If so, let both of you run: matcha "
    "resume {game}"
)
_LEFT: Final = "{why} The game is saved; go on with: matcha resume {game}"
_LEFT_OWED: Final = (
    "{why} The game is saved; go on with: matcha resume {game} - it is the other player's "
    "turn. If they stay away for good: matcha claim {game}"
)
_LEFT_DECIDED: Final = (
    "{why} The game is decided all the same, and counts; it is kept in {path}. To let the "
    "other player sign it too: matcha resume {game}"
)
_OWN_FORK: Final = (
    "Your own program has signed two different entries at one place of this game, as happens "
    "when its folder is restored from a backup. The game stops. Both are in {path} - check it "
    "with matcha verify."
)
_BROKEN: Final = (
    "{name}'s program broke the protocol: {breach}, check {check}. Evidence that convinces "
    "anybody is in {path} - check it with matcha verify."
)
_BROKEN_BEFORE: Final = Sentence(
    "The other side broke the protocol before the game began: {breach}, check {check}."
)
_NOT_BEGUN: Final = Sentence("{why} The game had not begun.")


KeepGame: TypeAlias = Callable[[Ledger, Finished], Awaitable[None]]
"""Keeps a game that another one follows."""


NO_NEXT_GAME: Final = Sentence("The next game has not come about. {why}")


@dataclass(frozen=True, slots=True)
class Introduction:
    """Two have greeted each other on ``link``. begun: the game, and what to tell of it."""

    link: Link
    ledger: Ledger
    begun: Step


async def introduce(
    link: Link, seat: Seat, psk: Psk, sitting: Sitting, peer: Reach | None = None
) -> Introduction:
    """Greet whoever is at the other end of ``link``, whose key is ``psk``.

    peer: where the peer waits, if that is known.

    Raises:
        NotBegunError: it ended before both had greeted each other, and nothing is left of it.
    """
    secrets = Secrets(token_bytes(SECRET_SIZE), token_bytes(SECRET_SIZE))
    chain = Chain.begin(seat, secrets, link.binding, psk)
    if peer is not None:
        chain = chain.reached(chain.peer, peer)
    ledger = Ledger(sitting.home.new_journal(), chain, sitting.home.marks)
    begun = await trio.to_thread.run_sync(
        begin, chain, sitting.terms, link.binding, link.remote
    )
    try:
        state, told = await meet(begun, ledger, link)
    except BaseException:
        await link.aclose()
        raise
    if isinstance(state, Over):
        await link.aclose()
        raise _not_begun(state.ending)
    return Introduction(link, ledger, (state, tuple(map(Tell, told))))


async def go_on(
    ledger: Ledger, begun: Step, link: Link | None, place: Place, sitting: Sitting
) -> int:
    """Play the game of ``ledger`` to its end, on ``link`` and whatever links come after it.

    begun: the game, and what is to be told of it first. Store the game, say how it ended, and
    return the exit code.

    Raises:
        CommandError: it ended otherwise than by the rules; the sentence says what is left.
        JournalError, HomeError: the disk failed.
    """
    shelf = Shelf(sitting)

    async def keep(before: Ledger, ending: Finished) -> Path:
        await shelf.keep(before, ending)
        return sitting.home.new_journal()

    series = Series(ledger, sitting.terms, place, keep)

    try:
        ending, caught = await attend(ledger.chain.seat, sitting, Games(series, begun, link))
    except BaseException:
        series.ledger.close()
        raise
    return await trio.to_thread.run_sync(shelf.conclude, series, ending, caught)


class Games:
    """The games of ``series``; the first has ``begun``."""

    def __init__(self, series: Series, begun: Step, link: Link | None) -> None:
        self._series: Final = series
        self._begun: Final = begun
        self._link: Final = link
        self._inbox: Final = Inbox()

    def choose(self, wish: Wish) -> None:
        """Pass on what a session can do; among people nothing is taken back."""
        if not isinstance(wish, TakeBack):
            self._inbox.put(wish)

    async def play(self, inform: Inform) -> Ending:
        """Play to the end of the last game."""
        return await self._series.play(self._begun, self._link, inform, self._inbox)


class Shelf:
    """Where games go that are over; what there is to say of them waits for the last one."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting: Final = sitting
        self._said: Final[list[str]] = []

    async def keep(self, ledger: Ledger, ending: Finished) -> None:
        """Store a game that another one follows."""
        ledger.close()
        self._said.extend(
            await trio.to_thread.run_sync(_keep_game, ledger, self._sitting, ending)
        )

    def conclude(self, series: Series, ending: Ending, caught: list[int]) -> int:
        """Leave on the disk what has to stay there, and say how the last game ended."""
        for sentence in self._said:
            self._sitting.out.say(sentence)
        ledger = series.ledger
        chain = ledger.chain
        try:
            if series.earlier and not chain.met:
                self._sitting.out.say(NO_NEXT_GAME(why=_why_not_begun(ending)))
                return Exit.DONE
            ended = chain.ended
            if ended is not None and chain.finished and isinstance(ending, Interrupted):
                ending = Finished(ended, seen_off=False)  # only the goodbye was cut short
            return _conclude_game(ledger, self._sitting, ending, caught)
        finally:
            ledger.close()


def _conclude_game(ledger: Ledger, sitting: Sitting, ending: Ending, caught: list[int]) -> int:
    chain = ledger.chain
    code = exit_of_ending(ending, begun=True)
    match ending:
        case Finished():
            for sentence in _keep_game(ledger, sitting, ending):
                sitting.out.say(sentence)
            return code
        case DiskFailed(why, name):
            raise CommandError(code, why, code=name)
        case Violated():
            if chain.ended is not None:  # whatever is wrong now, what was decided before is not
                sitting.out.say(_KEPT(path=_store(ledger, sitting)))
            raise _keep_evidence(ledger, sitting)
        case Interrupted(why) | Declined(why=why) if not sitting.lasting:
            sitting.out.fact("interrupted", why=why, journal=None)
            raise CommandError(
                SIGNALLED + caught[0] if caught else code,
                "{why} Nothing is kept of a practice game that is left.",
                code="practice-left",
                why=why,
            )
        case Interrupted(why) | Declined(why=why):
            sitting.out.fact("interrupted", why=why, journal=str(ledger.path))
            stopped = SIGNALLED + caught[0] if caught else code
            raise _left_unfinished(ledger, sitting, why, stopped)


def _left_unfinished(
    ledger: Ledger, sitting: Sitting, why: str, exit_code: int
) -> CommandError:
    """Store what the game has decided, if it has; return what the command ends with."""
    chain, game = ledger.chain, ledger.path.parent.name
    if chain.ended is not None:
        claim_silence(ledger)
        path = _store(ledger, sitting)
        return CommandError(
            exit_code, _LEFT_DECIDED, code="game-unsigned", why=why, path=path, game=game
        )
    due = next_due(chain.table)
    if due is not None and due.seat == chain.peer:
        return CommandError(exit_code, _LEFT_OWED, code="game-unfinished", why=why, game=game)
    return CommandError(exit_code, _LEFT, code="game-unfinished", why=why, game=game)


def open_unfinished(home: Home, name: str | None, *, older: bool = False) -> Ledger:
    """Take up the unfinished game ``name``, or the latest one that has begun.

    older: even if its folder is an older copy.

    Raises:
        HomeError: there is no such game.
        JournalError: its journal cannot be read, or is in use.
    """
    for journal in home.journals(name):
        try:
            return Ledger.open(journal, home.marks, older=older)
        except NotBegunJournalError:
            if name is not None:
                raise
    raise home.without_games()


def claim_silence(ledger: Ledger) -> int:
    """State for how long the peer has said nothing, by our clock; return the seconds."""
    now = int(time.time())
    heard = now if ledger.heard_at is None else ledger.heard_at
    seconds = max(0, now - heard)
    ledger.become(ledger.chain.declare(Claim(seconds, now)))
    return seconds


def _store(ledger: Ledger, sitting: Sitting) -> Path:
    """Store the game as it stands; return where."""
    chain = ledger.chain
    path = sitting.home.keep_transcript(chain.table.gid, chain.transcript)
    ended = chain.ended
    with suppress(HomeError):  # the game itself is safe; it is listed without a score
        sitting.home.note_game(
            path, chain.seat, None if ended is None else ended.ended.how.value
        )
    sitting.out.fact("transcript", path=str(path))
    return path


def _keep_game(ledger: Ledger, sitting: Sitting, ending: Finished) -> list[str]:
    """Store the game; if its last word is ours and may not have arrived, it can be resumed.

    Return what to say of it.
    """
    chain = ledger.chain
    said = [_KEPT(path=_store(ledger, sitting))]
    if chain.offence is not None:
        return [*said, sentence_of(_keep_evidence(ledger, sitting))]
    given_up = {record.seat for record in chain.records if record.statement == Resign()}
    crossed = given_up == set(SEATS)  # then the goodbyes may have crossed as well
    arrived = (ending.seen_off and not crossed) or chain.last_word != chain.seat
    if arrived or not sitting.lasting:
        sitting.home.forget(ledger.path)
        return said
    return [_LAST_WORD(game=ledger.path.parent.name), *said]


def _keep_evidence(ledger: Ledger, sitting: Sitting) -> CommandError:
    """Store the game with the offence in its place; return what there is to say."""
    chain = ledger.chain
    evidence = chain.evidence
    path = sitting.home.keep_evidence(chain.table.gid, evidence)
    with suppress(HomeError):  # the evidence itself is safe
        sitting.home.note_game(path, chain.seat, None)
    failure = verify_transcript(evidence).failure
    if failure is None:
        raise RuntimeError("what was refused is refused again")
    sitting.out.fact("evidence", path=str(path), check=failure.check.value, entry=failure.entry)
    sitting.home.forget(ledger.path)
    if failure.seat == chain.seat:
        return CommandError(Exit.VIOLATED, _OWN_FORK, code="own-fork", path=path)
    return CommandError(
        Exit.VIOLATED,
        _BROKEN,
        code="peer-proof",
        name=chain.table.hellos[chain.peer].name,
        breach=BREACHES[failure.check](),
        check=failure.check.value,
        path=path,
    )


def _not_begun(ending: Ending) -> CommandError:
    match ending:
        case DiskFailed(why, code):
            return CommandError(Exit.UNREADABLE, why, code=code)
        case _:
            exit_code = exit_of_ending(ending, begun=False)
            why, code = _why_not_begun(ending), _code_of(ending)
            return NotBegunError(exit_code, why, code=code)


def _code_of(ending: Ending) -> str | None:
    """Return what --json calls the way in which a game has not begun."""
    match ending:
        case Declined(reason=Farewell.EDITION):
            return "edition"
        case Declined(reason=Farewell.VERSION):
            return "version"
        case Violated():
            return "peer-proof"
        case Interrupted():
            return "not-begun"
        case _:
            return None


def _why_not_begun(ending: Ending) -> str:
    match ending:
        case Declined(why=why) | DiskFailed(why):
            return why
        case Violated(violation):
            check = violation.check
            return _BROKEN_BEFORE(breach=BREACHES[check](), check=check.value)
        case Interrupted(why):
            return _NOT_BEGUN(why=why)
        case Finished():
            raise RuntimeError("such a game has begun")
