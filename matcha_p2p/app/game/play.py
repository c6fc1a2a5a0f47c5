"""Plays a game with a peer and every next game, and stores the transcripts."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p import wall_clock
from matcha_p2p.app.command.outcomes import (
    SIGNALLED,
    CommandError,
    Exit,
    NotBegunError,
    exit_of_ending,
)
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game.keep import SavedGames, chooses_first, kept, trying
from matcha_p2p.app.game.people import People, remember
from matcha_p2p.app.game.run_game import PlayedGame, SeatSetup, run_game
from matcha_p2p.app.watching.host_side import Broadcast
from matcha_p2p.chain.records import gives_up
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.errors import HomeError, OlderJournalError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.narration.news import Inform, News, TakeBack, Wish
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineDown, LineUp
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.series import Series
from matcha_p2p.session.step.state import Transition
from matcha_p2p.store.home import Home
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.link import Link
from matcha_p2p.watching.watch_host import WatchHost
from matcha_p2p.wire.statements import Claim
from matcha_p2p.wire.talk import Proposal

if TYPE_CHECKING:
    pass

_LAST_WORD: Final = Sentence(
    "Another player may lack the last message of the game. If so, all players run: "
    "{matcha_resume}"
)
_LAST_WORD_HERE: Final = Sentence(
    "Another player may lack the last message of the game. If so, all players go on with the "
    "game, among the unfinished games."
)
_OLDER: Final = "{why} To go on all the same: {matcha_resume}"
_LEFT: Final = "{why} The game is saved. To go on: {matcha_resume}"
_LEFT_UNANSWERED: Final = (
    "{why} The game is saved, and no card is dealt. To go on: {matcha_resume} - if {host} has "
    "opened the table again: join by the invite."
)
_LEFT_OWED: Final = (
    "{why} The game is saved; it is another player's turn. To go on: {matcha_resume} - if they "
    "never come back: {matcha_claim}"
)
_LEFT_DECIDED: Final = (
    "{why} The game is decided and counts; it is saved in {path}. To let everybody sign the "
    "result: {matcha_resume}"
)
_UNANSWERED: Final = Sentence(
    "{why} No card is dealt yet. If {host} opens the table again without this game, leave, and "
    "join by the invite."
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
_SOMEBODY: Final = Sentence("A player")
_NOT_BEGUN: Final = Sentence("{why} No game began.")


NO_NEXT_GAME: Final = Sentence("{why} The next game did not begin.")
_NOT_ALL_CAME: Final = Sentence("The game has not begun: {names} did not come.")
_OPEN_AGAIN: Final = Sentence("Open the table again; the invite stays good")
_KEEP: Final = Sentence("Keep the game, to go on later")

GIVEN_UP_AFTER: Final = 10.0
"""Seconds without a line after which greetings end that nobody has gone on with."""


def _forget(ledger: Ledger, home: Home) -> None:
    ledger.close()
    home.forget(ledger.path)


class Games:
    """The games of ``series``; the first has ``begun``.

    neighbours: the first link to each neighbour, if any. watch_host: shows the first game to
    watchers. bots: play the seats of this program's bots.
    """

    def __init__(
        self,
        series: Series,
        begun: Transition,
        neighbours: Mapping[Seat, Link | None],
        people: People,
        watch_host: WatchHost | None = None,
        bots: Sequence[Callable[[], Awaitable[None]]] = (),
    ) -> None:
        self._gallery: Final = watch_host
        self._series: Final = series
        self._begun: Final = begun
        self._neighbours: Final = neighbours
        self._inbox: Final = news.Inbox()
        self._people: Final = people
        self._bots: Final = bots

    def choose(self, wish: Wish | news.PlayAgain) -> None:
        """Pass a choice on to the session, with fresh secrets for another game.

        TakeBack is not passed on: people have no undo.
        """
        if wish == news.Propose(Proposal.REMATCH):
            self._inbox.put(play_again(self.chain))
        elif not isinstance(wish, TakeBack):
            self._inbox.put(wish)

    @property
    def chain(self) -> Chain:
        """The newest game."""
        return self._series.ledger.chain

    async def play(self, inform: Inform) -> news.Ending:
        """Play to the end of the last game; the bots stop then."""
        inform = self._with_standings(inform)
        async with trio.open_nursery() as nursery:
            for bot in self._bots:
                nursery.start_soon(bot)
            if self._gallery is None:
                ending = await self._play(inform)
            else:
                ending = await self._play_before(self._gallery, inform)
            nursery.cancel_scope.cancel()
        return ending

    async def _play(self, inform: Inform) -> news.Ending:
        return await self._series.play(self._begun, self._neighbours, inform, self._inbox)

    def _with_standings(self, inform: Inform) -> Inform:
        """Return what tells ``inform`` all news, and who the others are once all have greeted.

        So the standings come before the first card. After each game its group is counted.
        """
        strangers, uncounted = True, True

        def tell(piece: News) -> None:
            nonlocal strangers, uncounted
            chain = self._series.ledger.chain
            if strangers and chain.met:
                strangers = False
                for standing in self._people.recognise(chain):
                    inform(standing)
            inform(piece)
            if isinstance(piece, news.NextGame):
                uncounted = True
            if isinstance(piece, news.Settled) and uncounted:
                uncounted, group = False, self._people.score(chain)
                if group is not None:
                    inform(group)

        return tell

    async def _play_before(self, watch_host: WatchHost, inform: Inform) -> news.Ending:
        """Play, while the watchers of ``watch_host`` watch."""

        def say(names: tuple[str, ...]) -> None:
            self._inbox.put(news.WatchersCame(names))

        shown = Broadcast(watch_host, lambda: self._series.ledger.chain)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch_host.report, say)
            ending = await self._play(shown.following(inform))
            nursery.cancel_scope.cancel()
        shown.end(ending)
        return ending


class _ComingBack:
    """The games of a table whose lobby can open again if a game does not begin.

    If a line is down for long, the greetings end that nothing binds us to (PEER#taken-back).
    """

    def __init__(self, games: PlayedGame, series: Series) -> None:
        self._games: Final = games
        self._series: Final = series
        self._cut: Final[dict[Seat, float]] = {}  # the time at which each line went down
        self._left = self._deserted = False

    def choose(self, wish: Wish) -> None:
        """Pass a choice on."""
        self._left |= isinstance(wish, news.Leave)
        self._games.choose(wish)

    @property
    def chain(self) -> Chain:
        """The newest game."""
        return self._series.ledger.chain

    @property
    def comes_back(self) -> bool:
        """Whether this seat comes back to the lobby by itself, without the newest game.

        A seat does so unless its greeting binds it to a game that can go on. A host whose
        guests are all missing takes the table back.
        """
        chain = self.chain
        alone = self._deserted or 0 < len(self._missing) == len(chain.persons)
        free = (chain.seat == 0 and alone) or not _binds(chain)
        return free and not (chain.met or self._left)

    @property
    def missing(self) -> tuple[str, ...]:
        """The players for whom the host's person need not wait, by name."""
        return tuple(map(self.chain.name_of, sorted(self._missing)))

    @property
    def _missing(self) -> set[Seat]:
        """At the host, the seats without a line and without a greeting."""
        chain = self.chain
        if chain.met or chain.seat != 0:
            return set()
        return {seat for seat in self._cut if seat >= len(chain.entries)}

    async def play(self, inform: Inform) -> news.Ending:
        """Play to the end of the last game, or until nobody goes on with the greetings."""

        async def give_up(seat: Seat, since: float) -> None:
            await trio.sleep(GIVEN_UP_AFTER)
            if self._cut.get(seat) == since and self.comes_back:
                self._games.choose(news.Leave())

        def tell(piece: News) -> None:
            match piece:
                case news.LineChanged(LineDown(why, seat) as down, name):
                    self._cut[seat] = trio.current_time()
                    nursery.start_soon(give_up, seat, self._cut[seat])
                    if seat == 0 and _is_unanswered(self.chain):
                        down = down._replace(why=_UNANSWERED(why=why, host=name))
                        piece = news.LineChanged(down, name)
                case news.LineChanged(LineUp(seat=seat)):
                    self._cut.pop(seat, None)
                case _:
                    pass
            inform(piece)

        async with trio.open_nursery() as nursery:
            ending = await self._games.play(tell)
            nursery.cancel_scope.cancel()
        self._deserted = isinstance(ending, news.Interrupted)  # unless our person has left
        return ending


def _binds(chain: Chain) -> bool:
    """Tell whether our greeting is signed: then nothing unsigned ends the game."""
    return chain.seat < len(chain.entries)


def _is_unanswered(chain: Chain) -> bool:
    """Tell whether we have signed our greeting, and the host may lack a greeting.

    The host can take the table back then. A host that has all greetings says something more.
    """
    said_more = any(entry.seat == 0 for entry in chain.entries[1:])
    return chain.seat != 0 and _binds(chain) and not said_more


def play_again(chain: Chain) -> news.PlayAgain:
    """Return the wish to play another game after the game of ``chain``, with fresh secrets."""
    listed = chain.roster.seats[chain.seat]
    return news.PlayAgain(draw_seat(listed.name, listed.identity, bot=listed.bot))


class FinishedGames:
    """Stores finished games, and prints the sentences about them after the last game."""

    def __init__(self, setup: SeatSetup) -> None:
        self._sitting: Final = setup
        self._said: Final[list[str]] = []
        self._saved: Final = SavedGames(setup.home, setup.out)

    async def run(self, series: Series, games: PlayedGame, *, lobby: bool = False) -> int:
        """Run the games of ``series`` with the front end; return the exit code.

        lobby: whether there is a lobby to come back to if a game does not begin.
        """
        setup, seat = self._sitting, series.ledger.chain.seat
        played = _ComingBack(games, series)
        ending, caught = await run_game(seat, setup, played if lobby else games, self._saved)
        ask = None if caught else setup.ask
        back = lobby and played.comes_back
        if lobby and not back and ask is not None and played.missing:
            title = _NOT_ALL_CAME(names=listed(played.missing))
            back = await chooses_first(ask, title, (), (_OPEN_AGAIN(), _KEEP()))
        conclude = partial(self.conclude, series, ending, caught, back=back)
        return await trying(conclude, ask, setup.out)

    async def store(self, ledger: Ledger, ending: news.Finished) -> Path:
        """Store a game before the next game begins; return the path of the next journal."""
        ledger.close()
        keep = partial(_keep_game, ledger, self._sitting, self._saved, ending)
        self._said.extend(await trio.to_thread.run_sync(keep))
        return self._sitting.home.new_journal()

    def conclude(
        self, series: Series, ending: news.Ending, caught: list[int], *, back: bool = False
    ) -> int:
        """Store the last game, and say how the game ended.

        back: whether the players come back to the lobby if the game has not begun.
        """
        while self._said:
            self._sitting.out.say(self._said.pop(0))
        ledger = series.ledger
        chain = ledger.chain
        bound = _binds(chain) and not back
        if not (chain.met or bound or isinstance(ending, news.Violated)):
            _forget(ledger, self._sitting.home)
            if series.earlier and not back:
                self._sitting.out.say(NO_NEXT_GAME(why=_why_not_begun(ending)))
                return Exit.DONE
            in_lobby = partial(NotBegunError, next_game=series.earlier > 0)
            raise _not_begun(ending, in_lobby if back else CommandError)
        ended = chain.ended
        if ended is not None and chain.finished and isinstance(ending, news.Interrupted):
            ending = news.Finished(ended, seen_off=False)  # only the goodbye was cut short
        return _conclude_game(ledger, self._sitting, self._saved, ending, caught)


def _conclude_game(
    ledger: Ledger,
    setup: SeatSetup,
    saved: SavedGames,
    ending: news.Ending,
    caught: list[int],
) -> int:
    chain = ledger.chain
    code = exit_of_ending(ending, begun=True)
    match ending:
        case news.Finished():
            for sentence in _keep_game(ledger, setup, saved, ending):
                setup.out.say(sentence)
            return code
        case news.DiskFailed(why, name):
            raise CommandError(code, why, code=name)
        case news.Violated():
            if chain.ended is not None:  # the game was decided before the breach, and counts
                setup.out.say(kept(_store(ledger, setup, saved), setup.out))
            raise _keep_evidence(ledger, setup)
        case news.Interrupted(why):
            setup.out.fact("interrupted", why=why, journal=str(ledger.path))
            stopped = SIGNALLED + caught[0] if caught else code
            raise _left_unfinished(ledger, setup, saved, why, stopped)


def _left_unplayed(ledger: Ledger, setup: SeatSetup, why: str, exit_code: int) -> CommandError:
    """Return the error that ends the command before any card is dealt."""
    chain = ledger.chain
    left = {"why": why, "matcha_resume": _command("resume", ledger, setup.home)}
    if not _is_unanswered(chain):
        return CommandError(exit_code, _LEFT, code="game-unfinished", **left)
    host = chain.name_of(Seat(0))
    return CommandError(exit_code, _LEFT_UNANSWERED, code="game-unfinished", host=host, **left)


def _left_unfinished(
    ledger: Ledger, setup: SeatSetup, saved: SavedGames, why: str, exit_code: int
) -> CommandError:
    """If the game is decided, store the game; return the error that ends the command."""
    chain = ledger.chain
    if not chain.met:
        return _left_unplayed(ledger, setup, why, exit_code)
    left = {
        f"matcha_{each}": _command(each, ledger, setup.home) for each in ("resume", "claim")
    }
    if chain.ended is not None:
        claim_silence(ledger)
        path = _store(ledger, setup, saved)
        return CommandError(
            exit_code, _LEFT_DECIDED, code="game-unsigned", why=why, path=path, **left
        )
    _remember(ledger, setup)
    if _is_unanswered(chain):
        return _left_unplayed(ledger, setup, why, exit_code)
    due = next_due(chain.table)
    if due is not None and due.seat != chain.seat:
        return CommandError(exit_code, _LEFT_OWED, code="game-unfinished", why=why, **left)
    return CommandError(exit_code, _LEFT, code="game-unfinished", why=why, **left)


def _command(name: str, ledger: Ledger, home: Home) -> str:
    """Return the command line of ``name`` for the unfinished game of ``ledger``."""
    return home.command(name, ledger.path.parent.name)


def open_unfinished(home: Home, name: str | None, *, older: bool = False) -> Ledger:
    """Open the unfinished game ``name``, or the latest game.

    older: whether to open an older copy of the game's folder too.

    Raises:
        HomeError: the home has no unfinished game ``name``.
        JournalError: the journal cannot be read, is in use, or is an older copy.
    """
    journal = home.journals(name)[0]
    try:
        return Ledger.open(journal, home.marks, older=older)
    except OlderJournalError as error:
        raise OlderJournalError(
            _OLDER,
            code="journal-older",
            why=sentence_of(error),
            matcha_resume=home.command("resume", journal.parent.name, "--older"),
        ) from error


def claim_silence(ledger: Ledger) -> int:
    """Sign a claim of how long the peer has been silent, by our clock; return the seconds."""
    now = wall_clock.seconds()
    heard = now if ledger.heard_at is None else ledger.heard_at
    seconds = max(0, now - heard)
    ledger.become(ledger.chain.declare(Claim(seconds, now)))
    return seconds


def _store(ledger: Ledger, setup: SeatSetup, saved: SavedGames) -> Path:
    """Store the game as it stands; return the path."""
    path = saved.conclude(ledger.chain)
    _remember(ledger, setup)
    return path


def _remember(ledger: Ledger, setup: SeatSetup) -> None:
    """Note the game in the book of friends; an error is only a warning."""
    try:
        remember(setup, ledger.chain)
    except HomeError as error:
        setup.out.warn(setup.out.sentence_of(error))


def have_crossed(chain: Chain) -> bool:
    """Tell whether the goodbyes may have crossed: all have given up."""
    given_up = {record.seat for record in chain.records if gives_up(record)}
    return given_up == set(chain.table.seats)


def _keep_game(
    ledger: Ledger, setup: SeatSetup, saved: SavedGames, ending: news.Finished
) -> list[str]:
    """Store the game; return the sentences about the game.

    If the last message may not have arrived, the game stays resumable.
    """
    chain = ledger.chain
    said = [kept(_store(ledger, setup, saved), setup.out)]
    if chain.offence is not None:
        return [*said, setup.out.sentence_of(_keep_evidence(ledger, setup))]
    if has_arrived(chain, ending):
        setup.home.forget(ledger.path)
        return said
    if setup.out.before_menu:
        return [_LAST_WORD_HERE(), *said]
    return [_LAST_WORD(matcha_resume=_command("resume", ledger, setup.home)), *said]


def has_arrived(chain: Chain, ending: news.Finished) -> bool:
    """Tell whether the others surely have the last message.

    The author of the last message has it. Another seat may lack it, and the author may be gone.
    """
    known = {chain.last_word}.issuperset(chain.others)
    return known or (ending.seen_off and not have_crossed(chain))


def _keep_evidence(ledger: Ledger, setup: SeatSetup) -> CommandError:
    """Store the game with the breach; return the error that ends the command."""
    chain = ledger.chain
    evidence = chain.evidence
    path = setup.home.store_evidence(chain.id, evidence)
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
        name=_SOMEBODY() if failure.seat is None else chain.name_of(failure.seat),
        breach=BREACHES[failure.check](),
        check=failure.check.value,
        path=path,
    )


def conclude_without_game(error: NotBegunError, out: Output) -> int:
    """Say why no next game has begun; return the exit code.

    Raises:
        NotBegunError: ``error``, if there was no game at all.
    """
    if not error.next_game:
        raise error
    out.say(NO_NEXT_GAME(why=sentence_of(error)))
    return Exit.DONE


def _not_begun(ending: news.Ending, kind: Callable[..., CommandError]) -> CommandError:
    match ending:
        case news.DiskFailed(why, code):
            return kind(Exit.UNREADABLE, why, code=code)
        case _:
            exit_code = exit_of_ending(ending, begun=False)
            return kind(exit_code, _why_not_begun(ending), code=_code_of(ending))


def _code_of(ending: news.Ending) -> str | None:
    """Return the code of --json for the reason why a game has not begun."""
    match ending:
        case news.Violated():
            return "peer-proof"
        case news.Interrupted():
            return "not-begun"
        case _:
            return None


def _why_not_begun(ending: news.Ending) -> str:
    match ending:
        case news.DiskFailed(why):
            return why
        case news.Violated(violation):
            check = violation.check
            return _BROKEN_BEFORE(breach=BREACHES[check](), check=check.value)
        case news.Interrupted(why):
            return _NOT_BEGUN(why=why)
        case news.Finished():
            raise RuntimeError("such a game has begun")
