"""Plays a game with a peer and every next game, and stores the transcripts."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import Final

import trio

from matcha_p2p.app.game.keep import kept, store_game
from matcha_p2p.app.game.people import recognise, remember
from matcha_p2p.app.game.run_game import PlayedGame, SeatSetup, run_game
from matcha_p2p.app.outcomes import (
    SIGNALLED,
    CommandError,
    Exit,
    NotBegunError,
    exit_of_ending,
)
from matcha_p2p.app.watching.host_side import Broadcast
from matcha_p2p.chain.records import gives_up
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.errors import HomeError, LinkError, NotBegunJournalError, OlderJournalError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.narration.names import is_misleading
from matcha_p2p.narration.news import Inform, Recognised, TakeBack, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.driver import meet
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.series import Series
from matcha_p2p.session.session import begin
from matcha_p2p.session.state import SessionOver, Tell, Transition
from matcha_p2p.store.home import Home
from matcha_p2p.table.seat import SECRET_SIZE, Secrets
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Psk
from matcha_p2p.watching.watch_host import WatchHost
from matcha_p2p.wire.statements import Claim
from matcha_p2p.wire.talk import Farewell, PeerAddresses, encode_farewell

_LAST_WORD: Final = Sentence(
    "Another player may lack the last message of the game. If so, all players run: matcha "
    "resume {game}{home}"
)
_LAST_WORD_HERE: Final = Sentence(
    "Another player may lack the last message of the game. If so, all players go on with the "
    "game, among the unfinished games."
)
_OLDER: Final = "{why} To go on all the same: matcha resume {game}{home} --older"
_LEFT: Final = "{why} The game is saved. To go on: matcha resume {game}{home}"
_LEFT_OWED: Final = (
    "{why} The game is saved; it is another player's turn. To go on: matcha resume "
    "{game}{home} - if they never come back: matcha claim {game}{home}"
)
_LEFT_DECIDED: Final = (
    "{why} The game is decided and counts; it is saved in {path}. To let everybody sign the "
    "result: matcha resume {game}{home}"
)
_OWN_FORK: Final = (
    "Your own program signed two different entries at one place of this game. This happens "
    "if a game's folder is restored from a backup. The game stops. Both entries are in "
    "{path}; check them with matcha verify."
)
_BROKEN: Final = (
    "{name}'s program broke the protocol: {breach} (check {check}). The proof, which anybody "
    "can check, is in {path}: matcha verify {path}"
)
_BROKEN_BEFORE: Final = Sentence(
    "The other program broke the protocol before the game began: {breach} (check {check}). "
    "No game began."
)
_NOT_BEGUN: Final = Sentence("{why} No game began.")


_GOODBYE: Final = 1.0
"""Seconds to say goodbye to a peer who came too late."""

NO_NEXT_GAME: Final = Sentence("{why} The next game did not begin.")


@dataclass(frozen=True, slots=True)
class GreetedPeer:
    """A peer on ``link``, after both greetings. begun: the game and first effects."""

    link: Link
    ledger: Ledger
    begun: Transition


async def greet_peer(
    link: Link, seat: Seat, psk: Psk, setup: SeatSetup, peer: PeerAddresses | None = None
) -> GreetedPeer:
    """Greet the player at the other end of ``link``, whose key is ``psk``.

    peer: the addresses at which the peer listens, if known.

    Raises:
        NotBegunError: the session ended before both greetings, or the peer's name is
            misleading; no file of the game remains.
    """
    secrets = Secrets(token_bytes(SECRET_SIZE), token_bytes(SECRET_SIZE))
    chain = Chain.begin(seat, secrets, link.binding, psk)
    if peer is not None:
        chain = chain.with_addresses(chain.peer, peer)
    ledger = Ledger(setup.home.new_journal(), chain, setup.home.marks)
    begun = await trio.to_thread.run_sync(
        begin, chain, setup.terms, LineUp(link.binding, link.remote)
    )
    try:
        state, told = await meet(begun, ledger, link)
    except BaseException:  # also when cancelled: only we can close this link
        await send_away(link, ledger, setup.home, Farewell.TAKEN)
        raise
    if isinstance(state, SessionOver):
        await link.aclose()
        raise _not_begun(state.ending)
    try:
        _check_name(ledger.chain.table.hellos[chain.peer].name)
    except NotBegunError:
        await send_away(link, ledger, setup.home, Farewell.NAME)
        raise
    return GreetedPeer(link, ledger, (state, tuple(map(Tell, told))))


def _check_name(name: str) -> None:
    """Refuse the name of another player if it could be read as words of this program.

    Raises:
        NotBegunError: the name is misleading.
    """
    if is_misleading(name):
        raise NotBegunError(
            Exit.DECLINED,
            "The other player's name contains a quotation mark, a date, or words that this "
            "program says about players. The game did not begin. Ask the other player to "
            "choose another name.",
            code="peer-name",
        )


async def turn_away(home: Home, late: GreetedPeer) -> None:
    """Leave a peer who greeted us too late to play."""
    await send_away(late.link, late.ledger, home, Farewell.TAKEN)


async def send_away(link: Link, ledger: Ledger, home: Home, farewell: Farewell) -> None:
    """Leave a peer during or after the greetings; no file of the game remains.

    farewell: why. Without a goodbye the peer would keep looking for us.
    """
    with trio.CancelScope(shield=True):
        with trio.move_on_after(_GOODBYE), suppress(LinkError):
            await link.send(Frame(Kind.BYE, encode_farewell(farewell)))
        await link.aclose()
        await trio.to_thread.run_sync(_forget, ledger, home)


def _forget(ledger: Ledger, home: Home) -> None:
    ledger.close()
    if ledger.path.parent.exists():
        home.forget(ledger.path)


async def go_on(
    ledger: Ledger,
    begun: Transition,
    link: Link | None,
    place: Place,
    setup: SeatSetup,
    watch_host: WatchHost | None = None,
) -> int:
    """Play the game of ``ledger`` to its end, on ``link`` and all later links.

    begun: the game, and the first effects. watch_host: where people watch the game. Store the
    game, say how it ended, and return the exit code.

    Raises:
        CommandError: the game did not end by the rules; the sentence says what is stored.
        JournalError, HomeError: the disk failed.
    """
    finished = FinishedGames(setup)
    series = Series(ledger, setup.terms, place, finished.store)
    try:
        who = await trio.to_thread.run_sync(recognise, setup, ledger.chain)
        games = Games(series, begun, {ledger.chain.peer: link}, who, watch_host)
        return await finished.run(series, games)
    finally:
        series.ledger.close()  # resuming the last game needs the lock


class Games:
    """The games of ``series``; the first has ``begun``.

    neighbours: the first link to each neighbour, if any. who: the peer's standing, or None.
    watch_host: shows the first game to watchers.
    """

    def __init__(
        self,
        series: Series,
        begun: Transition,
        neighbours: Mapping[Seat, Link | None],
        who: Recognised | None,
        watch_host: WatchHost | None = None,
    ) -> None:
        self._gallery: Final = watch_host
        self._who: Final = who
        self._series: Final = series
        self._begun: Final = begun
        self._neighbours: Final = neighbours
        self._inbox: Final = news.Inbox()

    def choose(self, wish: Wish | news.PlayAgain) -> None:
        """Pass a choice on to the session, except TakeBack: people have no undo."""
        if not isinstance(wish, TakeBack):
            self._inbox.put(wish)

    async def play(self, inform: Inform) -> news.Ending:
        """Play to the end of the last game."""
        if self._who is not None:
            inform(self._who)
        if self._gallery is None:
            return await self._series.play(self._begun, self._neighbours, inform, self._inbox)
        return await self._play_before(self._gallery, inform)

    async def _play_before(self, watch_host: WatchHost, inform: Inform) -> news.Ending:
        """Play, while the watchers of ``watch_host`` watch."""

        def say(names: tuple[str, ...]) -> None:
            self._inbox.put(news.WatchersCame(names))

        shown = Broadcast(watch_host, lambda: self._series.ledger.chain)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch_host.report, say)
            ending = await self._series.play(
                self._begun, self._neighbours, shown.following(inform), self._inbox
            )
            nursery.cancel_scope.cancel()
        shown.end(ending)
        return ending


class FinishedGames:
    """Stores finished games, and prints the sentences about them after the last game."""

    def __init__(self, setup: SeatSetup) -> None:
        self._sitting: Final = setup
        self._said: Final[list[str]] = []

    async def run(self, series: Series, games: PlayedGame) -> int:
        """Run the games of ``series`` with the front end; return the exit code."""
        ending, caught = await run_game(series.ledger.chain.seat, self._sitting, games)
        return await trio.to_thread.run_sync(self.conclude, series, ending, caught)

    async def store(self, ledger: Ledger, ending: news.Finished) -> Path:
        """Store a game before the next game begins; return the path of the next journal."""
        ledger.close()
        self._said.extend(
            await trio.to_thread.run_sync(_keep_game, ledger, self._sitting, ending)
        )
        return self._sitting.home.new_journal()

    def conclude(self, series: Series, ending: news.Ending, caught: list[int]) -> int:
        """Store the last game, and say how the game ended."""
        for sentence in self._said:
            self._sitting.out.say(sentence)
        ledger = series.ledger
        chain = ledger.chain
        if not chain.met and chain.entries and chain.begun:
            return _left_in_greeting(ledger, self._sitting, ending, caught)
        if series.earlier and not chain.met:
            _forget(ledger, self._sitting.home)
            self._sitting.out.say(NO_NEXT_GAME(why=_why_not_begun(ending)))
            return Exit.DONE
        if not chain.met:  # at a table of more than two the front end is there already
            _forget(ledger, self._sitting.home)
            raise _not_begun(ending)
        ended = chain.ended
        if ended is not None and chain.finished and isinstance(ending, news.Interrupted):
            ending = news.Finished(ended, seen_off=False)  # only the goodbye was cut short
        return _conclude_game(ledger, self._sitting, ending, caught)


def _conclude_game(
    ledger: Ledger, setup: SeatSetup, ending: news.Ending, caught: list[int]
) -> int:
    chain = ledger.chain
    code = exit_of_ending(ending, begun=True)
    match ending:
        case news.Finished():
            for sentence in _keep_game(ledger, setup, ending):
                setup.out.say(sentence)
            return code
        case news.DiskFailed(why, name):
            raise CommandError(code, why, code=name)
        case news.Violated():
            if chain.ended is not None:  # the game was decided before the breach, and counts
                setup.out.say(kept(_store(ledger, setup), setup))
            raise _keep_evidence(ledger, setup)
        case news.Declined(reason=Farewell.TAKEN | Farewell.NAME, why=why) if not chain.dealt:
            setup.out.fact("interrupted", why=why, journal=None)
            _forget(ledger, setup.home)
            stopped = SIGNALLED + caught[0] if caught else exit_of_ending(ending, begun=False)
            raise CommandError(stopped, why, code=_code_of(ending))
        case news.Interrupted(why) | news.Declined(why=why):
            setup.out.fact("interrupted", why=why, journal=str(ledger.path))
            stopped = SIGNALLED + caught[0] if caught else code
            raise _left_unfinished(ledger, setup, why, stopped)


def _left_in_greeting(
    ledger: Ledger, setup: SeatSetup, ending: news.Ending, caught: list[int]
) -> int:
    """Keep a game of more than two whose greetings were cut, unless a seat declines it."""
    match ending:
        case news.Interrupted(why):
            setup.out.fact("interrupted", why=why, journal=str(ledger.path))
            code = exit_of_ending(ending, begun=True)
            left = {"game": Path(ledger.path.parent.name), "home": setup.home.option}
            raise CommandError(
                SIGNALLED + caught[0] if caught else code,
                _LEFT,
                code="game-unfinished",
                why=why,
                **left,
            )
        case news.DiskFailed(why, name):
            raise CommandError(exit_of_ending(ending, begun=True), why, code=name)
        case _:
            _forget(ledger, setup.home)
            raise _not_begun(ending)


def _left_unfinished(
    ledger: Ledger, setup: SeatSetup, why: str, exit_code: int
) -> CommandError:
    """If the game is decided, store the game; return the error that ends the command."""
    chain = ledger.chain
    left = {"game": Path(ledger.path.parent.name), "home": setup.home.option}
    if chain.ended is not None:
        claim_silence(ledger)
        path = _store(ledger, setup)
        return CommandError(
            exit_code, _LEFT_DECIDED, code="game-unsigned", why=why, path=path, **left
        )
    _remember(ledger, setup)
    due = next_due(chain.table)
    if due is not None and due.seat != chain.seat:
        return CommandError(exit_code, _LEFT_OWED, code="game-unfinished", why=why, **left)
    return CommandError(exit_code, _LEFT, code="game-unfinished", why=why, **left)


def open_unfinished(home: Home, name: str | None, *, older: bool = False) -> Ledger:
    """Open the unfinished game ``name``, or the latest game that has begun.

    older: whether to open an older copy of the game's folder too.

    Raises:
        HomeError: the home has no unfinished game ``name``.
        JournalError: the journal cannot be read, is in use, or is an older copy.
    """
    for journal in home.journals(name):
        try:
            return Ledger.open(journal, home.marks, older=older)
        except NotBegunJournalError:
            if name is not None:
                raise
        except OlderJournalError as error:
            raise OlderJournalError(
                _OLDER,
                code="journal-older",
                why=sentence_of(error),
                game=Path(journal.parent.name),
                home=home.option,
            ) from error
    raise home.without_games()


def claim_silence(ledger: Ledger) -> int:
    """Sign a claim of how long the peer has been silent, by our clock; return the seconds."""
    now = int(time.time())
    heard = now if ledger.heard_at is None else ledger.heard_at
    seconds = max(0, now - heard)
    ledger.become(ledger.chain.declare(Claim(seconds, now)))
    return seconds


def _store(ledger: Ledger, setup: SeatSetup) -> Path:
    """Store the game as it stands; return the path."""
    path = store_game(ledger.chain, setup)
    _remember(ledger, setup)
    return path


def _remember(ledger: Ledger, setup: SeatSetup) -> None:
    """Note the game in the book of friends; an error is only a warning."""
    if setup.terms.seats > 2:
        return  # the book holds results between two
    try:
        remember(setup, ledger.chain)
    except HomeError as error:
        setup.out.warn(setup.out.sentence_of(error))


def have_crossed(chain: Chain) -> bool:
    """Tell whether the goodbyes may have crossed: all have given up."""
    given_up = {record.seat for record in chain.records if gives_up(record)}
    return given_up == set(chain.table.seats)


def _keep_game(ledger: Ledger, setup: SeatSetup, ending: news.Finished) -> list[str]:
    """Store the game; return the sentences about the game.

    If the last message may not have arrived, the game stays resumable.
    """
    chain = ledger.chain
    said = [kept(_store(ledger, setup), setup)]
    if chain.offence is not None:
        return [*said, setup.out.sentence_of(_keep_evidence(ledger, setup))]
    if _has_arrived(chain, ending):
        setup.home.forget(ledger.path)
        return said
    if setup.out.before_menu:
        return [_LAST_WORD_HERE(), *said]
    return [_LAST_WORD(game=Path(ledger.path.parent.name), home=setup.home.option), *said]


def _has_arrived(chain: Chain, ending: news.Finished) -> bool:
    """Tell whether the others surely have the last message.

    At a table of two, the author of the last message has it. At a larger table, another seat
    may lack it, and the author may be gone.
    """
    known = len(chain.others) == 1 and chain.last_word != chain.seat
    return known or (ending.seen_off and not have_crossed(chain))


def _keep_evidence(ledger: Ledger, setup: SeatSetup) -> CommandError:
    """Store the game with the breach; return the error that ends the command."""
    chain = ledger.chain
    evidence = chain.evidence
    path = setup.home.store_evidence(chain.table.gid, evidence)
    with suppress(HomeError):  # the evidence itself is safe
        setup.home.note_game(path, chain.seat, None)
    failure = verify_transcript(evidence).failure
    if failure is None:
        raise RuntimeError("what was refused is refused again")
    setup.out.fact("evidence", path=str(path), check=failure.check.value, entry=failure.entry)
    setup.home.forget(ledger.path)
    if failure.seat == chain.seat:
        return CommandError(Exit.VIOLATED, _OWN_FORK, code="own-fork", path=path)
    return CommandError(
        Exit.VIOLATED,
        _BROKEN,
        code="peer-proof",
        name=chain.table.hellos[chain.peer if failure.seat is None else failure.seat].name,
        breach=BREACHES[failure.check](),
        check=failure.check.value,
        path=path,
    )


def _not_begun(ending: news.Ending) -> CommandError:
    match ending:
        case news.DiskFailed(why, code):
            return CommandError(Exit.UNREADABLE, why, code=code)
        case _:
            exit_code = exit_of_ending(ending, begun=False)
            why, code = _why_not_begun(ending), _code_of(ending)
            return NotBegunError(exit_code, why, code=code)


def _code_of(ending: news.Ending) -> str | None:
    """Return the code of --json for the reason why a game has not begun."""
    match ending:
        case news.Declined(reason=Farewell.EDITION):
            return "edition"
        case news.Declined(reason=Farewell.VERSION):
            return "version"
        case news.Declined(reason=Farewell.TAKEN):
            return "taken"
        case news.Declined(reason=Farewell.NAME):
            return "name"
        case news.Violated():
            return "peer-proof"
        case news.Interrupted():
            return "not-begun"
        case _:
            return None


def _why_not_begun(ending: news.Ending) -> str:
    match ending:
        case news.Declined(why=why) | news.DiskFailed(why):
            return why
        case news.Violated(violation):
            check = violation.check
            return _BROKEN_BEFORE(breach=BREACHES[check](), check=check.value)
        case news.Interrupted(why):
            return _NOT_BEGUN(why=why)
        case news.Finished():
            raise RuntimeError("such a game has begun")
