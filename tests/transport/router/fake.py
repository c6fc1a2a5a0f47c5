"""A router in this process, at a loopback address of its own: PCP, NAT-PMP, and UPnP IGD.

The router behaves as miniupnpd does, and badly where a test wants bad behaviour.
"""

import os
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address

import h11
import trio

from matcha_p2p.transport.router import datagrams

OUTSIDE = IPv4Address("20.1.0.2")
_numbers = iter(range(1, 250))


def own_address() -> IPv4Address:
    """Return a loopback address for this test alone, among all test processes."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return IPv4Address(f"127.{100 + worker}.{os.getpid() % 250}.{next(_numbers)}")


@dataclass
class FakeRouter:
    """The abilities of a router, and the questions it was asked.

    pcp, natpmp, upnp: whether the router speaks the protocol. outside: the router's address on
    the internet. taken: ports of other machines. result: an error in the answers (PCP: a
    number). silent: the router answers no question. igd: version of the device. only_for_good:
    the router knows no leases. seconds: the longest lease.
    """

    pcp: bool = False
    natpmp: bool = False
    upnp: bool = False
    silent: bool = False
    outside: IPv4Address = OUTSIDE
    taken: set[int] = field(default_factory=set)
    result: int = 0
    igd: int = 2
    only_for_good: bool = False
    seconds: int = 86_400
    location: str | None = None
    address: IPv4Address = field(default_factory=own_address)
    mapped: dict[int, tuple[int, int]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    search_port: int = 0
    http_port: int = 0
    description: Callable[["FakeRouter"], bytes] | None = None
    mangle: Callable[[bytes], bytes] = bytes

    async def run(self, *, task_status=trio.TASK_STATUS_IGNORED) -> None:
        async with trio.open_nursery() as nursery:
            with (
                trio.socket.socket(type=trio.socket.SOCK_DGRAM) as asked,
                trio.socket.socket(type=trio.socket.SOCK_DGRAM) as searched,
            ):
                if self.pcp or self.natpmp or self.silent:
                    await asked.bind((str(self.address), datagrams.PORT))
                    nursery.start_soon(self._datagrams, asked)
                await searched.bind((str(self.address), 0))
                self.search_port = searched.getsockname()[1]
                nursery.start_soon(self._searches, searched)
                (listener,) = await trio.open_tcp_listeners(0, host=str(self.address))
                self.http_port = listener.socket.getsockname()[1]
                nursery.start_soon(trio.serve_listeners, self._http, [listener])
                task_status.started()
                await trio.sleep_forever()

    # --- PCP and NAT-PMP ---------------------------------------------------------------------

    async def _datagrams(self, line) -> None:
        while True:
            message, whom = await line.recvfrom(1100)
            answer = None if self.silent else self._answer(message)
            if answer is not None:
                await line.sendto(self.mangle(answer), whom)

    def _answer(self, message: bytes) -> bytes | None:
        if message[0] == 2:
            self.asked.append("PCP")
            if not self.pcp:
                return struct.pack("!BBHI", 0, 0x81, 1, 0) if self.natpmp else None
            return self._pcp(message)
        self.asked.append("NAT-PMP")
        if not self.natpmp:
            return None
        if message == bytes(2):
            return struct.pack("!BBHI4s", 0, 128, self.result, 7, self.outside.packed)
        _, opcode, _, inner, wished, seconds = struct.unpack("!BBHHHI", message)
        outer, seconds = self._map(inner, wished, seconds)
        return struct.pack("!BBHIHHI", 0, 128 | opcode, self.result, 7, inner, outer, seconds)

    def _pcp(self, message: bytes) -> bytes:
        _, opcode, _, seconds = struct.unpack_from("!BBHI", message)
        nonce, protocol, inner, wished = struct.unpack_from("!12sB3xHH", message, 24)
        outer = wished
        if not self.result:
            outer, seconds = self._map(inner, wished, seconds)
        outside = IPv6Address(b"\0" * 10 + b"\xff\xff" + self.outside.packed).packed
        head = struct.pack("!BBBBII12x", 2, 128 | opcode, 0, self.result, seconds, 7)
        return head + struct.pack("!12sB3xHH16s", nonce, protocol, inner, outer, outside)

    def _map(self, inner: int, wished: int, seconds: int) -> tuple[int, int]:
        if not seconds:
            self.mapped = {o: m for o, m in self.mapped.items() if m[0] != inner}
            return wished, 0
        outer = wished
        while outer in self.taken:
            outer += 1
        seconds = min(seconds, self.seconds)
        self.mapped[outer] = (inner, seconds)
        return outer, seconds

    # --- UPnP --------------------------------------------------------------------------------

    async def _searches(self, line) -> None:
        while True:
            message, whom = await line.recvfrom(2048)
            assert b"ssdp:discover" in message
            if self.upnp:
                where = self.location or f"http://{self.address}:{self.http_port}/root.xml"
                head = f"HTTP/1.1 200 OK\r\nST: x\r\nLOCATION: {where}\r\n\r\n"
                await line.sendto(head.encode(), whom)

    async def _http(self, stream) -> None:
        connection = h11.Connection(h11.SERVER)
        asked, body = None, b""
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(await stream.receive_some(4096))
            elif isinstance(event, h11.Request):
                asked = event
            elif isinstance(event, h11.Data):
                body += event.data
            else:
                break
        if asked is None:  # whoever came has hung up
            return
        if asked.method == b"GET":
            status, answer = 200, (self.description or described)(self)
        else:
            status, answer = self._control(body.decode())
        head = h11.Response(status_code=status, headers=[("Content-Length", str(len(answer)))])
        message = connection.send(head) + connection.send(h11.Data(data=answer))
        await stream.send_all(message + connection.send(h11.EndOfMessage()))
        await stream.aclose()

    def _control(self, body: str) -> tuple[int, bytes]:
        action = body.partition("<u:")[2].partition(" ")[0]
        self.asked.append(action)

        def field_(name: str) -> str:
            return body.partition(f"<{name}>")[2].partition("<")[0]

        if action == "GetExternalIPAddress":
            return 200, said(action, NewExternalIPAddress=str(self.outside))
        outer = int(field_("NewExternalPort"))
        if action == "DeletePortMapping":
            self.mapped.pop(outer, None)
            return 200, said(action)
        seconds = int(field_("NewLeaseDuration"))
        if self.only_for_good and seconds:
            return 500, failed(725)
        if self.result:
            return 500, failed(self.result)
        if outer in self.taken and action == "AddPortMapping":
            return 500, failed(718)
        while outer in self.taken:
            outer += 1
        self.mapped[outer] = (int(field_("NewInternalPort")), seconds)
        return 200, said(action, NewReservedPort=str(outer))


def described(router: FakeRouter) -> bytes:
    services = [("Layer3Forwarding:1", "/l3"), (f"WANIPConnection:{router.igd}", "/wan")]
    inside = "".join(
        f"<service><serviceType>urn:schemas-upnp-org:service:{kind}</serviceType>"
        f"<controlURL>{path}</controlURL></service>"
        for kind, path in services
    )
    root = "urn:schemas-upnp-org:device-1-0"
    return f'<?xml version="1.0"?><root xmlns="{root}">{inside}</root>'.encode()


def said(action: str, **fields: str) -> bytes:
    inside = "".join(f"<{name}>{value}</{name}>" for name, value in fields.items())
    return (
        '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
        f'<u:{action}Response xmlns:u="x">{inside}</u:{action}Response>'
        "</s:Body></s:Envelope>"
    ).encode()


def failed(number: int) -> bytes:
    return (
        '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault>'
        '<faultcode>s:Client</faultcode><detail><UPnPError xmlns="x">'
        f"<errorCode>{number}</errorCode></UPnPError></detail></s:Fault>"
        "</s:Body></s:Envelope>"
    ).encode()
