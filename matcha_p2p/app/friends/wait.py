"""Wait until a friend calls, and play. Nothing is pasted."""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from secrets import token_bytes
from typing import Final

import trio

from matcha_p2p.app.friends import bonds as friend_bonds
from matcha_p2p.app.game.play import GreetedPeer, go_on, turn_away
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import play_at_table
from matcha_p2p.app.invite.ask_routers import ROUTER, letting_in
from matcha_p2p.app.invite.host import own_hosts
from matcha_p2p.app.invite.lobby import KEYS, HostLobby
from matcha_p2p.app.outcomes import CANCELLED, NotBegunError
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.app.watching.host_side import (
    Audience,
    attend_waiting,
    keep_open_for_watchers,
    seeing_off,
)
from matcha_p2p.app.while_asking import while_asking
from matcha_p2p.console.lines.lobby import COMMANDS
from matcha_p2p.console.menu.asker import Asker, InputClosedError, OpenAsker
from matcha_p2p.console.menu.menu import Chosen, Menu, MenuAnswer, Wait
from matcha_p2p.errors import HandshakeError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.meeting.beacon import FriendAnswer, Query
from matcha_p2p.meeting.calling import Bond, Call, FriendQueries, IncomingCalls
from matcha_p2p.meeting.nearby import Surroundings, answer_queries
from matcha_p2p.meeting.pairing import EVENING, RingAnswer
from matcha_p2p.narration.names import quoted
from matcha_p2p.narration.sentences import listed
from matcha_p2p.race import Win, race
from matcha_p2p.seats import Seat
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.storage.heard_knocks import StoredKnocks
from matcha_p2p.store.friends import Friend, read_friends
from matcha_p2p.store.home import Home
from matcha_p2p.table.seat import SECRET_SIZE
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.link import deliver_last_words
from matcha_p2p.transport.listen import (
    DEFAULT_PORT,
    PORTS_TRIED,
    next_connection,
    open_sockets,
)
from matcha_p2p.transport.multicast import Sockets
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import MOST_SLOWLY, PunchPort, punch_slowly

TITLE: Final = Sentence("Wait for a call")
CALLS: Final = Sentence("Calls")
"""The heading for news of calls."""

_WAITING: Final = Sentence("Waiting for a call from {names}.")
_CALLS: Final = Sentence('"{name}" calls.')
_PLAY: Final = Sentence("Play")
_NOT_NOW: Final = Sentence("Not now")
_MUTE: Final = Sentence("Mute for {hours} hours: hide the calls of this friend")
_ANSWERS: Final[dict[MenuAnswer | None, RingAnswer]] = {
    Chosen(0): RingAnswer.YES,
    Chosen(2): RingAnswer.MUTE,
}
_HUNG_UP: Final = Sentence('"{name}" has hung up.')


@dataclass(frozen=True, slots=True)
class WaitWish:
    """How a person wants to wait.

    router: whether to ask the router to let callers in. port: the first port to try.
    """

    router: bool = True
    port: int = DEFAULT_PORT


@dataclass(frozen=True, slots=True)
class CallerPorts:
    """What is open for callers. ways: how friends are dialled."""

    bonds: Sequence[Bond]
    listeners: Sequence[trio.SocketListener]
    place: Place
    ways: Sequence[friend_bonds.PunchWay]

    @property
    def port(self) -> int:
        """Where callers are listened for."""
        number: int = self.listeners[0].socket.getsockname()[1]
        return number


async def wait(setup: SeatSetup, ask: OpenAsker, around: Surroundings, wish: WaitWish) -> int:
    """Wait until a friend calls and the person says yes, and play; return the exit code.

    Raises:
        CommandError: this player has no friend to wait for.
        LinkError: no port is free.
    """
    if setup.terms.seats > 2:
        return await _wait_at_table(setup, ask, around, wish)
    async with trio.open_nursery() as doors:
        async with ask() as asker:
            waiting: CallerPorts = await doors.start(_keep_open, setup, asker, around, wish)
            keep_open = partial(keep_open_for_watchers, router=wish.router)
            audience = await doors.start(keep_open, setup, asker, waiting.place)
            met = await _meet(waiting, setup, asker, around, audience)
        code, place = CANCELLED, waiting.place
        async with seeing_off(audience) as watch_host:
            if met is not None:
                code = await go_on(met.ledger, met.begun, met.link, place, setup, watch_host)
        doors.cancel_scope.cancel()
    return code


async def _wait_at_table(
    setup: SeatSetup, ask: OpenAsker, around: Surroundings, wish: WaitWish
) -> int:
    """Give each friend that calls a seat, until the person begins the game; return the code.

    A friend that calls during the game is told that every seat is taken.

    Raises:
        CommandError: this player has no friend to wait for.
        LinkError: no port is free.
    """
    async with trio.open_nursery() as doors:
        async with ask() as asker:
            waiting: CallerPorts = await doors.start(_keep_open, setup, asker, around, wish)
            keep_open = partial(keep_open_for_watchers, router=wish.router)
            audience = await doors.start(keep_open, setup, asker, waiting.place)
            lobby = HostLobby(setup, asker, Psk(token_bytes(SECRET_SIZE)))

            async def admit(bond: Bond) -> RingAnswer:
                return await _ask(asker, bond) if lobby.free else RingAnswer.YES

            async def seat(call: Call) -> None:
                await lobby.welcome_friend(call.link, call.bond.theirs)

            calls = _calls(waiting, setup.home, admit)
            doors.start_soon(_hear_calls, waiting, setup.home, around, calls, seat)
            names = listed(quoted(bond.name) for bond in waiting.bonds)
            keys = tuple((key, label()) for key, label in KEYS)
            shown = Wait(TITLE(), (_WAITING(names=names),), keys=keys, prompt=COMMANDS())
            invite = None if audience is None else audience.invite
            ready = await while_asking(lobby.start, partial(lobby.attend, shown, invite))
        code = CANCELLED
        async with seeing_off(audience) as watch_host:
            if ready is not None:
                place, levels = waiting.place, lobby.levels
                code = await play_at_table(
                    ready, setup, place, levels=levels, watch_host=watch_host
                )
        doors.cancel_scope.cancel()
    return code


async def _meet(
    waiting: CallerPorts,
    setup: SeatSetup,
    asker: Asker,
    around: Surroundings,
    audience: Audience | None,
) -> GreetedPeer | None:
    """Return the friend who has called and was greeted, or None if the person stops waiting."""

    async def attend() -> None:
        names = listed(quoted(bond.name) for bond in waiting.bonds)
        await attend_waiting(asker, Wait(TITLE(), (_WAITING(names=names),)), audience)

    return await while_asking(partial(take_call, waiting, setup, asker, around), attend)


async def _keep_open(
    setup: SeatSetup,
    asker: Asker,
    around: Surroundings,
    wish: WaitWish,
    *,
    task_status: "trio.TaskStatus[CallerPorts]",
) -> None:
    async with open_for_friends(setup, asker, around, wish) as waiting:
        task_status.started(waiting)
        await trio.sleep_forever()


@asynccontextmanager
async def open_for_friends(
    setup: SeatSetup, asker: Asker, around: Surroundings, wish: WaitWish
) -> AsyncGenerator[CallerPorts]:
    """During the body, listen, and let the router lead callers here.

    Raises:
        CommandError: this player has no friend to wait for.
        LinkError: no port is free.
    """
    friends = await trio.to_thread.run_sync(read_friends, setup.home)
    bonds = friend_bonds.bonds_of(setup, friends)
    own = await friend_bonds.own_addresses(around)
    callers = [friend for friend in friends if friend.shared]
    with ExitStack() as stack:
        ports = range(wish.port, wish.port + PORTS_TRIED)
        listeners = await open_sockets(ports, around.hosts)
        for listener in listeners:
            stack.callback(listener.socket.close)
        punch_port = stack.enter_context(PunchPort()).number
        ways = stack.enter_context(friend_bonds.holding(_ways_to(bonds, callers, own)))
        port: int = listeners[0].socket.getsockname()[1]
        tell = partial(asker.tell, ROUTER())
        async with letting_in(port, own, setup.out, tell, wanted=wish.router) as report:
            place = Place(own, port, own_hosts(own), router=report, punch_port=punch_port)
            setup.out.fact("waiting", port=port, why=None)
            yield CallerPorts(bonds, listeners, place, ways)


def _ways_to(
    bonds: Sequence[Bond], friends: Sequence[Friend], own: Sequence[Address]
) -> list[friend_bonds.PunchWay]:
    """Return how the friends may dial us today; the newest secret of each goes first."""
    now = time.time()
    ways = [
        way
        for bond, friend in zip(bonds, friends, strict=True)
        for way in friend_bonds.punch_ways(bond, friend, own, now)
    ]
    return sorted(ways, key=lambda way: way.number)[:MOST_SLOWLY]


async def take_call(
    waiting: CallerPorts, setup: SeatSetup, asker: Asker, around: Surroundings
) -> GreetedPeer:
    """Wait until a friend calls, the person says yes, and both have greeted.

    Afterwards the ports are closed.
    """

    async def greet(win: Win[GreetedPeer], call: Call) -> None:
        try:
            await win(await friend_bonds.greet_friend(call, Seat(0), setup))
        except (NotBegunError, HandshakeError) as error:
            asker.tell(CALLS(), (sentence_of(error),))

    async def hear(win: Win[GreetedPeer]) -> None:
        calls = _calls(waiting, setup.home, partial(_ask, asker))
        await _hear_calls(waiting, setup.home, around, calls, partial(greet, win))

    return await race(hear, close=partial(turn_away, setup.home))


def _calls(
    waiting: CallerPorts, home: Home, ask: Callable[[Bond], Awaitable[RingAnswer]]
) -> IncomingCalls:
    return IncomingCalls(waiting.bonds, ask, partial(_knocks_of, home))


async def _hear_calls(
    waiting: CallerPorts,
    home: Home,
    around: Surroundings,
    calls: IncomingCalls,
    take: Callable[[Call], Awaitable[None]],
) -> None:
    """Give ``take`` each call that the person accepts. Go on until cancelled.

    Afterwards the ports are closed.
    """

    async def receive(stream: trio.SocketStream) -> None:
        call = await calls.receive(stream)
        if call is not None:
            deliver_last_words(stream)
            await take(call)

    async def listen_at(listener: trio.SocketListener) -> None:
        with listener.socket:  # the game listens there next
            async with trio.open_nursery() as nursery:
                while True:
                    nursery.start_soon(receive, await next_connection(listener))

    async with trio.open_nursery() as nursery:
        for listener in waiting.listeners:
            nursery.start_soon(listen_at, listener)
        nursery.start_soon(_answer_calls, waiting, home, around)
        ways = [(way.port, way.place) for way in waiting.ways]
        with trio.move_on_after(friend_bonds.PUNCH_FOR):
            await punch_slowly(ways, receive)


async def _answer_calls(waiting: CallerPorts, home: Home, around: Surroundings) -> None:
    """Answer friends who ask the network for us; without a socket, do nothing."""
    queries = FriendQueries(waiting.bonds, partial(_queries_of, home))

    def reply(query: Query, source: Address) -> FriendAnswer | None:
        return queries.reply(query, source, waiting.port, time.time())

    try:
        line = Sockets(around.port)
    except OSError:
        return
    with line:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(line.run)
            nursery.start_soon(answer_queries, line, around.networks, reply, queries.most)


def _knocks_of(home: Home, bond: Bond) -> StoredKnocks:
    return StoredKnocks(home.calls_of(bond.theirs))


def _queries_of(home: Home, bond: Bond) -> StoredKnocks:
    return StoredKnocks(home.queries_of(bond.theirs))


async def _ask(asker: Asker, bond: Bond) -> RingAnswer:
    """Ask whether to take the call; if the input has ended, the answer is no."""
    answered = False
    try:
        entries = _PLAY(), _NOT_NOW(), _MUTE(hours=round(EVENING / 3600))
        asked = Menu(_CALLS(name=bond.name), (), entries, rings=True)
        try:
            answer = await asker.ask(asked)
        except InputClosedError:
            answer = None
        answered = True
        return _ANSWERS.get(answer, RingAnswer.NO)
    finally:
        if not answered:
            asker.tell(CALLS(), (_HUNG_UP(name=bond.name),))


def run(setup: SeatSetup, ask: OpenAsker, wish: WaitWish) -> int:
    """Wait for friends; return the exit code."""
    return trio.run(run_until_signal, partial(wait, setup, ask, Surroundings.of(None), wish))
