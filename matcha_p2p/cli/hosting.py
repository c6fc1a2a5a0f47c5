"""Wait for a guest, and play."""

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_bytes

import trio

from matcha_p2p.cli.game import Meeting, Sitting, play
from matcha_p2p.cli.outcomes import NotBegunError
from matcha_p2p.cli.output import Output
from matcha_p2p.reunion import Place
from matcha_p2p.transport.addresses import local_addresses
from matcha_p2p.transport.invite import SECRET_SIZE, Address, Invite
from matcha_p2p.transport.listen import Listener, listen


@dataclass(frozen=True, slots=True)
class Door:
    """Where guests come in: an open listener, and the invite that leads there."""

    listener: Listener
    invite: Invite

    @property
    def meeting(self) -> Meeting:
        """What both sides know of each other's whereabouts: a guest finds the host here."""
        addresses = self.invite.addresses
        return Meeting(Place(addresses, self.invite.port, own_hosts(addresses)))

    async def open_again(self) -> "Door":
        """Listen anew, where the same invite leads.

        Raises:
            LinkError: somebody else has taken the port meanwhile.
        """
        hosts = own_hosts(self.invite.addresses)
        return Door(await listen(self.invite.port, hosts), self.invite)


async def open_door(addresses: Sequence[Address], port: int | None) -> Door:
    """Start to listen. addresses: for the invite; if none, those of this machine.

    port: None for the usual one or the next that is free, 0 for any.

    Raises:
        LinkError: the port is not to be had.
        InviteError: there are too many addresses for an invite.
    """
    reachable = tuple(addresses) or await local_addresses()
    listener = await listen(port, own_hosts(reachable))
    try:
        return Door(listener, Invite(reachable, listener.port, token_bytes(SECRET_SIZE)))
    except BaseException:
        listener.close()
        raise


async def host(sitting: Sitting, addresses: Sequence[Address], port: int | None) -> int:
    """Print the invite, wait for whoever holds it, and play; return the exit code."""
    door = await open_door(addresses, port)
    _announce(sitting.out, door.invite)
    return await wait_and_play(door, sitting)


async def wait_and_play(door: Door, sitting: Sitting) -> int:
    """Let guests in, one after the other, until a game has begun; return its exit code.

    A guest who goes before that does not use the invite up: neither by bad luck nor by ill
    will can anybody keep the right one out.
    """
    while True:
        link = await door.listener.accept(door.invite.psk)
        try:
            return await play(link, 0, door.invite.psk, door.meeting, sitting)
        except NotBegunError as error:
            why = str(error)
        door = await door.open_again()
        sitting.out.fact("waiting", port=door.invite.port, why=why)
        sitting.out.say(f"{why} Still waiting; the invite stays good.")


def _announce(out: Output, invite: Invite) -> None:
    text = invite.encode()
    out.fact("invite", invite=text)
    out.fact("waiting", port=invite.port, why=None)
    out.say("Let the other player run")
    out.say("    matcha join")
    out.say("and paste this invite, which lets one guest in for one game:")
    out.say(text)
    places = ", ".join(map(str, invite.addresses))
    out.say(f"Waiting on port {invite.port}, at {places}. Ctrl-C ends it.")


def own_hosts(addresses: Sequence[Address]) -> list[str] | None:
    """Return the hosts to listen on: all, unless nobody but this machine is invited."""
    if all(address.is_loopback for address in addresses):
        return [str(address) for address in addresses]
    return None


def run(sitting: Sitting, addresses: Sequence[Address], port: int | None) -> int:
    """Host one game; return the exit code."""
    return trio.run(host, sitting, addresses, port)
