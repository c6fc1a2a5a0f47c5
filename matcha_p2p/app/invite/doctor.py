"""Says who can reach this machine, and why guests cannot; or knocks at an invite's places."""

import sys
from functools import partial
from typing import Final

import trio

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.command.signals import run_until_signal
from matcha_p2p.app.invite.outside_address import learn_outside
from matcha_p2p.app.invite.reachability import findings, kind_of
from matcha_p2p.app.nearby.guest_side import find_tables
from matcha_p2p.crypto.engine import ENGINE
from matcha_p2p.errors import LinkError, ProxyError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.dial import probe
from matcha_p2p.transport.endpoints import global_six
from matcha_p2p.transport.listen import DEFAULT_PORT, listen
from matcha_p2p.transport.local.addresses import local_addresses
from matcha_p2p.transport.local.firewall import Switch, find_firewall
from matcha_p2p.transport.local.own_addresses import AddressKind, OwnAddress, own_addresses
from matcha_p2p.transport.router.gateway import find_gateways
from matcha_p2p.transport.router.mapping import asking_router
from matcha_p2p.transport.servers import Named, Server
from matcha_p2p.transport.socks import PROXY_LIMIT, greet_proxy

ASK_LIMIT: Final = 6.0
"""Seconds for each address of an invite."""

_KINDS: Final = {
    AddressKind.INTERNET: Sentence(
        "{address}: for guests on the internet, if your router and firewalls let them in"
    ),
    AddressKind.TEMPORARY: Sentence(
        "{address}: for guests on the internet, if your router and firewalls let them in. "
        "After about a day the system takes another address, against tracking"
    ),
    AddressKind.SHARED: Sentence(
        "{address}: your provider shares this network among its customers"
    ),
    AddressKind.VPN: Sentence("{address}: for guests in the same VPN ({interface})"),
    AddressKind.NETWORK: Sentence(
        "{address}: for guests on your network, or a VPN that you share"
    ),
    AddressKind.UNIQUE_LOCAL: Sentence("{address}: only for guests on your own network"),
    AddressKind.LINK_LOCAL: Sentence(
        "{address}: for guests on the same cable or Wi-Fi; their program finds this address "
        "by itself"
    ),
    AddressKind.CONTAINERS: Sentence(
        "{address}: only for containers and virtual machines on this machine ({interface})"
    ),
    AddressKind.MACHINE: Sentence(
        "{address}: only for this machine. The machine has no network"
    ),
}
_VPN_TYPED: Final = Sentence(
    "{address}: if you host with --address {address}, for guests in the same VPN ({interface})"
)
_ENGINE: Final = Sentence("The engine that computes: {path}")
_PORT_FREE: Final = Sentence("Port {port} is free.")
_PORT_USED: Final = Sentence("Port {port} cannot be used: {why}")
_ASKING: Final = Sentence("Asking the router to open port {port} for a moment, as a test.")
_NO_GATEWAY: Final = Sentence("This machine has no router, and so no way to the internet.")
_FIREWALL: Final = {
    Switch.ON: Sentence(
        "A firewall of this machine is on. If guests do not get in, let the firewall pass "
        "TCP {port} and {next}, and UDP {port} for your own network."
    ),
    Switch.OFF: Sentence("The system reports no active firewall on this machine."),
    Switch.UNKNOWN: Sentence("This machine does not tell whether a firewall is on."),
}
_LOOKING: Final = Sentence("Looking for tables that are open on this network.")
_NOBODY_HERE: Final = Sentence(
    "No other table is open on this network, as far as this machine can see."
)
_PERMISSION: Final = Sentence(
    "macOS lets a terminal reach your network only if you allow it: System Settings, Privacy "
    "& Security, Local Network. Apple's own Terminal needs no permission."
)
_CANNOT_TELL: Final = Sentence(
    "This machine cannot test whether firewalls let guests in. Host a table, and ask your "
    "friend to run: matcha doctor --ask INVITE"
)
_PROXY: Final = Sentence("The SOCKS proxy at {proxy} answers.")
_ANSWERS: Final = Sentence("{place}: the host answers")
_DOES_NOT: Final = Sentence("{place}: no answer ({why})")
_NOBODY: Final = Sentence(
    "No address of the invite can be reached from here. If the host still waits, run matcha "
    "join: after 4 s matcha join shows an answer code, and with that code both programs dial "
    "at once."
)


def run(out: Output, invite: str | None, named: Named) -> int:
    """Examine this machine, or the addresses of ``invite``; return the exit code."""
    work = (
        partial(examine, out, named)
        if invite is None
        else partial(ask, out, Invite.parse(invite), named.proxy)
    )
    return trio.run(run_until_signal, work)


async def examine(out: Output, named: Named) -> int:
    """Tell of the engine, addresses, the port, firewall, waiting hosts, ``named``, router."""
    out.fact("engine", path=ENGINE.path)
    out.say(_ENGINE(path=ENGINE.path))
    addresses = await local_addresses()
    for own in await own_addresses(addresses):
        _tell_address(out, own)
    port = await _try_port(out)
    await _examine_firewall(out)
    await _look_around(out)
    await learn_outside(named.stun, out)
    if named.proxy is not None:
        await _try_proxy(out, named.proxy)
    gateways = await find_gateways()
    if gateways.four is None and gateways.six is None:
        out.fact("router", ipv4=None, ipv6=None)
        out.say(_NO_GATEWAY())
        return Exit.DONE
    out.say(_ASKING(port=port))
    async with asking_router(port, gateways, global_six(addresses)) as report:
        out.fact("router", ipv4=kind_of(report.four), ipv6=kind_of(report.six))
        for sentence in findings(report, port):
            out.say(sentence)
    out.say(_CANNOT_TELL())
    return Exit.DONE


def _tell_address(out: Output, own: OwnAddress) -> None:
    """Tell who can reach an address."""
    out.fact(
        "address",
        address=str(own.address),
        kind=own.kind.value,
        interface=own.interface,
        invite=own.in_invites,
    )
    typed = own.kind is AddressKind.VPN and not own.in_invites
    sentence = _VPN_TYPED if typed else _KINDS[own.kind]
    out.say(sentence(address=own.address, interface=own.interface))


async def _try_port(out: Output) -> int:
    """Tell whether the usual port is free; return a free port."""
    try:
        listener = await listen(DEFAULT_PORT)
    except LinkError as error:
        out.fact("port", port=DEFAULT_PORT, free=False)
        out.say(_PORT_USED(port=DEFAULT_PORT, why=sentence_of(error)))
        listener = await listen(0)
    else:
        out.fact("port", port=DEFAULT_PORT, free=True)
        out.say(_PORT_FREE(port=DEFAULT_PORT))
    listener.close()
    return listener.port


async def _try_proxy(out: Output, proxy: Server) -> None:
    """Tell whether ``proxy`` would dial for us, by greeting only the proxy."""
    try:
        await trio.aclose_forcefully(await greet_proxy(proxy))
    except ProxyError as error:
        out.fact("proxy", proxy=str(proxy), answers=False)
        out.warn(sentence_of(error))
    else:
        out.fact("proxy", proxy=str(proxy), answers=True)
        out.say(_PROXY(proxy=proxy))


async def _examine_firewall(out: Output) -> None:
    firewall = await find_firewall()
    out.fact("firewall", state=firewall.switch.value, names=list(firewall.names))
    out.say(_FIREWALL[firewall.switch](port=DEFAULT_PORT, next=DEFAULT_PORT + 1))


async def _look_around(out: Output) -> None:
    """Tell who waits on this network."""
    out.say(_LOOKING())
    tables = await find_tables(Surroundings.of(None))
    for table in tables:
        answer, where = table.answer, str(table.address)
        seats = {"game": table.game, "seats": answer.seats, "free": answer.free}
        out.fact("table", name=answer.name, address=where, edition=answer.edition, **seats)
        out.say(table.label)
    if not tables:
        out.say(_NOBODY_HERE())
        if sys.platform == "darwin":
            out.say(_PERMISSION())


async def ask(out: Output, invite: Invite, proxy: Server | None = None) -> int:
    """Knock at each address of ``invite``; return 0 if the host answers at an address."""
    reached = False
    for place, why in await _answers(invite, proxy):
        reached = reached or why is None
        out.fact("place", place=place, answers=why is None, why=why)
        out.say(_ANSWERS(place=place) if why is None else _DOES_NOT(place=place, why=why))
    if not reached:
        out.say(_NOBODY())
    return Exit.DONE if reached else Exit.UNREACHED


async def _answers(invite: Invite, proxy: Server | None) -> list[tuple[str, str | None]]:
    """Return each place, with the reason for no answer; all places are tried at once."""
    told: dict[int, LinkError | str | None] = {}

    async def knock(number: int) -> None:
        limit = ASK_LIMIT if proxy is None else PROXY_LIMIT
        told[number] = await probe(invite.endpoints[number], invite.psk, limit, proxy)

    async with trio.open_nursery() as nursery:
        for number in range(len(invite.endpoints)):
            nursery.start_soon(knock, number)
    reasons = [told[number] for number in range(len(invite.endpoints))]
    return [
        (str(endpoint), sentence_of(why) if isinstance(why, LinkError) else why)
        for endpoint, why in zip(invite.endpoints, reasons, strict=True)
    ]
