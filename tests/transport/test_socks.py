"""SOCKS: every answer of a proxy, and its outcome."""

import errno
from functools import partial
from ipaddress import ip_address

import pytest
import trio
from trio.testing import memory_stream_pair

from matcha_p2p.errors import LinkError, ProxyError
from matcha_p2p.transport.dial import dial
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.listen import listen
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.socks import ask_for, greet, open_through
from tests.transport.servers import HERE, FakeSocks, exactly

PROXY = Server("127.0.0.1", 9050)
TARGET = Endpoint(ip_address("8.8.4.4"), 4717)
PSK = bytes(range(32))


async def answered(work, asked, answer):
    """Let ``work`` ask a proxy; return what is left, or the error.

    asked: what the proxy hears. answer: what it says then.
    """
    near, far = memory_stream_pair()

    async def proxy():
        assert await exactly(far, len(asked)) == asked
        await far.send_all(answer + b"the first word")
        await far.send_eof()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(proxy)
        try:
            await work(near)
        except (LinkError, OSError) as error:
            return error
    return await near.receive_some()


ask = partial(answered, lambda near: ask_for(near, PROXY, TARGET))
REQUEST = b"\5\1\0\1\x08\x08\4\4\x12\x6d"


@pytest.mark.parametrize(
    "bound",
    [b"\1" + bytes(6), b"\4" + bytes(18), b"\3\0" + bytes(2), b"\3\xff" + bytes(257)],
    ids=["IPv4", "IPv6", "no name", "the longest name"],
)
async def test_answer_is_read_and_not_a_byte_more(bound):
    assert await ask(REQUEST, b"\5\0\0" + bound) == b"the first word"


async def test_ipv6_address_is_sent_as_ipv6():
    target = Endpoint(ip_address("2600::1"), 80)
    asked = b"\5\1\0\4" + target.address.packed + b"\0\x50"
    work = partial(ask_for, proxy=PROXY, target=target)
    assert await answered(work, asked, b"\5\0\0\1" + bytes(6)) == b"the first word"


@pytest.mark.parametrize(
    ("reply", "number"),
    [(1, errno.EIO), (4, errno.EHOSTUNREACH), (5, errno.ECONNREFUSED), (255, errno.EIO)],
)
async def test_proxy_that_cannot_connect_says_why(reply, number):
    error = await ask(REQUEST, bytes([5, reply, 0, 1]) + bytes(6))
    assert isinstance(error, OSError)
    assert error.errno == number


@pytest.mark.parametrize("answer", [b"\4\0\0\1", b"HTTP", b"\5\0\0\2"])
async def test_answer_of_another_service_is_told(answer):
    error = await ask(REQUEST, answer)
    assert isinstance(error, ProxyError)
    assert "no SOCKS proxy of version 5" in str(error)


@pytest.mark.parametrize(
    ("answer", "said"),
    [(b"\5\xff", "wants a password"), (b"\5\2", "wants a password"), (b"HT", "no SOCKS proxy")],
)
async def test_proxy_that_lets_nobody_in_is_told(answer, said):
    error = await answered(partial(greet, proxy=PROXY), b"\5\1\0", answer)
    assert isinstance(error, ProxyError)
    assert said in str(error)


async def test_closing_proxy_is_refused():
    near, far = memory_stream_pair()
    await far.aclose()
    with pytest.raises(ProxyError, match="no SOCKS proxy"):
        await greet(near, PROXY)
    with pytest.raises(ConnectionResetError):
        await ask_for(near, PROXY, TARGET)


async def test_host_is_reached_through_a_proxy(nursery):
    """The link knows the address of the host, not that of the proxy."""
    fake = FakeSocks()
    proxy = await nursery.start(fake.run)
    listener = await listen(0, [HERE])
    there = Endpoint(ip_address(HERE), listener.port)

    async def host():
        link = await listener.accept(PSK)
        await link.send(Frame(Kind.WAYS, b"hello"))
        await link.aclose()

    nursery.start_soon(host)
    link = await dial([there], PSK, timeout=5, proxy=proxy)
    assert await link.receive() == Frame(Kind.WAYS, b"hello")
    assert fake.targets == [there]
    assert link.remote == there.address
    await link.aclose()
    listener.close()


async def test_host_that_does_not_wait_is_refused_through_a_proxy(nursery):
    proxy = await nursery.start(FakeSocks().run)
    with pytest.raises(
        LinkError, match=r"Refused at once: 127\.0\.0\.1:1 \(connection refused"
    ):
        await dial([Endpoint(ip_address(HERE), 1)], PSK, timeout=5, proxy=proxy)


async def test_missing_proxy_is_told_and_dials_nobody():
    gone = Server(HERE, 1)
    with pytest.raises(ProxyError, match=r"The SOCKS proxy at 127\.0\.0\.1:1 does not answer"):
        await open_through(gone, TARGET)
    with pytest.raises(ProxyError, match="does not answer"):
        await dial([TARGET, TARGET], PSK, timeout=5, proxy=gone)
