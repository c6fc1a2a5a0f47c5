"""The listener on real sockets of this machine."""

import errno
import random
import socket

import pytest
import trio

from matcha_p2p.errors import LinkError
from matcha_p2p.session.storage.heard_knocks import StoredKnocks
from matcha_p2p.transport import listen as module
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import notice_silence
from matcha_p2p.transport.listen import KnocksOfARun, Listener, listen
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.noise import HANDSHAKE_SIZE, Initiator
from tests.harness import initiate

PSK = Psk(bytes(range(32)))
HELLO = Frame(Kind.WAYS, b"hello")


def has_address(host):
    """Tell, by trying, whether this machine can listen on ``host``."""

    async def bind():
        for listener in await trio.open_tcp_listeners(0, host=host):
            await listener.aclose()

    try:
        trio.run(bind)
    except OSError:
        return False
    return True


LOOPBACKS = [host for host in ("127.0.0.1", "::1") if has_address(host)]


@pytest.mark.parametrize("host", LOOPBACKS)
async def test_strangers_at_a_real_socket_get_nothing_and_the_guest_gets_in(host):
    """A port scanner, a browser, noise, an idle line and half a knock are all there."""
    greetings = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a browser\r\n\r\n",
        random.Random(1).randbytes(300),
        Initiator(bytes(32)).write(),
        b"",
        Initiator(PSK).write()[:20],
    ]
    listener = await listen(0, [host])
    strangers = []
    async with trio.open_nursery() as nursery:
        guests = []

        async def wait():
            guests.append(await listener.accept(PSK))

        nursery.start_soon(wait)
        scanner = await trio.open_tcp_stream(host, listener.port)
        await scanner.aclose()
        for greeting in greetings:
            stranger = await trio.open_tcp_stream(host, listener.port)
            strangers.append(stranger)
            await stranger.send_all(greeting)
        guest = await initiate(await trio.open_tcp_stream(host, listener.port), PSK)
    await guest.send(HELLO)
    assert await guests[0].receive() == HELLO
    for stranger in strangers:
        assert await last_bytes(stranger) == b""
        await stranger.aclose()
    with pytest.raises(OSError, match="connect"):
        await trio.open_tcp_stream(host, listener.port)
    await guest.aclose()
    await guests[0].aclose()


async def last_bytes(stream):
    try:
        return await stream.receive_some()
    except trio.BrokenResourceError:
        return b""


async def test_without_hosts_every_family_is_served():
    with await listen(0) as listener:
        for host in LOOPBACKS:
            stream = await trio.open_tcp_stream(host, listener.port)
            await stream.aclose()


async def test_a_port_in_use_is_told():
    with await listen(0) as listener, pytest.raises(LinkError, match="in use") as raised:
        await listen(listener.port)
    assert raised.value.code == "port-used"


async def test_the_next_free_port_serves_when_the_usual_one_is_taken(monkeypatch):
    with await listen(0) as first:
        monkeypatch.setattr(module, "DEFAULT_PORT", first.port)
        with await listen() as second:
            assert first.port < second.port < first.port + module.PORTS_TRIED


async def test_an_address_of_another_machine_is_an_error():
    with pytest.raises(LinkError, match="Cannot listen"):
        await listen(0, ["127.0.0.1", "203.0.113.1"])


async def test_a_machine_without_ipv6_listens_on_ipv4(monkeypatch):
    original = trio.open_tcp_listeners

    async def without_ipv6(port, *, host):
        if ":" in host:
            raise OSError(errno.EAFNOSUPPORT, "no such family")
        return await original(port, host=host)

    monkeypatch.setattr(trio, "open_tcp_listeners", without_ipv6)
    with await listen(0) as listener:
        await (await trio.open_tcp_stream("127.0.0.1", listener.port)).aclose()


async def test_the_system_watches_a_silent_line(monkeypatch):
    """Linux ends an unacknowledged connection after 45 s; other systems have no such option."""
    with await listen(0, LOOPBACKS[:1]) as listener:
        stream = await trio.open_tcp_stream(LOOPBACKS[0], listener.port)
        option = getattr(socket, "TCP_USER_TIMEOUT", None)
        if option is not None:
            notice_silence(stream)
            assert stream.getsockopt(socket.IPPROTO_TCP, option) == 45_000
        monkeypatch.delattr(socket, "TCP_USER_TIMEOUT", raising=False)
        notice_silence(stream)
        await stream.aclose()


@pytest.mark.parametrize("restarts", [False, True], ids=["same program", "started again"])
async def test_a_knock_that_was_heard_is_not_answered_when_the_door_is_opened_again(
    tmp_path, restarts
):
    """An observer that repeats the guest's first bytes gets no byte back."""
    recording = Initiator(PSK).write()
    knocks = StoredKnocks(tmp_path / "knocks") if restarts else KnocksOfARun()
    listener = await listen(0, LOOPBACKS[:1], knocks)
    assert len(await said_to_who_repeats(recording, listener)) == HANDSHAKE_SIZE
    if restarts:
        knocks = StoredKnocks(tmp_path / "knocks")
    again = await listen(listener.port, LOOPBACKS[:1], knocks)
    assert await said_to_who_repeats(recording, again) == b""


async def said_to_who_repeats(recording: bytes, listener: Listener) -> bytes:
    """Return the answer of ``listener``; then let the guest in, which closes the listener."""
    host = LOOPBACKS[0]
    guests = []

    async def wait():
        guests.append(await listener.accept(PSK))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        async with await trio.open_tcp_stream(host, listener.port) as watcher:
            await watcher.send_all(recording + bytes(16))
            said = await last_bytes(watcher)
        guest = await initiate(await trio.open_tcp_stream(host, listener.port), PSK)
    await guest.aclose()
    await guests[0].aclose()
    return said
