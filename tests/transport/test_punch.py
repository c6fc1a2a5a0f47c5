"""Both sides dial, on sockets of this machine: an unexpected dial is refused at once."""

import errno
import socket
from functools import partial
from ipaddress import IPv4Address
from itertools import pairwise
from types import SimpleNamespace

import pytest
import trio

from matcha_p2p.transport import punch as module
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.listen import KnocksOfARun
from matcha_p2p.transport.noise import Initiator
from matcha_p2p.transport.punch import (
    PunchPort,
    punch_as_guest,
    punch_as_host,
    punch_slowly,
    punch_steadily,
)

PSK = bytes(range(32))
HERE = IPv4Address("127.0.0.1")
HELLO = Frame(Kind.WAYS, b"hello")


@pytest.fixture
def ports():
    with PunchPort() as host, PunchPort() as guest:
        yield host.number, guest.number


async def test_two_dialling_each_other_meet(ports):
    host, guest = ports
    links = {}

    async def wait():
        links["host"] = await punch_as_host(host, [Endpoint(HERE, guest)], PSK)

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            links["guest"] = await punch_as_guest(guest, [Endpoint(HERE, host)], PSK)
    assert links["host"].binding == links["guest"].binding
    await links["host"].send(HELLO)
    assert await links["guest"].receive() == HELLO
    for link in links.values():
        await link.aclose()


@pytest.mark.slow
async def test_dialled_stranger_gets_no_byte_and_few_connections(ports, monkeypatch):
    """A stranger listens at the place named by a code: we dial, and send no byte."""
    monkeypatch.setattr(module, "_PROOF_TIME", 0.1)
    host, _ = ports
    heard, came = b"", []
    (listener,) = await trio.open_tcp_listeners(0, host=str(HERE))
    target = Endpoint(HERE, listener.socket.getsockname()[1])

    async def take(stream):
        nonlocal heard
        came.append(trio.current_time())
        try:
            while piece := await stream.receive_some(100):
                heard += piece
        except trio.BrokenResourceError:
            pass

    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, take, [listener])
        with trio.move_on_after(2.2):
            await punch_as_host(host, [target] * 7, PSK)
        nursery.cancel_scope.cancel()
    assert heard == b""
    assert 2 <= len(came) <= 5
    assert all(b - a > 0.4 for a, b in pairwise(came))


@pytest.mark.slow
async def test_guest_pauses_before_dialling_an_answering_stranger_again(ports):
    """A host or a peer names a foreign service: the service hangs up on us at once."""
    _, guest = ports
    came = []
    (listener,) = await trio.open_tcp_listeners(0, host=str(HERE))
    target = Endpoint(HERE, listener.socket.getsockname()[1])

    async def take(stream):
        came.append(trio.current_time())
        await trio.aclose_forcefully(stream)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, take, [listener])
        with trio.move_on_after(1.5):
            await punch_as_guest(guest, [target], PSK)
        nursery.cancel_scope.cancel()
    assert 1 <= len(came) <= 20


@pytest.mark.parametrize("ended", [0, errno.ECONNREFUSED, errno.EHOSTUNREACH])
async def test_host_dials_three_targets_at_most_four_times_a_second(
    monkeypatch, autojump_clock, ended
):
    """Linux sends the first packet again after one second, and after two."""
    packets = []

    async def connect(_, target, seconds, hops=None):
        began = trio.current_time()
        if ended == 0 or hops is None:
            packets.extend((began + later, target.port) for later in range(int(seconds)))
            await trio.sleep(seconds)
            return 0
        packets.append((began, target.port))
        await trio.sleep(0.01)
        return ended

    async def listen(*_):
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(module, "_connect", connect)
    monkeypatch.setattr(module, "_listen", listen)
    targets = [Endpoint(HERE, port) for port in range(5000, 5007)]
    with trio.move_on_after(600):
        await punch_as_host(4718, targets, PSK)
    assert {port for _, port in packets} == {5000, 5001, 5002}
    assert len(packets) <= 4 * 600
    assert autojump_clock.current_time() == 600


async def test_host_dials_with_few_hops_and_listens_after_a_refusal(
    monkeypatch, autojump_clock
):
    done = []

    async def connect(_, __, seconds, hops=None):
        done.append(hops)
        if done.count("listen") < 3:
            return errno.ECONNREFUSED
        await trio.sleep(seconds)
        return 0

    async def listen(*_):
        done.append("listen")
        await trio.sleep(0.5)

    monkeypatch.setattr(module, "_connect", connect)
    monkeypatch.setattr(module, "_listen", listen)
    with trio.move_on_after(12):
        await punch_as_host(4718, [Endpoint(HERE, 5000)], PSK)
    assert done == [2, "listen", 3, "listen", 5, "listen", 8, 2, 3, 5]


async def test_host_with_a_failed_dial_dials_again_at_once(monkeypatch, autojump_clock):
    """All the way then. Between two dials its own machine would refuse the other's."""
    done = []

    async def connect(_, __, seconds, hops=None):
        done.append((trio.current_time(), hops))
        if hops is not None:
            await trio.sleep(0.03)
            return errno.EHOSTUNREACH
        await trio.sleep(seconds)
        return 0

    monkeypatch.setattr(module, "_connect", connect)
    with trio.move_on_after(4):
        await punch_as_host(4718, [Endpoint(HERE, 5000)], PSK)
    assert [hops for _, hops in done] == [2, None, 3, None]
    assert [at for at, _ in done] == pytest.approx([0, 0.03, 3.03, 3.06])


@pytest.mark.parametrize("refused", [False, True])
async def test_a_guest_pauses_only_after_a_refusal(monkeypatch, autojump_clock, refused):
    """Pauses are random and ever longer: a dial between two tries would be refused."""
    begun = []

    async def connect(_, __, seconds):
        begun.append(trio.current_time())
        await trio.sleep(0 if refused else seconds + 0.001)
        return errno.ECONNREFUSED if refused else 0

    monkeypatch.setattr(module, "_connect", connect)
    with trio.move_on_after(600):
        await punch_as_guest(4718, [Endpoint(HERE, 5000)], PSK)
    pauses = [later - earlier for earlier, later in pairwise(begun)]
    if refused:
        assert 0.02 <= min(pauses) < max(pauses[:10]) < 0.4
        assert 1 < max(pauses[-50:]) <= 2
    else:
        assert pauses == pytest.approx([4.001] * len(pauses))


async def test_a_recorded_first_message_is_not_answered(ports):
    host, guest = ports
    recorded = Initiator(PSK).write()
    knocks = KnocksOfARun()
    assert knocks.remember(recorded)
    answered = None

    async def repeat():
        nonlocal answered
        while answered is None:
            line = await module._connect(guest, Endpoint(HERE, host), 1)
            if isinstance(line, int):
                await trio.sleep(0.05)
                continue
            stream = trio.SocketStream(trio.socket.from_stdlib_socket(line))
            await stream.send_all(recorded)
            try:
                answered = await stream.receive_some(100)
            except trio.BrokenResourceError:
                answered = b""
            await trio.aclose_forcefully(stream)
        nursery.cancel_scope.cancel()

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(repeat)
            nursery.start_soon(punch_as_host, host, [Endpoint(HERE, guest)], PSK, knocks)
    assert answered == b""


def test_a_punch_port_is_kept_and_can_be_dialled_from(ports):
    host, guest = ports
    assert len({host, guest}) == 2
    with PunchPort(host) as same:
        assert same.number == host
    module._bound(socket.AF_INET, host).close()


async def test_waiting_host_dials_slowly_and_few(monkeypatch, autojump_clock):
    """A try is open nearly all the time, so a caller comes through."""
    dialled = []

    async def connect(_, target, seconds, hops=None):
        dialled.append((trio.current_time(), target.port, seconds))
        await trio.sleep(seconds)
        return 0

    monkeypatch.setattr(module, "_connect", connect)
    targets = [Endpoint(HERE, port) for port in range(5000, 5020)]
    with trio.move_on_after(600):
        await punch_slowly([(4718, target) for target in targets], trio.aclose_forcefully)
    assert {port for _, port, _ in dialled} == set(range(5000, 5008))
    assert len(dialled) <= 8 + 600 / 4
    open_for = sum(seconds for _, port, seconds in dialled if port == 5000)
    assert open_for >= 0.9 * 600
    assert autojump_clock.current_time() == 600


async def test_caller_and_waiting_friend_meet_and_others_are_dropped(ports):
    """Connections are handed over in turn, until a connection is kept."""
    waiting, calling = ports
    met = {}

    async def take(name, stream):
        met[name] = stream
        if len(met) == 2:
            nursery.cancel_scope.cancel()
        else:
            await trio.sleep_forever()

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            there, here = Endpoint(HERE, calling), [Endpoint(HERE, waiting)]
            nursery.start_soon(punch_slowly, [(waiting, there)], partial(take, "waits"))
            nursery.start_soon(punch_steadily, calling, here, partial(take, "calls"))
    assert met["waits"].socket.getpeername()[1] == calling
    assert met["calls"].socket.getpeername()[1] == waiting
    for stream in met.values():
        await trio.aclose_forcefully(stream)


@pytest.mark.skipif(not hasattr(socket, "SO_REUSEPORT"), reason="not on Windows")
@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_two_sockets_of_macos_share_a_port(monkeypatch, family):
    """With SO_REUSEADDR alone, every dial on macOS would fail."""
    monkeypatch.setattr(module, "sys", SimpleNamespace(platform="darwin"))
    with PunchPort() as port:
        for held in [*port._sockets, module._bound(family, port.number)]:
            assert held.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT)
            held.close()
