"""Runs a game together with its front end, and stops both at a signal.

The way of a choice, and of the news after:

    key -> console/terminal/bridge      the screen's thread; one queue to trio's thread
        -> PlayedGame.choose -> Inbox   one queue, for choices and items of the line
        -> Driver -> session.step -> Chain.decide -> journal -> link
    entry -> session.step -> journal -> Driver -> inform
        -> news                         one queue, to the front end; with --json each piece of
                                        news is told as a fact when taken out
        -> console/terminal/bridge      one queue, to the screen's thread -> drawn

Line mode and bots have no second thread, and one queue each way.

The module imports no part of the protocol, so a screen is up before the protocol is loaded.
"""

import math
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, Self

import trio

from matcha_p2p.app.command.output import Output
from matcha_p2p.app.command.signals import handling_signals
from matcha_p2p.app.game.final_check import announcing
from matcha_p2p.app.game.keep import SavedGames
from matcha_p2p.games import game_of
from matcha_p2p.games.front import FrontEnd
from matcha_p2p.language import Sentence
from matcha_p2p.narration.facts import FactTeller
from matcha_p2p.narration.news import Inform, News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Ending, Interrupted, Leave, Terms
from matcha_p2p.store.home import Home

if TYPE_CHECKING:
    from matcha_p2p.console.menu.asker import OpenAsker
    from matcha_p2p.session.chain import Chain

_STOPPED: Final = Sentence("The game was stopped.")


class PlayedGame(Protocol):
    """A game that gives news to a front end and takes the front end's choices."""

    def choose(self, wish: Wish) -> None:
        """Take the player's wish, also before the game begins and after the end."""

    async def play(self, inform: Inform) -> Ending:
        """Play to the end; give all news to ``inform``."""
        ...

    @property
    def chain(self) -> "Chain | None":
        """The running game, or None before the beginning."""
        ...


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """A seat's terms, front end, home and output.

    another: sets the same person up for a game with that name, at a table with so many seats.
    seed: of the choices of this program's bots, or None. ask: asks the person after a game, or
    None. at_once: whether no answer takes the time that hides a hand (PEER#windows), because
    the same user runs all seats.
    """

    terms: Terms
    front_end: FrontEnd
    home: Home
    out: Output
    another: Callable[[str, int], "SeatSetup"] | None = None
    seed: int | None = None
    ask: "OpenAsker | None" = None
    at_once: bool = False


async def run_game(
    seat: Seat, setup: SeatSetup, game: PlayedGame, saved: SavedGames
) -> tuple[Ending, list[int]]:
    """Run ``game`` with the front end of ``setup`` until both end, or a signal comes.

    saved: stores each game once it is over. Return the ending, and the signals caught.
    """
    caught: list[int] = []
    ending: Ending = Interrupted(_STOPPED())
    async with handling_signals(caught) as leave:
        ending = await _show(seat, setup, game, saved, leave)
    return ending, caught


async def _show(
    seat: Seat, setup: SeatSetup, game: PlayedGame, saved: SavedGames, leave: trio.Event
) -> Ending:
    """Run ``game`` and the front end until both have ended."""
    told, news = trio.open_memory_channel[News](math.inf)
    listens = trio.Event()
    seen = _Heard(facts_of(setup.terms.game, seat, setup.out, news), listens)

    async def leave_when_told() -> None:
        await leave.wait()
        game.choose(Leave())

    async def play_seat() -> None:
        try:
            await setup.front_end.play(seat, seen, game.choose)
        finally:
            listens.set()

    async with trio.open_nursery() as nursery:
        async with trio.open_nursery() as front:
            front.start_soon(play_seat)
            await listens.wait()  # a screen is up before the game takes the processor
            async with (
                told,
                announcing(told.send_nowait, attended=setup.terms.stays) as inform,
                trio.open_nursery() as leaving,
            ):
                leaving.start_soon(leave_when_told)
                ending = await saved.playing(game.play, lambda: game.chain, inform)
                leaving.cancel_scope.cancel()
            # A screen may show the end until the person closes the screen; a signal closes it
            # too.
            nursery.start_soon(_cancel_when, leave, front.cancel_scope)
        nursery.cancel_scope.cancel()
    return ending


def facts_of(
    game: str, seat: Seat, out: Output, news: AsyncIterator[News]
) -> AsyncIterator[News]:
    """Return ``news`` for the front end of ``seat``, told as facts too if ``out`` wants any.

    game: its name.
    """
    return _Factual(FactTeller(game_of(game).telling, seat), out, news) if out.facts else news


class _Factual:
    """Tells each piece of ``news`` as a fact at the moment the front end takes the piece.

    So a program that answers a fact finds a front end that knows the news.
    """

    def __init__(self, teller: FactTeller, out: Output, news: AsyncIterator[News]) -> None:
        self._teller: Final = teller
        self._out: Final = out
        self._news: Final = news

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> News:
        news = await anext(self._news)
        event, fields = self._teller.tell(news)
        self._out.fact(event, **fields)
        return news


class _Heard:
    """Passes ``news`` on. listens: set when the first piece is wanted."""

    def __init__(self, news: AsyncIterator[News], listens: trio.Event) -> None:
        self._news: Final = news
        self._listens: Final = listens

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> News:
        self._listens.set()
        return await anext(self._news)


async def _cancel_when(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()
