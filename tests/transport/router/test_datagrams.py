"""A socket for questions to a router is closed if it cannot be opened whole."""

from ipaddress import IPv6Address

import pytest
import trio

from matcha_p2p.transport.router.datagrams import RouterSocket
from matcha_p2p.transport.router.lease import RouterError

LOOPBACK = IPv6Address("::1")


@pytest.fixture
def made(monkeypatch):
    """Return the list of all sockets that are made."""
    sockets = []
    make = trio.socket.socket

    def remembered(*kind):
        sockets.append(make(*kind))
        return sockets[-1]

    monkeypatch.setattr(trio.socket, "socket", remembered)
    return sockets


async def test_socket_with_a_foreign_address_is_refused_and_closed(made):
    with pytest.raises(RouterError):
        await RouterSocket.open(LOOPBACK, own=IPv6Address("2001:db8::1"))
    assert [line.fileno() for line in made] == [-1]


async def test_socket_is_closed_if_its_opening_is_cancelled(made):
    with trio.CancelScope() as scope:
        scope.cancel()
        await RouterSocket.open(LOOPBACK, own=LOOPBACK)
    assert [line.fileno() for line in made] == [-1]
