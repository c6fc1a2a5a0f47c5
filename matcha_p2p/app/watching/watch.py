"""Watch a game while it is played."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from secrets import token_bytes
from typing import Any, Final

import trio

from matcha_p2p import errors, games
from matcha_p2p.app.command.outcomes import CANCELLED, CommandError, Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.command.signals import run_until_signal
from matcha_p2p.app.command.while_asking import while_asking
from matcha_p2p.app.game.keep import kept
from matcha_p2p.app.invite.join import SEEKING, WATCH_TITLE, ask_invite
from matcha_p2p.app.invite.lobby import TABLE
from matcha_p2p.app.nearby.guest_side import HOST
from matcha_p2p.chain.verify import Report, Verdict, verify_transcript
from matcha_p2p.console.lines import lobby as lines
from matcha_p2p.console.menu.asker import Asker, OpenAsker
from matcha_p2p.console.menu.menu import Wait
from matcha_p2p.console.review.replay import follow
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import GameSoFar
from matcha_p2p.games.game import Game
from matcha_p2p.language import Sentence
from matcha_p2p.narration.breaches import BREACHES
from matcha_p2p.narration.facts import FactTeller
from matcha_p2p.review.steps import Replay
from matcha_p2p.session import news
from matcha_p2p.store.home import Home
from matcha_p2p.table.table import Table
from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.dial import TRIES, dial
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.socks import PROXY_LIMIT
from matcha_p2p.watching import watch_client
from matcha_p2p.wire.roster import Roster
from matcha_p2p.wire.watching import TOKEN_SIZE, Dismissal, Visibility

DIAL_LIMIT: Final = 12.0
"""Seconds to reach the host."""

CONNECTED: Final = Sentence("Connected. Each message is verified, then shown.")
SIGHTS: Final = {
    Visibility.NOTHING: Sentence("The game has not begun, or the players show nothing yet."),
    Visibility.LATER: Sentence("You see each round when it is over."),
    Visibility.AT_ONCE: Sentence("You see each move at once."),
}

# The step and how the game is watched share a line of 60 cells.

POSITIONS: Final = {
    Visibility.NOTHING: Sentence(
        "Live, step {number} of {count}. The players show nothing now."
    ),
    Visibility.LATER: Sentence(
        "Live, step {number} of {count}. You see each round when it is over."
    ),
    Visibility.AT_ONCE: Sentence("Live, step {number} of {count}. You see each move at once."),
}
POSITION_AWAY: Final = Sentence(
    "Step {number} of {count}. Connection lost; looking for the host."
)
POSITION_OVER: Final = Sentence("Step {number} of {count}. The game is over.")
POSITION_LEFT: Final = Sentence("Step {number} of {count}. The game was left or closed.")

AWAY: Final = Sentence("{why} Looking for the host again.")
_BACK: Final = Sentence("The connection to the host is back.")
_OVER: Final = (Verdict.COMPLETE, Verdict.RESIGNED, Verdict.DECIDED)
_NOT_KEPT: Final = Sentence("You watched only a part of the game, so nothing is saved.")
_UNREACHED: Final = (
    "No answer at {places}: the game may be over, or the host's router lets nobody in. Ask "
    "the host."
)
_NOT_LET_IN: Final = (
    "The program at {places} does not know this invite, which was good for one game. Ask the "
    "host for a new invite."
)
_CLOSED: Final = "A player of this game no longer allows watching."
_FULL: Final = "All places to watch this game are taken. Try again later."
_LEFT: Final = "The game was left unfinished."
_UNSHOWN: Final = "The host says that the game is over, but did not show how it ended."
_SURPLUS: Final = Sentence(
    "After the end of the game the host sent a message that does not belong to the game: "
    "{breach} (check {check}). The message was left out."
)
_BROKEN: Final = (
    "The host shows a game that breaks the rules: {breach} (check {check}), in entry "
    "{entry}. Everything shown before is verified."
)


class Spectator:
    """A watcher of a game, for any display: the game so far, and the outcome."""

    def __init__(self, invite: Invite, name: str, proxy: Server | None = None) -> None:
        self.game: Final = watch_client.WatchedGame()
        self.sight: Visibility | None = None
        self.away: str | None = None
        self.outcome: Dismissal | errors.MatchaError | None = None
        self._invite: Final = invite
        self._proxy: Final = proxy
        token = token_bytes(TOKEN_SIZE)
        self._visit: Final = watch_client.WatchClient(
            self._dial, token, name, self.game, self._hear
        )
        self._stirred = trio.Event()

    async def run(self) -> None:
        """Watch until the end, or until the host is lost."""
        try:
            self.outcome = await self._visit.run()
        except (
            errors.LinkError,
            errors.HandshakeError,
            errors.CheckError,
            errors.UnknownGameError,
        ) as error:
            self.outcome = error
        self._stir()

    async def _dial(self) -> Link:
        places, proxy = self._invite.endpoints, self._proxy
        limit = DIAL_LIMIT if proxy is None else PROXY_LIMIT
        try:
            return await dial(places, self._invite.psk, timeout=limit, tries=TRIES, proxy=proxy)
        except errors.ProxyError:
            raise
        except errors.LinkError:
            raise errors.LinkError(_UNREACHED, code="watch-unreached", places=places) from None
        except errors.HandshakeError:
            raise errors.HandshakeError(
                _NOT_LET_IN, code="watch-refused", places=places
            ) from None

    def _hear(self, heard: watch_client.WatchNews) -> None:
        match heard:
            case watch_client.HostReached():
                self.away = ""
            case watch_client.Away(why):
                self.away = why
            case watch_client.SightTold(sight):
                self.sight = sight
            case watch_client.Grown():
                pass
        self._stir()

    def _stir(self) -> None:
        self._stirred.set()
        self._stirred = trio.Event()

    async def reports(self) -> AsyncGenerator[Report]:
        """Yield the report on the game, now and after each change, to the end."""
        while True:
            stirred, over = self._stirred, self.outcome is not None
            yield self.game.report
            if over:
                return
            await stirred.wait()

    @property
    def over(self) -> bool:
        """Whether the watcher has seen the end of the game."""
        return self.game.report.verdict in _OVER

    @property
    def position(self) -> Sentence:
        """How the game is watched at the moment."""
        match self.outcome:
            case None if self.away:
                return POSITION_AWAY
            case None:
                return POSITIONS[self.sight or Visibility.NOTHING]
            case Dismissal.DONE:
                return POSITION_OVER
            case _:
                over = self.over
                return POSITION_OVER if over else POSITION_LEFT


@dataclass(frozen=True, slots=True)
class WatchWish:
    """What a person wants to watch. invite: None to ask for it. proxy: dials in our place."""

    invite: Invite | None = None
    proxy: Server | None = None

    @classmethod
    def of(cls, text: str | None, proxy: Server | None) -> "WatchWish":
        """Read the invite in ``text``; if ``text`` is None, ask later.

        Raises:
            InviteError: ``text`` holds no invite to watch.
        """
        return cls(None if text is None else Invite.parse(text, InviteKind.WATCH), proxy)


async def watch(
    out: Output, home: Home, name: str, ask: OpenAsker, look: Look | None, wish: WatchWish
) -> int:
    """Watch a game; return the exit code.

    look: the full screen's look, or None for lines.

    Raises:
        LinkError, HandshakeError: the host was not reached, or not again.
        CommandError: the game was not seen to the end; the sentence says why.
    """
    async with trio.open_nursery() as nursery:
        async with ask() as asker:
            invite = wish.invite or await ask_invite(asker, InviteKind.WATCH)
            if invite is None:
                return CANCELLED
            spectator = Spectator(invite, name, wish.proxy)
            nursery.start_soon(spectator.run)
            places = ", ".join(map(str, invite.endpoints))
            asker.tell(HOST(), (SEEKING(places=places),))
            game = None if look is None else await _wait_for_a_table(spectator, asker)
        if look is None:
            await _print(out, spectator)
        elif game is not None:
            await _show(spectator, game, look)
        nursery.cancel_scope.cancel()
    return await trio.to_thread.run_sync(_conclude, out, home, spectator)


async def _wait_for_a_table(spectator: Spectator, asker: Asker) -> str | None:
    """Wait for the first step of the game; return the name of the game.

    If no step comes, or the person stops waiting, return None.
    """

    async def until_laid() -> str | None:
        async with aclosing(spectator.reports()) as reports:
            async for report in reports:
                if spectator.sight is not None:
                    asker.tell(HOST(), (CONNECTED(), SIGHTS[spectator.sight]()))
                roster = spectator.game.roster
                if roster is not None:
                    asker.tell(TABLE(), [*lines.seat_lines(roster.seats, roster.game.name)])
                replay = _replay_of(report)
                if replay is not None and replay.steps:
                    return report.game
        return None

    async def attend() -> None:
        await asker.ask(Wait(WATCH_TITLE(), ()))

    return await while_asking(until_laid, attend)


def _replay_of(report: Report) -> Replay[Any, Any] | None:
    """Return the game as far as seen; before the first greeting, return None."""
    if report.game is None:
        return None
    return games.game_of(report.game).needed(Game.replay)(report)


async def _show(spectator: Spectator, game: str, look: Look) -> None:
    """Show the growing game on a full screen until the person closes the screen."""

    async def seen() -> AsyncIterator[GameSoFar]:
        async for report in spectator.reports():
            yield report, spectator.position

    await follow(games.game_of(game), look, seen())


async def _print(out: Output, spectator: Spectator) -> None:
    """Print the game as it goes on, a fact a line."""
    teller = LineTeller(out)
    async for report in spectator.reports():
        teller.tell_state(spectator)
        replay = await trio.to_thread.run_sync(_replay_of, report)
        if replay is not None:
            teller.tell_game(report, replay)


class LineTeller:
    """Tells a watched game in lines, or as facts, each fact once."""

    def __init__(self, out: Output) -> None:
        self._out: Final = out
        self._facts: FactTeller | None = None
        self._entries = self._steps = 0
        self._sight: Visibility | None = None
        self._items = 0
        self._away: str | None = None
        self._seated = False

    def tell_state(self, spectator: Spectator) -> None:
        """Tell changes of the link to the host, the watchers' sight, and who sits where.

        The sight is told again only after the game has grown: otherwise a host could flood us.
        """
        away, sight = spectator.away, spectator.sight
        if away != self._away and away is not None:
            first, self._away = self._away is None, away
            state = "down" if away else "up"
            self._out.fact("line", state=state, why=away or None, seat=None)
            there = CONNECTED() if first else _BACK()
            self._out.say(AWAY(why=away) if away else there)
        grown = sum(spectator.game.items) > self._items
        if sight is not self._sight and sight is not None and (grown or self._sight is None):
            self._sight, self._items = sight, sum(spectator.game.items)
            self._out.fact("sight", sight=sight.name.lower())
            self._out.say(SIGHTS[sight]())
        if spectator.game.roster is not None and not self._seated:
            self._seated = True
            self._tell_seats(spectator.game.roster)

    def _tell_seats(self, roster: Roster) -> None:
        game, variant = roster.game.name, roster.game.variant
        seats = lines.seat_facts(roster.seats)
        self._out.fact("lobby", game=game, variant=variant, seats=seats)
        self._out.say(games.game_of(game).named(variant))
        for line in lines.seat_lines(roster.seats, game):
            self._out.say(line)

    def tell_game(self, report: Report, replay: Replay[Any, Any]) -> None:
        """Tell the new part of the game."""
        for sound in report.accepted[self._entries :]:
            if isinstance(sound.state, Table):
                name = sound.state.game.name
                self._facts = self._facts or FactTeller(games.game_of(name).telling, None)
                rules = games.game_of(name).rules
                for event in rules.told(sound.events):
                    item = news.GameEvent(event, rules.state(sound.state))
                    fact, fields = self._facts.tell(item)
                    self._out.fact(fact, **fields)
        self._entries = len(report.accepted)
        for at in range(self._steps, len(replay.steps)):
            for sentence in replay.sentences(at):
                self._out.say(sentence)
        self._steps = len(replay.steps)


def _conclude(out: Output, home: Home, spectator: Spectator) -> int:
    """If the game is over, store the game; return the exit code, or raise the failure.

    An unfinished game is not kept: it would be listed among the finished games. Faulty items
    after the end do not spoil a finished game.
    """
    if spectator.over:
        if isinstance(spectator.outcome, errors.CheckError):
            _tell_surplus(out, spectator.outcome.check)
        return _store(out, home, spectator.game.transcript)
    if sum(spectator.game.items):
        out.say(_NOT_KEPT())
    match spectator.outcome:
        case errors.CheckError() as error:
            raise _broken(error.check, sum(spectator.game.items))
        case errors.MatchaError() as error:
            raise error
        case None:
            return CANCELLED
        case Dismissal() as why:
            raise _dismissed(why)


def _tell_surplus(out: Output, check: errors.Check) -> None:
    out.fact("surplus", check=check.value)
    out.say(_SURPLUS(breach=BREACHES[check](), check=check.value))


def _dismissed(why: Dismissal) -> CommandError:
    """Return the error for a host who ended the watching before the end of the game."""
    match why:
        case Dismissal.DONE:
            return CommandError(Exit.INTERRUPTED, _UNSHOWN, code="watch-unshown")
        case Dismissal.LATER:
            return CommandError(Exit.INTERRUPTED, _LEFT, code="watch-left")
        case Dismissal.CLOSED:
            return CommandError(Exit.DECLINED, _CLOSED, code="watch-closed")
        case Dismissal.FULL:
            return CommandError(Exit.DECLINED, _FULL, code="watch-full")


def _broken(check: errors.Check, entry: int) -> CommandError:
    return CommandError(
        Exit.VIOLATED,
        _BROKEN,
        code="host-proof",
        breach=BREACHES[check](),
        check=check.value,
        entry=entry,
    )


def _store(out: Output, home: Home, transcript: bytes) -> int:
    """Verify ``transcript`` again as a whole, and store it."""
    report = verify_transcript(transcript)
    if report.failure is not None:
        raise _broken(report.failure.check, report.failure.entry)
    (gid,) = {each.state.gid for each in report.accepted if isinstance(each.state, Table)}
    path = home.store_transcript(gid, transcript)
    out.fact("transcript", path=str(path))
    out.say(kept(path, out))
    return Exit.DONE


def run(
    out: Output, home: Home, name: str, ask: OpenAsker, look: Look | None, wish: WatchWish
) -> int:
    """Watch a game; return the exit code."""
    work = partial(watch, out, home, name, ask, look, wish)
    return trio.run(run_until_signal, work)
