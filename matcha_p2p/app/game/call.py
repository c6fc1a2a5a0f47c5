"""Call a friend, or wait for friends to call; and play. Nothing is pasted."""

import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv4Address, IPv6Address
from secrets import token_bytes
from typing import Final

import trio

from matcha_p2p.app.friends import find
from matcha_p2p.app.game.host import own_hosts
from matcha_p2p.app.game.play import GreetedPeer, go_on, greet_peer
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.outcomes import CommandError, Exit, NotBegunError
from matcha_p2p.app.signals import run_until_signal
from matcha_p2p.console.terminal.keyboard import Keyboard, latin
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.meeting.beacon import NONCE_SIZE, FriendAnswer, Query
from matcha_p2p.meeting.calling import Bell, Bond, Call, call_query, is_from, reply_to, ring
from matcha_p2p.meeting.nearby import Surroundings, answer_queries, ask
from matcha_p2p.rules.seats import Seat
from matcha_p2p.session.knocks import KnocksOfAGame
from matcha_p2p.session.reconnect import Place
from matcha_p2p.store.friends import Friend, read_friends
from matcha_p2p.transport.addresses import local_addresses
from matcha_p2p.transport.link import notice_silence
from matcha_p2p.transport.listen import (
    DEFAULT_PORT,
    PORTS_TRIED,
    next_connection,
    open_sockets,
)
from matcha_p2p.transport.multicast import Sockets

REACH_LIMIT: Final = 4.0
"""Seconds to connect to where a friend may be."""

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
"""Seconds between two tries; each is half as long again as the one before."""

CALL_LIMIT: Final = 600.0
"""Seconds after which a call is given up."""

_WAITING: Final = Sentence("Waiting for a call of {names}. Ctrl-C ends it.")
_CALLS: Final = Sentence("{name} calls. Play? y or n")
_HUNG_UP: Final = Sentence("{name} has hung up.")
_CALLING: Final = Sentence("Calling {name}, who has to run: matcha wait")
_BELL: Final = "\a"


@dataclass(frozen=True, slots=True)
class _At:
    """Where a friend may be."""

    address: IPv4Address | IPv6Address
    port: int

    async def connect(self) -> trio.SocketStream:
        """Return a new connection; raises OSError."""
        stream: trio.SocketStream | None = None
        with trio.move_on_after(REACH_LIMIT):
            stream = await trio.open_tcp_stream(str(self.address), self.port)
        if stream is None:
            raise OSError("no answer")
        notice_silence(stream)
        return stream


def bonds_of(setup: SeatSetup, friends: Sequence[Friend]) -> list[Bond]:
    """Return what this player shares with those of ``friends`` who can call.

    Raises:
        CommandError: this player shows no key, or nobody has a secret with this home.
    """
    if setup.terms.identity is None:
        raise CommandError(
            Exit.USAGE,
            "Who shows no key cannot call or be called. Leave --no-remember away, or change "
            "the setting.",
            code="call-keyless",
        )
    ours = public_key(setup.terms.identity)
    bonds = [Bond(each.name, ours, each.identity, each.shared) for each in friends]
    able = [bond for bond in bonds if bond.secrets]
    if not able:
        raise CommandError(
            Exit.USAGE,
            "You can call, and be called by, those with whom you have played a game to its "
            "end, or begun one and compared your words: matcha friends. There is nobody yet.",
            code="call-nobody",
        )
    return able


async def wait(setup: SeatSetup, keyboard: Keyboard, around: Surroundings) -> int:
    """Wait until a friend calls and the person says yes, and play; return the exit code."""
    met, port = await take_call(setup, keyboard, around)
    own = await _own_addresses(around)
    return await go_on(met.ledger, met.begun, met.link, Place(own, port, own_hosts(own)), setup)


async def take_call(
    setup: SeatSetup, keyboard: Keyboard, around: Surroundings, port: int = DEFAULT_PORT
) -> tuple[GreetedPeer, int]:
    """Wait until a friend calls, the person says yes, and both have greeted; return the port.

    port: the first that is tried.

    Raises:
        CommandError: there is nobody to wait for.
        LinkError: no port is free.
    """
    bonds = bonds_of(setup, await trio.to_thread.run_sync(read_friends, setup.home))
    met: list[GreetedPeer] = []
    knocks = KnocksOfAGame(setup.home.friends)
    bell = Bell(bonds, partial(_ask, setup, keyboard), knocks)
    listeners = await open_sockets(range(port, port + PORTS_TRIED), around.hosts)
    with ExitStack() as stack:
        for listener in listeners:
            stack.callback(listener.socket.close)
        taken: int = listeners[0].socket.getsockname()[1]
        setup.out.fact("waiting", port=taken, why=None)
        names = ", ".join(bond.name for bond in bonds)
        setup.out.write(f"{_WAITING(names=names)}\n")

        async def receive(stream: trio.SocketStream) -> None:
            call = await bell.receive(stream)
            if call is None:
                return
            notice_silence(stream)
            try:
                met.append(await _greet(call, Seat(0), setup))
            except (NotBegunError, HandshakeError) as error:
                setup.out.say(sentence_of(error))
            else:
                nursery.cancel_scope.cancel()

        async def listen_at(listener: trio.SocketListener) -> None:
            while True:
                nursery.start_soon(receive, await next_connection(listener))

        async with trio.open_nursery() as nursery:
            for listener in listeners:
                nursery.start_soon(listen_at, listener)
            nursery.start_soon(_answer_calls, bonds, taken, around)
    return met[0], taken


async def _answer_calls(bonds: Sequence[Bond], port: int, around: Surroundings) -> None:
    """Answer friends who ask the network for us; if there is no socket for it, nobody."""

    def reply(query: Query) -> FriendAnswer | None:
        return reply_to(bonds, query, port, time.time()) if query.tags else None

    try:
        line = Sockets(around.port)
    except OSError:
        return
    with line:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(line.run)
            nursery.start_soon(answer_queries, line, around.networks, reply)


async def _ask(setup: SeatSetup, keyboard: Keyboard, bond: Bond) -> bool:
    answered = False
    try:
        while True:
            setup.out.write(f"{_BELL}{_CALLS(name=bond.name)} ")
            line = await keyboard.read()
            typed = "n" if line is None else latin(line.strip().lower())
            if typed in ("y", "yes", "n", "no"):
                answered = True
                return typed.startswith("y")
    finally:
        if not answered:
            setup.out.write(f"\n{_HUNG_UP(name=bond.name)}\n")


async def call(setup: SeatSetup, name: str, around: Surroundings) -> int:
    """Find the friend called ``name``, and play; return the exit code."""
    met = await reach(setup, name, around)
    own = await _own_addresses(around)
    return await go_on(met.ledger, met.begun, met.link, Place(own, None, own_hosts(own)), setup)


async def reach(setup: SeatSetup, name: str, around: Surroundings) -> GreetedPeer:
    """Find the friend called ``name``, and greet them.

    Raises:
        CommandError: nobody is called so, or shares a secret with this home.
        LinkError: the friend has not answered for ten minutes.
        HandshakeError: somebody else holds the secret.
    """
    friends = await trio.to_thread.run_sync(read_friends, setup.home)
    friend = find(friends, name)
    (bond,) = bonds_of(setup, [friend])
    setup.out.say(_CALLING(name=friend.name))
    found = None
    with trio.move_on_after(CALL_LIMIT):
        found = await _find(friend, bond, around)
    if found is None:
        raise LinkError(
            "{name} has not answered. Agree on a time, or send an invite: matcha host",
            code="call-unanswered",
            name=friend.name,
        )
    setup.out.fact("connected")
    return await _greet(found, Seat(1), setup)


async def _find(friend: Friend, bond: Bond, around: Surroundings) -> Call:
    """Look on the network, and where the friend was last, again and again."""
    last = tuple(_At(each.address, each.port) for each in friend.endpoints)
    pause = FIRST_PAUSE
    while True:
        nearby = await _nearby(bond, around)
        call = await _first((*nearby, *last), bond)
        if call is not None:
            return call
        await trio.sleep(pause)
        pause = min(1.5 * pause, LONGEST_PAUSE)


async def _nearby(bond: Bond, around: Surroundings) -> tuple[_At, ...]:
    """Return where on this network the friend waits."""
    try:
        own = around.networks()
        line = Sockets(0, around.port)
    except OSError:
        return ()
    with line:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(line.run)
            query = call_query(bond, token_bytes(NONCE_SIZE), time.time())
            found = await ask(line, own, query)
            nursery.cancel_scope.cancel()
    return tuple(
        _At(each.address, each.answer.port)
        for each in found
        if isinstance(each.answer, FriendAnswer) and is_from(bond, each.answer)
    )


async def _first(places: Sequence[_At], bond: Bond) -> Call | None:
    """Call at all ``places`` at once; return the first that is taken."""
    calls: list[Call] = []

    async def attempt(connect: Callable[[], Awaitable[trio.abc.Stream]]) -> None:
        try:
            calls.append(await ring(connect, bond))
        except (OSError, LinkError):
            return
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        for place in dict.fromkeys(places):
            nursery.start_soon(attempt, place.connect)
    for late in calls[1:]:
        await late.link.aclose()
    return calls[0] if calls else None


async def _greet(call: Call, seat: Seat, setup: SeatSetup) -> GreetedPeer:
    """Greet the friend, who has to show the key and not only to know the secret.

    Raises:
        NotBegunError: it ended before both had greeted each other.
        HandshakeError: another key was shown, or none.
    """
    met = await greet_peer(call.link, seat, call.psk, setup)
    chain = met.ledger.chain
    if chain.table.hellos[chain.peer].identity == call.bond.theirs:
        return met
    await met.link.aclose()
    met.ledger.close()
    await trio.to_thread.run_sync(setup.home.forget, met.ledger.path)
    raise HandshakeError(
        "Somebody has the secret that you share with {name}, and not the key of {name}. Forget "
        "it: matcha friends --forget {name}",
        code="friend-key",
        name=call.bond.name,
    )


async def _own_addresses(around: Surroundings) -> tuple[IPv4Address | IPv6Address, ...]:
    if around.hosts is not None:
        return tuple(each.address for each in around.networks())
    return await local_addresses()


def run_wait(setup: SeatSetup, keyboard: Keyboard) -> int:
    """Wait for friends; return the exit code."""
    return trio.run(run_until_signal, partial(wait, setup, keyboard, Surroundings.of(None)))


def run_call(setup: SeatSetup, name: str) -> int:
    """Call a friend; return the exit code."""
    return trio.run(run_until_signal, partial(call, setup, name, Surroundings.of(None)))
