"""Call a friend, and play. Nothing is pasted."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_bytes
from typing import Final, TypeAlias

import trio

from matcha_p2p import wall_clock
from matcha_p2p.app.command.keep_open import keep_open
from matcha_p2p.app.command.outcomes import CANCELLED, NotBegunError
from matcha_p2p.app.command.signals import run_until_signal
from matcha_p2p.app.command.while_asking import while_asking
from matcha_p2p.app.friends import bonds as friend_bonds
from matcha_p2p.app.friends.friends import find
from matcha_p2p.app.game.play import conclude_without_game
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import play_at_table
from matcha_p2p.app.invite.host import own_hosts
from matcha_p2p.app.invite.lobby import GuestSeat, sit_down
from matcha_p2p.app.watching.host_side import attend_waiting, open_for_watchers, seeing_off
from matcha_p2p.console.menu.asker import Asker, OpenAsker
from matcha_p2p.console.menu.menu import Wait
from matcha_p2p.errors import LinkError, UnwantedGameError
from matcha_p2p.games import game_of
from matcha_p2p.language import Sentence
from matcha_p2p.meeting import calling as meeting_calling
from matcha_p2p.meeting.beacon import NONCE_SIZE, FriendAnswer
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.race import NobodyWonError, Win, race
from matcha_p2p.session.reconnect import Place
from matcha_p2p.store.friends import Friend, read_friends
from matcha_p2p.store.home import Home
from matcha_p2p.transport.dial import open_within
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.link import deliver_last_words
from matcha_p2p.transport.local.interfaces import Interface
from matcha_p2p.transport.punch import PunchPort, punch_steadily
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.socks import greet_proxy, open_through
from matcha_p2p.wire.lobby import Lobby

REACH_LIMIT: Final = 4.0
"""Seconds to connect to where a friend may be."""

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
"""Seconds between two tries; each pause is half as long again as the pause before."""

CALL_LIMIT: Final = 600.0
"""Seconds after which a call is given up."""

CLOCKS_APART: Final = 3600.0
"""Seconds by which the clocks of two friends may differ."""

TITLE: Final = Sentence("Call a friend")
_CALLING: Final = Sentence(
    'Calling "{name}". Your friend has to wait for a call: Friends, in the menu.'
)


_Connect: TypeAlias = Callable[[], Awaitable[trio.abc.Stream]]
_At: TypeAlias = tuple[Address, int]
"""A friend's possible address and port. On this network the address has a zone."""


@dataclass(frozen=True, slots=True)
class CallWish:
    """How a person wants to call.

    router: whether to ask the router to let watchers in. proxy: dials in our place. With a
    proxy there are no watchers, because nobody could reach us. game: the only game to play,
    None for the game that the friend waits with.
    """

    router: bool = True
    proxy: Server | None = None
    game: str | None = None


async def call(
    setup: SeatSetup,
    ask: OpenAsker,
    name: str,
    around: Surroundings,
    wish: CallWish | None = None,
) -> int:
    """Find the friend called ``name``, and play; return the exit code.

    Raises:
        CommandError, LinkError, HandshakeError: as ``reach``.
    """
    wish = wish or CallWish()
    friends = await trio.to_thread.run_sync(read_friends, setup.home)
    friend = find(friends, name)
    (bond,) = friend_bonds.bonds_of(setup, [friend])
    reaching: Reaching | ReachingThrough
    with ExitStack() as stack:
        if wish.proxy is None:
            own = await friend_bonds.own_addresses(around)
            punch_port = stack.enter_context(PunchPort()).number
            ways = stack.enter_context(friend_bonds.holding(ways_to(friend, bond, own)))
            reaching = Reaching(friend, bond, around, ways)
            place = Place(own, None, own_hosts(own), punch_port=punch_port)
        else:
            setup = replace(setup, terms=replace(setup.terms, watchers=0))
            reaching = ReachingThrough(wish.proxy, friend, bond)
            place = Place((), None, proxy=wish.proxy)
        async with trio.open_nursery() as doors:
            async with ask() as asker:
                opened = open_for_watchers(setup, asker, place, router=wish.router)
                audience, _ = await doors.start(keep_open, opened)

                async def attend() -> None:
                    calling = Wait(TITLE(), (_CALLING(name=friend.name),))
                    await attend_waiting(asker, calling, audience)

                find_friend = partial(reach, setup, reaching, asker, wish.game)
                met = await while_asking(find_friend, attend)
            code = CANCELLED
            async with seeing_off(audience) as watch_host:
                if met is not None:
                    try:
                        code = await play_at_table(
                            met.ready, met.setup, place, watch_host=watch_host
                        )
                    except NotBegunError as error:  # to call again would ring again
                        code = conclude_without_game(error, setup.out)
            doors.cancel_scope.cancel()
        return code


def ways_to(
    friend: Friend, bond: meeting_calling.Bond, own: Sequence[Address]
) -> tuple[friend_bonds.PunchWay, ...]:
    """Return the ways by which the friend may dial us just now; own: our addresses.

    The ports belong to the day on which the friend began to wait, by the friend's clock.
    """
    now = wall_clock.seconds()
    began = now - friend_bonds.PUNCH_FOR - CLOCKS_APART, now + CLOCKS_APART
    return tuple(
        dict.fromkeys(
            way for at in began for way in friend_bonds.punch_ways(bond, friend, own, at)
        )
    )


async def reach(
    setup: SeatSetup,
    reaching: "Reaching | ReachingThrough",
    asker: Asker,
    wanted: str | None = None,
) -> GuestSeat:
    """Find the friend, and take a seat at the friend's table.

    wanted: the only game to play, None for any.

    Raises:
        LinkError: the friend has not answered for ten minutes, or has no empty seat.
        HandshakeError: somebody else holds the secret.
        UnwantedGameError: the friend waits with another game.
    """
    found = None
    with trio.move_on_after(CALL_LIMIT):
        found = await reaching.find()
    if found is None:
        raise LinkError(
            '"{name}" does not answer. Agree on a time, or send an invite: {matcha_host}',
            code="call-unanswered",
            name=reaching.name,
            matcha_host=setup.home.command("host"),
        )
    setup.out.fact("connected")
    check = partial(check_table, setup.home, found.bond, wanted)
    return await sit_down(setup, asker, found.link, check=check)


def check_table(
    home: Home, bond: meeting_calling.Bond, wanted: str | None, lobby: Lobby
) -> None:
    """Refuse the table of somebody else, and another game than ``wanted``.

    Raises:
        HandshakeError: the host shows another key than the friend's.
        UnwantedGameError: another game is played.
    """
    if lobby.taken[0].identity != bond.theirs:
        raise friend_bonds.not_the_friend(bond, home)
    if wanted not in (None, lobby.game.name):
        raise UnwantedGameError(
            '"{name}" waits for players of {game}. Agree on one game, and call again.',
            code="call-game",
            name=bond.name,
            game=game_of(lobby.game.name).title,
        )


class Reaching:
    """Looks for a friend. ways: the ports and addresses that both programs dial."""

    proxy: Final[Server | None] = None

    def __init__(
        self,
        friend: Friend,
        bond: meeting_calling.Bond,
        around: Surroundings,
        ways: Sequence[friend_bonds.PunchWay],
    ) -> None:
        self.name: Final = friend.name
        self._bond: Final = bond
        self._around: Final = around
        self._last: Final = tuple((each.address, each.port) for each in friend.endpoints)
        self._ways: Final = ways

    async def find(self) -> meeting_calling.Call:
        """Look on the network, where the friend was last, and through both routers."""
        punching = (partial(self._punch, way) for way in self._ways)
        return await race(self._look, *punching, close=_hang_up)

    async def _look(self, win: Win[meeting_calling.Call]) -> None:
        async def once() -> meeting_calling.Call:
            places = dict.fromkeys((*await self._nearby(), *self._last))
            ways = [partial(open_within, REACH_LIMIT, *place) for place in places]
            return await _first(ways, self._bond)

        await win(await _again(once))

    async def _punch(self, way: friend_bonds.PunchWay, win: Win[meeting_calling.Call]) -> None:
        """Dial the friend's punch port from ours; the friend does the same, more slowly."""

        async def take(stream: trio.SocketStream) -> None:
            with suppress(LinkError):
                call = await meeting_calling.ring_once(stream, self._bond, way.number)
                deliver_last_words(stream)
                await win(call)

        await punch_steadily(way.port, [way.place], take)

    async def _nearby(self) -> tuple[_At, ...]:
        """Return the addresses on this network where the friend waits."""
        try:
            own = self._around.networks()
        except OSError:
            return ()
        places: list[_At] = []
        async with trio.open_nursery() as nursery:
            for interface in own:
                nursery.start_soon(self._ask_from, interface, places)
        return tuple(places)

    async def _ask_from(self, interface: Interface, places: list[_At]) -> None:
        """Ask from the address of ``interface``; add where the friend answers to ``places``."""
        nonce, now = token_bytes(NONCE_SIZE), wall_clock.seconds()
        query = meeting_calling.call_query(self._bond, nonce, interface.address, now)
        places += (
            (each.address, each.answer.port)
            for each in await self._around.search(query, [interface], interface)
            if isinstance(each.answer, FriendAnswer)
            and meeting_calling.is_from(self._bond, each.answer)
        )


class ReachingThrough:
    """Looks for a friend where the friend was last, through a proxy and in no other way."""

    def __init__(self, proxy: Server, friend: Friend, bond: meeting_calling.Bond) -> None:
        self.name: Final = friend.name
        self.proxy: Final = proxy
        self._bond: Final = bond
        self._last: Final = [partial(open_through, proxy, each) for each in friend.endpoints]

    async def find(self) -> meeting_calling.Call:
        """Call again and again.

        Raises:
            ProxyError: the proxy cannot be used.
        """
        await trio.aclose_forcefully(await greet_proxy(self.proxy))
        return await _again(partial(_first, self._last, self._bond))


async def _again(look: Callable[[], Awaitable[meeting_calling.Call]]) -> meeting_calling.Call:
    """Look until the friend is found, more and more seldom."""
    pause = FIRST_PAUSE
    while True:
        with suppress(NobodyWonError):
            return await look()
        await trio.sleep(pause)
        pause = min(1.5 * pause, LONGEST_PAUSE)


async def _first(ways: Sequence[_Connect], bond: meeting_calling.Bond) -> meeting_calling.Call:
    """Call by all ``ways`` at once; return the first accepted call.

    Raises:
        NobodyWonError: no call is accepted.
    """

    async def attempt(way: _Connect, win: Win[meeting_calling.Call]) -> None:
        with suppress(OSError, LinkError):
            await win(await meeting_calling.ring(way, bond))

    return await race(*(partial(attempt, way) for way in ways), close=_hang_up)


async def _hang_up(call: meeting_calling.Call) -> None:
    await call.link.aclose()


def run(setup: SeatSetup, ask: OpenAsker, name: str, wish: CallWish) -> int:
    """Call a friend; return the exit code."""
    around = Surroundings.of(None)
    return trio.run(run_until_signal, partial(call, setup, ask, name, around, wish))
