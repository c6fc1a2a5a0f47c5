"""Links over streams in memory."""

import sys

import pytest
import trio
from trio.testing import lockstep_stream_pair, memory_stream_pair

from matcha_p2p.errors import EncodingError, HandshakeError, LinkError
from matcha_p2p.transport.framing import FRAME_LIMIT, Frame, Kind, prefix_length
from matcha_p2p.transport.noise import Initiator, Responder
from tests.harness import initiate, respond

PSK = bytes(range(32))
PING = Frame(Kind.PING)


async def linked(streams):
    """Return the links of the initiator and the responder at the ends of ``streams``."""
    links = {}

    async def make(side, ours, stream):
        links[side] = await ours(stream, PSK)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(make, 0, initiate, streams[0])
        nursery.start_soon(make, 1, respond, streams[1])
    return links[0], links[1]


@pytest.fixture
async def links():
    return await linked(memory_stream_pair())


async def outcome(establish, stream, psk=PSK):
    """Return the exception that ``establish`` ends with."""
    with pytest.raises((HandshakeError, LinkError)) as caught:
        await establish(stream, psk)
    await stream.aclose()
    return caught.value


async def test_frames_arrive_in_order_both_ways(links):
    initiator, responder = links
    for sender, receiver in ((initiator, responder), (responder, initiator)):
        sent = [Frame(kind, bytes([kind]) * kind) for kind in Kind]
        for frame in sent:
            await sender.send(frame)
        assert [await receiver.receive() for _ in sent] == sent


async def test_both_ends_share_a_binding_of_32_bytes(links):
    assert links[0].binding == links[1].binding
    assert len(links[0].binding) == 32


async def test_the_largest_frame_passes(links):
    frame = Frame(Kind.MSG, bytes(FRAME_LIMIT - 1))
    await links[0].send(frame)
    assert await links[1].receive() == frame


async def test_a_frame_too_large_harms_nothing(links):
    with pytest.raises(EncodingError):
        await links[0].send(Frame(Kind.MSG, bytes(FRAME_LIMIT)))
    await links[0].send(Frame(Kind.PING))
    assert await links[1].receive() == Frame(Kind.PING)


async def test_frames_survive_single_bytes():
    """However the line cuts the stream, frames are the same."""
    near, line = memory_stream_pair()
    out, far = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        for source, target in ((line, out), (out, line)):
            nursery.start_soon(carry_single_bytes, source, target)
        first, second = await linked((near, far))
        await first.send(Frame(Kind.WAYS, b"hello"))
        await first.send(Frame(Kind.PING))
        assert await second.receive() == Frame(Kind.WAYS, b"hello")
        assert await second.receive() == Frame(Kind.PING)
        nursery.cancel_scope.cancel()


async def carry_single_bytes(source, target):
    while True:
        await target.send_all(await source.receive_some(1))


async def test_frames_of_many_tasks_do_not_mix():
    first, second = await linked(lockstep_stream_pair())
    sent = [Frame(Kind.WAYS, bytes([number]) * 1000) for number in range(10)]
    async with trio.open_nursery() as nursery:
        for frame in sent:
            nursery.start_soon(first.send, frame)
        received = [await second.receive() for _ in sent]
    assert sorted(received, key=lambda frame: frame.payload) == sent


async def test_a_cancelled_receive_loses_nothing():
    near, far = memory_stream_pair()
    first, second = await linked((near, far))
    await first.send(Frame(Kind.WAYS, b"patience"))
    with trio.CancelScope() as scope:
        scope.cancel()
        await second.receive()
    assert await second.receive() == Frame(Kind.WAYS, b"patience")


async def test_a_cancelled_send_closes_the_link(autojump_clock):
    """Half a frame may have left, and nothing can follow half a frame."""
    first, _ = await linked(lockstep_stream_pair())
    with trio.move_on_after(1):
        await first.send(PING)
    assert autojump_clock.current_time() == 1
    with pytest.raises(LinkError):
        await first.send(PING)


async def test_a_closed_link_is_of_no_more_use(links):
    await links[0].aclose()
    with pytest.raises(LinkError):
        await links[0].send(PING)
    with pytest.raises(LinkError):
        await links[0].receive()


async def test_the_other_end_hears_of_the_end(links):
    await links[0].send(PING)
    await links[0].aclose()
    assert await links[1].receive() == PING
    with pytest.raises(LinkError, match="closed"):
        await links[1].receive()
    with pytest.raises(LinkError):
        await links[1].send(PING)


@pytest.mark.parametrize("place", [0, 1, 2, 10, 20])
async def test_a_byte_altered_on_the_line_ends_the_link(place):
    """A changed length is no evidence about the peer."""
    near, far = memory_stream_pair()
    first, second = await linked((near, far))
    await first.send(Frame(Kind.WAYS, b"hello"))
    message = bytearray(await far.receive_stream.receive_some())
    message[place] ^= 0x80
    far.receive_stream.put_data(message + bytes(FRAME_LIMIT))
    with pytest.raises(LinkError, match="altered"):
        await second.receive()
    with pytest.raises(LinkError):
        await second.receive()


@pytest.mark.parametrize("body", [b"", b"\x00", b"\x09what"])
async def test_a_senseless_frame_is_the_peers_fault(body):
    near, far = memory_stream_pair()
    first, second = await linked((near, far))
    await near.send_all(prefix_length(first._channel.outgoing.encrypt(body)))
    await first.send(PING)
    with pytest.raises(EncodingError):
        await second.receive()
    assert await second.receive() == PING


async def test_a_responder_is_silent_to_another_psk():
    near, far = memory_stream_pair()
    await near.send_all(Initiator(bytes(32)).write())
    assert isinstance(await outcome(respond, far), HandshakeError)
    assert await near.receive_some() == b""


async def test_a_responder_takes_no_byte_beyond_the_knock():
    near, far = memory_stream_pair()
    await near.send_all(Initiator(bytes(32)).write() + b"more")
    with pytest.raises(HandshakeError):
        await respond(far, PSK)
    assert await far.receive_some() == b"more"


async def test_an_initiator_refuses_an_answer_under_another_psk():
    near, far = memory_stream_pair()
    impostor = Responder(PSK)
    impostor.read(Initiator(PSK).write())
    await far.send_all(impostor.write()[1])
    assert isinstance(await outcome(initiate, near), HandshakeError)


async def test_a_recorded_knock_makes_no_link():
    """The responder answers, and goes on only after a proof of the initiator."""
    near, far = memory_stream_pair()
    await near.send_all(Initiator(PSK).write() + bytes(16))
    assert isinstance(await outcome(respond, far), LinkError)


@pytest.mark.parametrize("establish", [initiate, respond])
async def test_a_line_that_ends_makes_no_link(establish):
    near, far = memory_stream_pair()
    await near.aclose()
    assert isinstance(await outcome(establish, far), LinkError)


async def test_a_line_that_ends_before_the_proof_makes_no_link():
    near, far = memory_stream_pair()
    await near.send_all(Initiator(PSK).write())
    await near.send_eof()
    assert isinstance(await outcome(respond, far), LinkError)


async def test_the_system_knows_the_time_to_the_other_end_and_back():
    """Of a TCP connection on Linux; of a stream in memory nobody does."""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    near = await trio.testing.open_stream_to_socket_listener(listener)
    far = await listener.accept()
    await listener.aclose()
    for ends, is_known in ((near, far), sys.platform == "linux"), (memory_stream_pair(), False):
        one, other = await linked(ends)
        await one.send(PING)
        assert await other.receive() == PING
        assert (one.round_trip is not None) == is_known
        if is_known:
            assert 0 <= one.round_trip < 1
        await one.aclose()
        assert one.round_trip is None
        await other.aclose()
