"""The race of addresses, on real sockets of this machine."""

import contextlib
import errno
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, ip_address
from types import SimpleNamespace

import pytest
import trio

from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.transport import dial as module
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.dial import connect, dial
from matcha_p2p.transport.endpoints import at_port
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import answer, hear_knock, knock
from matcha_p2p.transport.listen import listen
from matcha_p2p.transport.noise import Initiator, Responder
from tests.harness import respond

PSK = bytes(range(32))
NEIGHBOUR = at_port([ip_address("192.168.1.7")], 4717)
HELLO = Frame(Kind.WAYS, b"hello")


def loopbacks():
    """Return, by trying, the machine's addresses with a possible listener."""

    async def bind(host):
        for listener in await trio.open_tcp_listeners(0, host=host):
            await listener.aclose()

    found = []
    for host in ("127.0.0.1", "127.0.0.2", "127.0.0.3", "::1"):
        try:
            trio.run(bind, host)
        except OSError:
            continue
        found.append(ip_address(host))
    return found


LOOPBACKS = loopbacks()
several = pytest.mark.skipif(len(LOOPBACKS) < 3, reason="three loopback addresses are needed")


@pytest.fixture(autouse=True)
def short_head_start(monkeypatch):
    monkeypatch.setattr(module, "HEAD_START", 0.01)


@asynccontextmanager
async def hosting(address, port=0, psk=PSK):
    """Yield the port of a host who says hello to his guest."""
    listener = await listen(port, [str(address)])

    async def host():
        link = await listener.accept(psk)
        await link.send(HELLO)
        await link.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host)
        yield listener.port
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def occupied(address, port, behave):
    """Let ``behave`` meet each connection to ``port`` of ``address``."""
    (listener,) = await trio.open_tcp_listeners(port, host=str(address))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, behave, [listener])
        yield
        nursery.cancel_scope.cancel()


async def say_nothing(_):
    await trio.sleep_forever()


async def hang_up(_):
    """Close the connection, as a host that waits for another guest."""


async def pretend(stream):
    """Answer as a host with another secret."""
    responder = Responder(PSK[::-1])
    responder.read(Initiator(PSK[::-1]).write())
    await stream.send_all(responder.write()[1])
    await trio.sleep_forever()


async def greet(link):
    assert await link.receive() == HELLO
    await link.aclose()


@pytest.mark.parametrize("address", LOOPBACKS, ids=str)
async def test_an_invite_leads_to_its_host(address):
    secret = bytes(range(16))
    psk = Invite(at_port([address], 1), secret).psk
    async with hosting(address, psk=psk) as port:
        await greet(await connect(Invite(at_port([address], port), secret), timeout=5))


@several
async def test_dead_address_leaves_a_living_one_in_reach():
    """The first refuses, the second never says a word, the third is the host's."""
    dead, silent, living = LOOPBACKS[:3]
    async with hosting(living) as port, occupied(silent, port, say_nothing):
        await greet(await dial(at_port([dead, silent, living], port), PSK, timeout=5))


@several
async def test_an_impostor_does_not_keep_us_from_the_host():
    impostor, living = LOOPBACKS[:2]
    async with hosting(living) as port, occupied(impostor, port, pretend):
        await greet(await dial(at_port([impostor, living], port), PSK, timeout=5))


async def test_one_host_behind_several_addresses_gets_one_guest(monkeypatch):
    """Both ends agree on the connection, though all were answered."""
    monkeypatch.setattr(module, "HEAD_START", 0)
    address = LOOPBACKS[0]
    async with hosting(address) as port:
        await greet(await dial(at_port([address] * 7, port), PSK, timeout=5))


async def test_answers_at_one_moment_leave_one_connection(monkeypatch, autojump_clock):
    """The nursery ends: the losers too have heard the end of their connection."""

    async def host(stream):
        with contextlib.suppress(LinkError):
            await respond(stream, PSK)

    async def knock_at(*_):
        await trio.sleep(1)
        near, far = trio.testing.memory_stream_pair()
        nursery.start_soon(host, far)
        return near, await knock(near, PSK)

    monkeypatch.setattr(module, "HEAD_START", 0)
    monkeypatch.setattr(module, "_knock_at", knock_at)
    async with trio.open_nursery() as nursery:
        link = await dial(at_port([IPv4Address(1)] * 3, 1), PSK, timeout=5)
    assert autojump_clock.current_time() == 1
    await link.aclose()


@pytest.mark.parametrize("tries", [1, 2])
async def test_connection_that_ends_before_its_confirmation_counts_as_hung_up(
    monkeypatch, autojump_clock, tries
):
    """The address is tried again, if more tries are left."""
    came = []

    async def host(stream):
        responder, _ = await hear_knock(stream, PSK)
        if came:
            came.append(await answer(stream, responder))
        else:
            came.append(None)
            await stream.send_all(responder.write()[1])
            await stream.aclose()

    async def knock_at(*_):
        near, far = trio.testing.memory_stream_pair()
        nursery.start_soon(host, far)
        channel = await knock(near, PSK)
        await trio.testing.wait_all_tasks_blocked()
        return near, channel

    monkeypatch.setattr(module, "_knock_at", knock_at)
    place = at_port([IPv4Address(1)], 1)
    async with trio.open_nursery() as nursery:
        if tries == 1:
            with pytest.raises(HandshakeError, match="hung up") as ended:
                await dial(place, PSK, timeout=5)
            assert ended.value.code == "invite-used"
        else:
            link = await dial(place, PSK, timeout=5, tries=tries)
            assert link.binding == came[1].binding


@pytest.mark.slow
@several
async def test_each_failure_is_reported():
    dead, silent, rude = LOOPBACKS[:3]
    (free,) = await trio.open_tcp_listeners(0, host=str(dead))
    port = free.socket.getsockname()[1]
    await free.aclose()
    async with occupied(silent, port, say_nothing):
        with pytest.raises(LinkError) as unreached:
            await dial(at_port([dead, silent], port), PSK, timeout=1)
        async with occupied(rude, port, hang_up):
            with pytest.raises(HandshakeError) as shut_out:
                await dial(at_port([dead, silent, rude], port), PSK, timeout=1)
    places = f"{dead}:{port} (connection refused), {silent}:{port} (silent)"
    assert str(unreached.value).startswith(f"No answer from {places} within 1 s.")
    assert unreached.value.code == "net-unreachable"
    assert f"Tried: {places}, {rude}:{port} (hung up)." in str(shut_out.value)
    assert shut_out.value.code == "invite-used"


async def test_immediate_refusal_is_not_told_as_silence():
    """Nobody has waited for 12 s then, and no router is slow to answer."""
    (free,) = await trio.open_tcp_listeners(0, host=str(LOOPBACKS[0]))
    port = free.socket.getsockname()[1]
    await free.aclose()
    with pytest.raises(LinkError) as refused:
        await dial(at_port(LOOPBACKS[:1], port), PSK, timeout=12)
    place = f"{LOOPBACKS[0]}:{port} (connection refused)"
    assert str(refused.value).startswith(f"Refused at once: {place}. ")
    assert "within" not in str(refused.value)
    assert refused.value.code == "net-unreachable"


async def test_host_without_the_secret_is_told_apart():
    address = LOOPBACKS[-1]
    (listener,) = await trio.open_tcp_listeners(0, host=str(address))
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    async with occupied(address, port, pretend):
        with pytest.raises(HandshakeError, match="does not hold the secret"):
            await dial(at_port([address], port), PSK, timeout=5)


@pytest.mark.parametrize("refused", [False, True])
async def test_guest_reads_that_the_invite_holds_only_addresses_of_another_network(
    monkeypatch, autojump_clock, refused
):
    async def knock_at(*_):
        if not refused:
            await trio.sleep_forever()
        await trio.lowlevel.checkpoint()
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    monkeypatch.setattr(module, "_knock_at", knock_at)
    with pytest.raises(LinkError) as caught:
        await dial(at_port([ip_address("192.168.61.2")], 4717), PSK, timeout=1)
    assert "only addresses of the host's own network" in str(caught.value)
    assert "no route to host" in str(caught.value) or not refused
    assert caught.value.code == "net-unreachable"


async def test_host_waiting_for_another_guest_stays_silent():
    address = LOOPBACKS[0]
    async with hosting(address) as port:
        with pytest.raises(HandshakeError, match="is used, or is for another game"):
            await dial(at_port([address], port), bytes(32), timeout=5)


def test_places_and_reasons_read_well():
    assert str(module._reason(OSError("no number"))) == "unreachable"
    assert str(module._reason(HandshakeError("x"))) == "does not hold the secret"


@pytest.mark.parametrize(("system", "told"), [("darwin", True), ("linux", False)])
@pytest.mark.parametrize("number", [errno.EHOSTUNREACH, errno.ECONNREFUSED])
async def test_permission_of_macos_is_named_where_a_neighbour_has_no_route(
    monkeypatch, system, told, number
):
    async def refuse(_):
        raise OSError(number, "refused")

    monkeypatch.setattr(module, "_open", refuse)
    monkeypatch.setattr(module, "sys", SimpleNamespace(platform=system))
    with pytest.raises(LinkError) as caught:
        await dial(NEIGHBOUR, PSK, timeout=1)
    named = "Privacy & Security, Local Network" in str(caught.value)
    assert named == (told and number == errno.EHOSTUNREACH)
