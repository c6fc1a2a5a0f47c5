"""Wait until a friend calls, and play. Nothing is pasted."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from secrets import token_bytes
from typing import Final

import trio

from matcha_p2p import wall_clock
from matcha_p2p.app.friends import bonds as friend_bonds
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import play_at_table
from matcha_p2p.app.invite.ask_routers import ROUTER, letting_in
from matcha_p2p.app.invite.host import own_hosts
from matcha_p2p.app.invite.lobby import HostLobby
from matcha_p2p.app.invite.lobby_keys import lobby_keys, lobby_prompt
from matcha_p2p.app.outcomes import CANCELLED, NotBegunError
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.app.watching.host_side import (
    Audience,
    keep_open_for_watchers,
    seeing_off,
)
from matcha_p2p.app.while_asking import while_asking
from matcha_p2p.console.menu.asker import Asker, InputClosedError, OpenAsker
from matcha_p2p.console.menu.menu import Chosen, Menu, MenuAnswer, Wait
from matcha_p2p.errors import HandshakeError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.lobby.room import ReadyTable
from matcha_p2p.meeting.beacon import FriendAnswer, Query
from matcha_p2p.meeting.calling import Bond, Call, FriendQueries, IncomingCalls
from matcha_p2p.meeting.nearby import Surroundings, answer_queries
from matcha_p2p.meeting.pairing import EVENING, Mutes, RingAnswer
from matcha_p2p.narration.names import quoted
from matcha_p2p.narration.sentences import listed
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
    """What is open for callers. ways: how friends are dialled.

    mutes: the friends whose calls are not heard for a while, also if the table opens again.
    """

    bonds: Sequence[Bond]
    listeners: Sequence[trio.SocketListener]
    port: int
    place: Place
    ways: Sequence[friend_bonds.PunchWay]
    mutes: Mutes[bytes] = field(default_factory=Mutes[bytes])


async def wait(setup: SeatSetup, ask: OpenAsker, around: Surroundings, wish: WaitWish) -> int:
    """Give each friend that calls a seat, and play once the game begins; return the exit code.

    During the game no call is heard. If a game does not begin, wait again.

    Raises:
        CommandError: this player has no friend to wait for.
        LinkError: no port is free.
    """
    async with trio.open_nursery() as doors:
        async with ask() as asker:
            waiting: CallerPorts = await doors.start(_keep_open, setup, asker, around, wish)
            keep_open = partial(keep_open_for_watchers, router=wish.router)
            audience = await doors.start(keep_open, setup, asker, waiting.place)
            met = await _meet(waiting, setup, asker, around, audience)
        code = CANCELLED
        async with seeing_off(audience) as watch_host:
            while met is not None:
                lobby, ready = met
                try:
                    code = await play_at_table(
                        ready, setup, waiting.place, lobby=lobby, watch_host=watch_host
                    )
                    break
                except NotBegunError as error:
                    why = sentence_of(error)
                again = await open_sockets((waiting.port,), around.hosts)
                waiting = replace(waiting, listeners=again)
                async with ask() as asker:
                    asker.tell(CALLS(), (why,))
                    met = await _meet(waiting, setup, asker, around, audience)
        doors.cancel_scope.cancel()
    return code


async def _meet(
    waiting: CallerPorts,
    setup: SeatSetup,
    asker: Asker,
    around: Surroundings,
    audience: Audience | None,
) -> tuple[HostLobby, ReadyTable] | None:
    """Return the lobby and the table, or None if the person stops waiting."""
    lobby = HostLobby(setup, asker, Psk(token_bytes(SECRET_SIZE)))

    async def admit(bond: Bond) -> RingAnswer:
        return await _ask(asker, bond) if lobby.free else RingAnswer.YES

    async def seat(call: Call) -> None:
        try:
            await lobby.welcome_friend(call.link, call.bond.theirs)
        except HandshakeError:
            thief = friend_bonds.not_the_friend(call.bond, setup.home)
            asker.tell(CALLS(), (sentence_of(thief),))

    async def let_all_sit() -> ReadyTable:
        async with trio.open_nursery() as nursery:
            calls = _calls(waiting, setup.home, admit)
            nursery.start_soon(_hear_calls, waiting, setup.home, around, calls, seat)
            ready = await lobby.start()
            nursery.cancel_scope.cancel()
        return ready

    names = listed(quoted(bond.name) for bond in waiting.bonds)
    keys, prompt = lobby_keys(setup.terms), lobby_prompt(setup.terms, "")
    shown = Wait(TITLE(), (_WAITING(names=names),), keys=keys, prompt=prompt)
    invite = None if audience is None else audience.invite
    ready = await while_asking(let_all_sit, partial(lobby.attend, shown, invite))
    return None if ready is None else (lobby, ready)


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
            yield CallerPorts(bonds, listeners, port, place, ways)


def _ways_to(
    bonds: Sequence[Bond], friends: Sequence[Friend], own: Sequence[Address]
) -> list[friend_bonds.PunchWay]:
    """Return how the friends may dial us today; the newest secret of each goes first."""
    now = wall_clock.seconds()
    ways = [
        way
        for bond, friend in zip(bonds, friends, strict=True)
        for way in friend_bonds.punch_ways(bond, friend, own, now)
    ]
    return sorted(ways, key=lambda way: way.number)[:MOST_SLOWLY]


def _calls(
    waiting: CallerPorts, home: Home, ask: Callable[[Bond], Awaitable[RingAnswer]]
) -> IncomingCalls:
    return IncomingCalls(waiting.bonds, ask, partial(_knocks_of, home), waiting.mutes)


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
        return queries.reply(query, source, waiting.port, wall_clock.seconds())

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
