"""The common part of calling a friend and of waiting for a call (PEER#friends)."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from matcha_p2p.app.command.outcomes import CommandError, Exit
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.meeting.calling import Bond, punch_ports
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.store.friends import Friend
from matcha_p2p.store.home import Home
from matcha_p2p.transport.codes.reply import dialable
from matcha_p2p.transport.endpoints import Address, Endpoint, at_port
from matcha_p2p.transport.local.addresses import local_addresses
from matcha_p2p.transport.punch import PunchPort

PUNCH_FOR: Final = 3600.0
"""Seconds in which a waiting program dials the friends' last internet addresses.

Dialling opens our router for a call. Afterwards calls come to the listening ports alone.
"""

_MOST_ADDRESSES: Final = 2
"""The most addresses of a friend to dial: usually an IPv4 and an IPv6 address."""


@dataclass(frozen=True, slots=True)
class PunchWay:
    """A way to a friend, from our ``port`` to ``place``. number: the secret's, 0 the newest."""

    number: int
    port: int
    place: Endpoint


def bonds_of(setup: SeatSetup, friends: Sequence[Friend]) -> list[Bond]:
    """Return the bonds of this player with all ``friends`` who can call.

    Raises:
        CommandError: this player shows no key, or no friend shares a secret with this home.
    """
    if setup.terms.identity is None:
        raise CommandError(
            Exit.USAGE,
            "To call and be called, you have to show your key. The settings turn it on.",
            code="call-keyless",
        )
    ours = public_key(setup.terms.identity)
    bonds = [Bond(each.name, ours, each.identity, each.shared) for each in friends]
    able = [bond for bond in bonds if bond.secrets]
    if not able:
        raise CommandError(
            Exit.USAGE,
            "You have no friend to call yet. Play a game to its end with somebody, or "
            "compare your six words.",
            code="call-nobody",
        )
    return able


def not_the_friend(bond: Bond, home: Home) -> HandshakeError:
    """Return the error for somebody who knows the secret of ``bond``, and lacks the key."""
    return HandshakeError(
        'Somebody knows the secret that you share with "{name}", but lacks the key of '
        '"{name}". Forget the secret: {matcha_friends}',
        code="friend-key",
        name=bond.name,
        matcha_friends=home.command("friends", "--forget", bond.name),
    )


async def own_addresses(around: Surroundings) -> tuple[Address, ...]:
    """Return the addresses of this machine in ``around``."""
    if around.hosts is not None:
        return tuple(each.address for each in around.networks())
    return await local_addresses()


def punch_ways(
    bond: Bond, friend: Friend, own: Iterable[Address], now: float
) -> tuple[PunchWay, ...]:
    """Return the ways to the friend's last internet addresses, for the day of ``now``.

    own: our addresses, which are not dialled.
    """
    mine = at_port(own, 1)
    return tuple(
        PunchWay(ports.number, ports.ours, place)
        for ports in punch_ports(bond, now)
        for place in dialable(
            [Endpoint(each.address, ports.theirs) for each in friend.endpoints], mine
        )[:_MOST_ADDRESSES]
    )


@contextmanager
def holding(ways: Iterable[PunchWay]) -> Generator[tuple[PunchWay, ...]]:
    """Hold the ports of ``ways``; yield the ways whose ports were free."""
    held: dict[int, PunchPort] = {}
    usable: list[PunchWay] = []
    with ExitStack() as stack:
        for way in ways:
            with suppress(LinkError):
                if way.port not in held:
                    held[way.port] = stack.enter_context(PunchPort(way.port))
                usable.append(way)
        yield tuple(usable)
