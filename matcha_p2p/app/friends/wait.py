"""Wait until a friend calls, or call friends to a table, and play. Nothing is pasted."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from secrets import token_bytes
from typing import Final, Self

import trio

from matcha_p2p import wall_clock
from matcha_p2p.app.command.keep_open import keep_open
from matcha_p2p.app.command.outcomes import CANCELLED, NotBegunError
from matcha_p2p.app.command.signals import run_until_signal
from matcha_p2p.app.command.while_asking import while_asking
from matcha_p2p.app.friends import bonds as friend_bonds
from matcha_p2p.app.friends.call import Reaching, check_table, ways_to
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import play_at_table
from matcha_p2p.app.invite.ask_routers import ROUTER, letting_in
from matcha_p2p.app.invite.host import own_hosts
from matcha_p2p.app.invite.lobby import TABLE, HostLobby, sit_down
from matcha_p2p.app.invite.lobby_keys import lobby_keys, lobby_prompt
from matcha_p2p.app.watching.host_side import (
    Audience,
    attend_waiting,
    open_for_watchers,
    seeing_off,
)
from matcha_p2p.console.menu.asker import Asker, InputClosedError, OpenAsker
from matcha_p2p.console.menu.menu import Chosen, Menu, MenuAnswer, Wait
from matcha_p2p.errors import HandshakeError, LinkError, LobbyError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.lobby.room import ReadyTable
from matcha_p2p.meeting.beacon import FriendAnswer, Query
from matcha_p2p.meeting.calling import Bond, Call, FriendQueries, IncomingCalls
from matcha_p2p.meeting.nearby import Surroundings, answer_queries
from matcha_p2p.meeting.pairing import EVENING, Mutes, RingAnswer
from matcha_p2p.narration.names import quoted
from matcha_p2p.narration.sentences import listed
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
    open_sockets,
    receive_all,
)
from matcha_p2p.transport.multicast import Sockets
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import MOST_SLOWLY, PunchPort, punch_slowly

TITLE: Final = Sentence("Wait for a call")
TITLE_TABLE: Final = Sentence("A table of friends")
CALLS: Final = Sentence("Calls")
CALLED: Final = Sentence("Friends")
"""The headings for news of calls, and of called friends."""

_WAITING: Final = Sentence("Waiting for a call from {names}.")
_CALLING: Final = Sentence(
    "Not at the table yet: {names}. Friends who are to come wait for a call: Friends, in the "
    "menu. A bot can take a place."
)
_CALLS: Final = Sentence('"{name}" calls.')
_CALLS_TO_TABLE: Final = Sentence('"{name}" calls you to a table.')
_LEAVES: Final = Sentence("The guests at your own table are sent home.")
_PLAY: Final = Sentence("Play")
_NOT_NOW: Final = Sentence("Not now")
_MUTE: Final = Sentence("Mute for {hours} hours: hide the calls of this friend")
_ANSWERS: Final[dict[MenuAnswer | None, RingAnswer]] = {
    Chosen(0): RingAnswer.YES,
    Chosen(2): RingAnswer.MUTE,
}
_HUNG_UP: Final = Sentence('"{name}" has hung up.')


RING_AGAIN: Final = 10.0
"""Seconds before another call to a friend, after the friend has left the table."""


@dataclass(frozen=True, slots=True)
class WaitWish:
    """How a person wants to wait.

    router: whether to ask the router to let callers in. port: the first port to try.
    """

    router: bool = True
    port: int = DEFAULT_PORT


@dataclass(frozen=True, slots=True)
class CalledFriends:
    """Friends to call to a table of ours. places: a seat of each, by identity key."""

    friends: Sequence[Friend] = ()
    places: Mapping[bytes, Seat] = field(default_factory=dict[bytes, Seat])


@dataclass(frozen=True, slots=True)
class CallerPorts:
    """What is open for callers. ways: how friends are dialled, but for the called friends.

    reaching: looks for each of the ``called``.
    mutes: the friends whose calls are not heard for a while, also if the table opens again.
    """

    bonds: Sequence[Bond]
    listeners: Sequence[trio.SocketListener]
    port: int
    place: Place
    ways: Sequence[friend_bonds.PunchWay]
    called: CalledFriends
    reaching: Sequence[Reaching]
    mutes: Mutes[bytes] = field(default_factory=Mutes[bytes])

    async def opened_again(self, around: Surroundings) -> Self:
        """Return the ports with new listeners; raises LinkError if the port is taken."""
        again = await open_sockets((self.port,), around.hosts)
        return replace(self, listeners=again)


@dataclass(frozen=True, slots=True)
class MetFriends:
    """A table of friends, about to begin. lobby: our own, None at the table of a caller."""

    ready: ReadyTable
    setup: SeatSetup
    lobby: HostLobby | None


async def wait(
    setup: SeatSetup,
    ask: OpenAsker,
    around: Surroundings,
    wish: WaitWish,
    called: CalledFriends | None = None,
) -> int:
    """Give each friend that calls a seat, and play once the game begins; return the exit code.

    called: friends to call meanwhile. After a call to the table of a friend, sit down at that
    table. During the game no call is heard. If a game does not begin, wait again.

    Raises:
        CommandError: this player has no friend to wait for.
        LinkError: no port is free.
    """
    async with trio.open_nursery() as doors:
        async with ask() as asker:
            opened = open_for_friends(setup, asker, around, wish, called)
            waiting: CallerPorts
            waiting, _ = await doors.start(keep_open, opened)
            watched = open_for_watchers(setup, asker, waiting.place, router=wish.router)
            audience, _ = await doors.start(keep_open, watched)
            met = await _meet(waiting, setup, asker, around, audience)
        code = CANCELLED
        async with seeing_off(audience) as watch_host:
            while met is not None:
                try:
                    code = await play_at_table(
                        met.ready,
                        met.setup,
                        waiting.place,
                        lobby=met.lobby,
                        watch_host=watch_host,
                    )
                    break
                except NotBegunError as error:
                    why = sentence_of(error)
                waiting = await waiting.opened_again(around)
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
) -> MetFriends | None:
    """Return the table, or None if the person stops waiting."""
    while True:
        met = await _meet_here(waiting, setup, asker, around, audience)
        if not isinstance(met, Call):
            return met
        terms = replace(setup.terms, variant=None)
        sit = partial(
            sit_down,
            replace(setup, terms=terms),
            asker,
            met.link,
            check=partial(check_table, setup.home, met.bond, None),
        )
        attend = partial(attend_waiting, asker, Wait(TITLE_TABLE(), ()), audience)
        try:
            guest = await while_asking(sit, attend)
        except (LinkError, LobbyError, HandshakeError) as error:
            asker.tell(CALLS(), (sentence_of(error),))
        else:
            return None if guest is None else MetFriends(guest.ready, guest.setup, None)
        waiting = await waiting.opened_again(around)


class _FriendsTable:
    """Our own table, where friends sit down after a call."""

    def __init__(self, waiting: CallerPorts, setup: SeatSetup, asker: Asker) -> None:
        called = waiting.called
        self.lobby: Final = HostLobby(
            setup, asker, Psk(token_bytes(SECRET_SIZE)), called.places
        )
        self._waiting: Final = waiting
        self._setup: Final = setup
        self._asker: Final = asker
        self._missing: Final = {friend.identity: friend.name for friend in called.friends}

    async def let_all_sit(self, around: Surroundings) -> ReadyTable | Call:
        """Return the table once the game begins, or a call to the table of a friend."""
        elsewhere = list[Call]()
        async with trio.open_nursery() as nursery:

            async def take(call: Call) -> None:
                if call.bond.table:
                    elsewhere.append(call)
                    nursery.cancel_scope.cancel()
                else:
                    await self._seat(call)

            home = self._setup.home
            calls = _calls(self._waiting, home, self._admit)
            nursery.start_soon(_hear_calls, self._waiting, home, around, calls, take)
            self._tell_missing()
            for reaching in self._waiting.reaching:
                nursery.start_soon(self._ring, reaching)
            ready = await self.lobby.start()
            nursery.cancel_scope.cancel()
        return elsewhere[0] if elsewhere else ready

    async def _admit(self, bond: Bond) -> RingAnswer:
        if bond.table or self.lobby.free:
            return await _ask(self._asker, bond, alone=self.lobby.alone)
        return RingAnswer.YES

    async def _ring(self, reaching: Reaching) -> None:
        while not self.lobby.begun:
            await self._seat(await reaching.find())
            await trio.sleep(RING_AGAIN)

    async def _seat(self, call: Call) -> None:
        key = call.bond.theirs
        name = self._missing.pop(key, None)
        self._tell_missing()
        try:
            await self.lobby.welcome_friend(call.link, key)
        except HandshakeError:
            thief = friend_bonds.not_the_friend(call.bond, self._setup.home)
            self._asker.tell(CALLS(), (sentence_of(thief),))
        if name is not None and not self.lobby.begun:
            self._missing[key] = name
            self._tell_missing()

    def _tell_missing(self) -> None:
        if self._waiting.called.friends:
            names = tuple(self._missing.values())
            said = (_CALLING(names=listed(map(quoted, names))),) if names else ()
            self._asker.tell(CALLED(), said)
            self._setup.out.fact("calling", missing=list(names))


async def _meet_here(
    waiting: CallerPorts,
    setup: SeatSetup,
    asker: Asker,
    around: Surroundings,
    audience: Audience | None,
) -> MetFriends | Call | None:
    """Return our own table, or the call to another; if the person stops waiting, None."""
    table = _FriendsTable(waiting, setup, asker)
    shown = Wait(
        TITLE(),
        (_WAITING(names=listed(quoted(bond.name) for bond in waiting.bonds)),),
        keys=lobby_keys(setup.terms),
        prompt=lobby_prompt(setup.terms, ""),
    )
    if waiting.called.friends:
        shown = shown._replace(title=TITLE_TABLE(), said=())
    invite = None if audience is None else audience.invite
    attend = partial(table.lobby.attend, shown, invite)
    met = await while_asking(partial(table.let_all_sit, around), attend)
    if met is None or isinstance(met, Call):
        asker.tell(TABLE(), ())
        return met
    return MetFriends(met, setup, table.lobby)


@asynccontextmanager
async def open_for_friends(
    setup: SeatSetup,
    asker: Asker,
    around: Surroundings,
    wish: WaitWish,
    called: CalledFriends | None = None,
) -> AsyncGenerator[CallerPorts]:
    """During the body, listen, and let the router lead callers here.

    Raises:
        CommandError: this player has no friend to wait for.
        LinkError: no port is free.
    """
    friends = await trio.to_thread.run_sync(read_friends, setup.home)
    bonds = friend_bonds.bonds_of(setup, friends)
    own = await friend_bonds.own_addresses(around)
    called = called or CalledFriends()
    known = {friend.identity: friend for friend in friends}
    guests = {friend.identity for friend in called.friends}
    with ExitStack() as stack:
        ports = range(wish.port, wish.port + PORTS_TRIED)
        listeners = await open_sockets(ports, around.hosts)
        for listener in listeners:
            stack.callback(listener.socket.close)
        punch_port = stack.enter_context(PunchPort()).number
        callers = [bond for bond in bonds if bond.theirs not in guests]
        ways = stack.enter_context(friend_bonds.holding(_ways_to(callers, known, own)))
        reaching = list[Reaching]()
        for bond in (replace(each, table=True) for each in bonds if each.theirs in guests):
            friend = known[bond.theirs]
            dialled = stack.enter_context(friend_bonds.holding(ways_to(friend, bond, own)))
            reaching.append(Reaching(friend, bond, around, dialled))
        port: int = listeners[0].socket.getsockname()[1]
        tell = partial(asker.tell, ROUTER())
        async with letting_in(port, own, setup.out, tell, wanted=wish.router) as report:
            place = Place(own, port, own_hosts(own), router=report, punch_port=punch_port)
            setup.out.fact("waiting", port=port, why=None)
            yield CallerPorts(bonds, listeners, port, place, ways, called, reaching)


def _ways_to(
    bonds: Sequence[Bond], friends: Mapping[bytes, Friend], own: Sequence[Address]
) -> list[friend_bonds.PunchWay]:
    """Return how the friends of ``bonds`` may dial us today; the newest secret goes first.

    friends: by identity key.
    """
    now = wall_clock.seconds()
    ways = [
        way
        for bond in bonds
        for way in friend_bonds.punch_ways(bond, friends[bond.theirs], own, now)
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

    Afterwards the ports are closed: the game listens there next.
    """

    async def receive(stream: trio.SocketStream) -> None:
        call = await calls.receive(stream)
        if call is not None:
            deliver_last_words(stream)
            await take(call)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(receive_all, waiting.listeners, receive)
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


async def _ask(asker: Asker, bond: Bond, *, alone: bool) -> RingAnswer:
    """Ask whether to take the call; if the input has ended, the answer is no.

    alone: whether no guest sits at our table.
    """
    answered = False
    try:
        entries = _PLAY(), _NOT_NOW(), _MUTE(hours=round(EVENING / 3600))
        title = _CALLS_TO_TABLE if bond.table else _CALLS
        said = () if alone or not bond.table else (_LEAVES(),)
        asked = Menu(title(name=bond.name), said, entries, rings=True)
        try:
            answer = await asker.ask(asked)
        except InputClosedError:
            answer = None
        answered = True
        return _ANSWERS.get(answer, RingAnswer.NO)
    finally:
        if not answered:
            asker.tell(CALLS(), (_HUNG_UP(name=bond.name),))


def run(
    setup: SeatSetup, ask: OpenAsker, wish: WaitWish, called: CalledFriends | None = None
) -> int:
    """Wait for friends, and call the ``called``; return the exit code."""
    around = Surroundings.of(None)
    return trio.run(run_until_signal, partial(wait, setup, ask, around, wish, called))
