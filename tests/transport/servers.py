"""A STUN server and a SOCKS proxy in this process, at loopback."""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address

import trio

from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.servers import Server

HERE = "127.0.0.1"
MAGIC = struct.pack("!I", 0x2112A442)
SEEN = Endpoint(IPv4Address("8.8.4.4"), 5000)


@contextmanager
def nobody_listens() -> Iterator[Server]:
    """Hold a TCP port at which connections are refused; no other program can open it."""
    with socket.socket() as held:
        held.bind((HERE, 0))
        yield Server(HERE, held.getsockname()[1])


def attribute(kind, value):
    return struct.pack("!HH", kind, len(value)) + value + bytes(-len(value) % 4)


def answered(request, *attributes, kind=0x0101):
    """Return an answer to ``request`` that has ``attributes``."""
    body = b"".join(attributes)
    return struct.pack("!HH", kind, len(body)) + request[4:20] + body


def xor_mapped(endpoint, request):
    mask = request[4:20]
    port = endpoint.port ^ int.from_bytes(mask[:2], "big")
    address = bytes(a ^ b for a, b in zip(endpoint.address.packed, mask, strict=False))
    family = 1 if endpoint.address.version == 4 else 2
    return attribute(0x0020, struct.pack("!BBH", 0, family, port) + address)


@dataclass
class FakeStun:
    """seen: the address. answers: to a request; lost: how many requests it does not hear."""

    seen: Endpoint = SEEN
    answers: object = None
    lost: int = 0
    requests: list[bytes] = field(default_factory=list)

    async def run(self, *, task_status=trio.TASK_STATUS_IGNORED):
        with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as line:
            await line.bind((HERE, 0))
            task_status.started(Server(HERE, line.getsockname()[1]))
            while True:
                request, whom = await line.recvfrom(1500)
                self.requests.append(request)
                if len(self.requests) <= self.lost:
                    continue
                usual = [answered(request, xor_mapped(self.seen, request))]
                for each in usual if self.answers is None else self.answers(request):
                    await line.sendto(each, whom)


@dataclass
class FakeSocks:
    """A proxy without a password. targets: the dialled endpoints."""

    targets: list[Endpoint] = field(default_factory=list)

    async def run(self, *, task_status=trio.TASK_STATUS_IGNORED):
        (listener,) = await trio.open_tcp_listeners(0, host=HERE)
        task_status.started(Server(HERE, listener.socket.getsockname()[1]))
        await trio.serve_listeners(self._serve, [listener])

    async def _serve(self, stream):
        async with stream:
            if await exactly(stream, 3) != b"\5\1\0":
                return
            await stream.send_all(b"\5\0")
            try:
                kind = (await exactly(stream, 4))[3]
            except EOFError:
                return  # it was only greeted
            address = ip_address(await exactly(stream, 4 if kind == 1 else 16))
            port = int.from_bytes(await exactly(stream, 2), "big")
            self.targets.append(Endpoint(address, port))
            try:
                there = await trio.open_tcp_stream(str(address), port)
            except OSError:
                await stream.send_all(b"\5\5\0\1" + bytes(6))
                return
            async with there, trio.open_nursery() as nursery:
                await stream.send_all(b"\5\0\0\1" + bytes(6))
                for source, sink in ((stream, there), (there, stream)):
                    nursery.start_soon(pump, source, sink, nursery.cancel_scope)


async def pump(source, sink, scope):
    try:
        while piece := await source.receive_some():
            await sink.send_all(piece)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass
    scope.cancel()


async def exactly(stream, count):
    got = b""
    while len(got) < count:
        piece = await stream.receive_some(count - len(got))
        if not piece:
            raise EOFError
        got += piece
    return got
