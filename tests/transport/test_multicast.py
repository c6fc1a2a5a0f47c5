"""Datagrams over loopback: called, answered, swept."""

import socket
import sys
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
import trio

from matcha_p2p.transport import multicast
from matcha_p2p.transport.local.interfaces import Interface
from matcha_p2p.transport.multicast import Sockets

LOOPBACK = (Interface(1, IPv4Address("127.0.0.1"), IPv4Network("127.0.0.0/8")),)
SMALL = (Interface(1, IPv4Address("127.0.0.1"), IPv4Network("127.0.0.0/30")),)


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize("how", ["call", "sweep"])
async def test_hearer_can_answer(how):
    port = free_port()
    own = LOOPBACK if how == "call" else SMALL
    with Sockets(port) as hearing, Sockets(0, peers=port) as asking:
        hearing.join(own)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hearing.run)
            nursery.start_soon(asking.run)
            with trio.fail_after(5):
                await getattr(asking, how)(b"who?", own)
                heard = await hearing.hear()
                assert heard.datagram == b"who?"
                assert heard.sender == IPv4Address("127.0.0.1")
                await hearing.answer(heard, b"me")
                assert (await asking.hear()).datagram == b"me"
            nursery.cancel_scope.cancel()


async def test_two_programs_on_one_machine_both_hear_a_call():
    port = free_port()
    with Sockets(port) as one, Sockets(port) as other, Sockets(0, peers=port) as asking:
        async with trio.open_nursery() as nursery:
            for each in (one, other, asking):
                each.join(LOOPBACK)
                nursery.start_soon(each.run)
            with trio.fail_after(5):
                await asking.call(b"who?", LOOPBACK)
                assert (await one.hear()).datagram == (await other.hear()).datagram == b"who?"
            nursery.cancel_scope.cancel()


def test_a_link_local_address_keeps_its_zone():
    """Without the zone, the network card for the answer is unknown."""
    assert str(multicast._address(("fe80::1", 4717, 0, 3))) == "fe80::1%3"
    assert str(multicast._address(("2001:db8::1", 4717, 0, 0))) == "2001:db8::1"
    assert str(multicast._address(("192.0.2.1", 4717))) == "192.0.2.1"


@pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 is no address elsewhere")
@pytest.mark.parametrize("how", ["call", "sweep"])
async def test_query_is_sent_from_the_source_that_is_asked_for(how):
    port, source = free_port(), IPv4Address("127.0.0.2")
    own = (
        Interface(1, source, IPv4Network("127.0.0.0/8" if how == "call" else "127.0.0.0/30")),
    )
    with Sockets(port) as hearing, Sockets(0, port, own[0]) as asking:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hearing.run)
            with trio.fail_after(5):
                await getattr(asking, how)(b"who?", own)
                assert (await hearing.hear()).sender == source
            nursery.cancel_scope.cancel()


def test_source_of_a_link_is_named_with_its_network_card():
    link = Interface(3, IPv6Address("fe80::1"), IPv6Network("fe80::/64"))
    assert multicast._name(link, 7) == ("fe80::1", 7, 0, 3)
    home = Interface(3, IPv6Address("fd00::1"), IPv6Network("fd00::/64"))
    assert multicast._name(home, 7) == ("fd00::1", 7)


async def test_failed_sending_or_joining_is_lost_in_silence():
    nowhere = (Interface(999, IPv4Address("203.0.113.9"), IPv4Network("203.0.113.0/24")),)
    with Sockets(0, peers=9) as line:
        line.join(nowhere)
        await line.call(b"who?", nowhere)
