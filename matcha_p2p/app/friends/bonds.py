"""What two friends do alike, the one who calls and the one who waits (SPEC#friends)."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Final

from matcha_p2p.app.game.play import GreetedPeer, greet_peer, send_away
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.meeting.calling import Bond, Call, punch_port_of
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.rules.seats import Seat
from matcha_p2p.store.friends import Friend
from matcha_p2p.transport.codes.reply import dialable
from matcha_p2p.transport.endpoints import Address, Endpoint, at_port
from matcha_p2p.transport.local.addresses import local_addresses
from matcha_p2p.transport.punch import PunchPort
from matcha_p2p.wire.talk import Farewell

_MOST_ADDRESSES: Final = 2
"""Of a friend, to which both dial: seldom more than one of each family is right."""


def bonds_of(setup: SeatSetup, friends: Sequence[Friend]) -> list[Bond]:
    """Return what this player shares with those of ``friends`` who can call.

    Raises:
        CommandError: this player shows no key, or nobody has a secret with this home.
    """
    if setup.terms.identity is None:
        raise CommandError(
            Exit.USAGE,
            "Who shows no key cannot call or be called; the settings say whether yours is "
            "shown.",
            code="call-keyless",
        )
    ours = public_key(setup.terms.identity)
    bonds = [Bond(each.name, ours, each.identity, each.shared) for each in friends]
    able = [bond for bond in bonds if bond.secrets]
    if not able:
        raise CommandError(
            Exit.USAGE,
            "You can call, and be called by, those with whom you have played a game to its "
            "end, or begun one and compared your words. There is nobody yet.",
            code="call-nobody",
        )
    return able


async def greet_friend(call: Call, seat: Seat, setup: SeatSetup) -> GreetedPeer:
    """Greet the friend, who has to show the key and not only to know the secret.

    Raises:
        NotBegunError: it ended before both had greeted each other.
        HandshakeError: another key was shown, or none.
    """
    met = await greet_peer(call.link, seat, call.psk, setup)
    chain = met.ledger.chain
    if chain.table.hellos[chain.peer].identity == call.bond.theirs:
        return met
    await send_away(met.link, met.ledger, setup.home, Farewell.LATER)
    raise HandshakeError(
        "Somebody has the secret that you share with {name}, and not the key of {name}. Forget "
        "it: matcha friends --forget {name}",
        code="friend-key",
        name=call.bond.name,
    )


async def own_addresses(around: Surroundings) -> tuple[Address, ...]:
    """Return the addresses of this machine in ``around``."""
    if around.hosts is not None:
        return tuple(each.address for each in around.networks())
    return await local_addresses()


@contextmanager
def own_punch_port(own_key: bytes) -> Generator[PunchPort]:
    """Hold the punch port by which friends look for us; or another one, for the game alone."""
    try:
        port = PunchPort(punch_port_of(own_key))
    except LinkError:
        port = PunchPort()
    with port:
        yield port


def punch_places(friends: Iterable[Friend], own: Iterable[Address]) -> tuple[Endpoint, ...]:
    """Return where the punch ports of ``friends`` were last, on the internet alone.

    own: addresses of ours, which are not dialled.
    """
    mine = at_port(own, 1)
    return tuple(
        place
        for friend in friends
        for place in dialable(
            [
                Endpoint(each.address, punch_port_of(friend.identity))
                for each in friend.endpoints
            ],
            mine,
        )[:_MOST_ADDRESSES]
    )
