"""An encrypted channel over any byte stream, carrying frames (PEER#channel).

The end that dials sends first. Three messages make a link. Only a holder of the psk can make
the *knock* of 48 bytes. The answer has 48 bytes too. The last 16 bytes prove the knock fresh.
"""

import socket
import struct
import sys
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import trio

from matcha_p2p.errors import EncodingError, HandshakeError, LinkError
from matcha_p2p.transport import framing
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.transport.noise import (
    HANDSHAKE_SIZE,
    TAG_SIZE,
    Channel,
    Initiator,
    Responder,
)

_LINGER: Final = struct.Struct("HH" if sys.platform == "win32" else "ii")
ABORTIVE: Final = _LINGER.pack(1, 0)
GRACEFUL: Final = _LINGER.pack(0, 0)
"""Values of SO_LINGER: a close that drops unsent data, and a close that sends the data."""

_TCP_INFO: Final = getattr(socket, "TCP_INFO", None) if sys.platform == "linux" else None
_SHORTEST: Final = struct.Struct("=148xI")
"""Of Linux' struct tcp_info: tcpi_min_rtt, in microseconds, of the last five minutes."""

_CHUNK: Final = 16 * 1024
_SILENCE_LIMIT_MS: Final = 45_000


class Link:
    """An established connection to a holder of the same psk.

    One task may receive, and any number of tasks may send. After a LinkError the link is dead.
    """

    def __init__(self, stream: trio.abc.Stream, channel: Channel) -> None:
        self._stream: Final = stream
        self._channel: Final = channel
        self._sending: Final = trio.Lock()
        self._decoder: Final = framing.BodyDecoder(framing.PADDED_SIZES[-1] + TAG_SIZE)
        self._arrived: Iterator[bytes] = iter(())

    @property
    def remote(self) -> IPv4Address | IPv6Address | None:
        """The address of the other end, or None if the stream has no address."""
        return remote_of(self._stream)

    @property
    def port(self) -> int | None:
        """Our port, or None if the stream has no port."""
        line: trio.socket.SocketType | None = getattr(self._stream, "socket", None)
        if line is None:
            return None
        try:
            return int(line.getsockname()[1])
        except OSError:
            return None  # it is closed

    @property
    def round_trip(self) -> float | None:
        """The system's lowest recent round-trip time in seconds, or None if unknown.

        The measurement needs no message.
        """
        line: trio.socket.SocketType | None = getattr(self._stream, "socket", None)
        if line is None or _TCP_INFO is None:
            return None
        try:
            told = line.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _SHORTEST.size)
        except OSError:
            return None  # it is closed
        if len(told) < _SHORTEST.size:
            return None  # an old kernel
        (microseconds,) = _SHORTEST.unpack(told)
        return None if microseconds == 0xFFFF_FFFF else microseconds / 1_000_000

    @property
    def binding(self) -> Binding:
        """32 bytes, equal at both ends of the connection and at no other connection."""
        return self._channel.binding

    async def send(self, frame: framing.Frame) -> None:
        """Send ``frame`` whole; frames of several tasks go in turn.

        If a send fails or is cancelled, the link is closed, because part of the frame may be
        on the way.

        Raises:
            LinkError: the line has ended.
            EncodingError: the frame is too large; nothing was sent.
        """
        body = framing.pad_frame(frame)
        async with self._sending:
            message = framing.prefix_length(self._channel.outgoing.encrypt(body))
            await send_all(self._stream, message)

    async def receive(self) -> framing.Frame:
        """Return the next frame. Cancelling loses nothing.

        Raises:
            LinkError: the line has ended, or carried bytes that the peer never sent.
            EncodingError: the peer sent an empty frame, or a frame of an unknown kind.
        """
        try:
            return framing.unpad_frame(self._channel.incoming.decrypt(await self._next_body()))
        except LinkError:
            await trio.aclose_forcefully(self._stream)
            raise

    async def _next_body(self) -> bytes:
        try:
            while (body := next(self._arrived, None)) is None:
                self._arrived = self._decoder.feed(await _receive_some(self._stream, _CHUNK))
        except EncodingError:
            # Lengths travel in clear: a wrong length does not prove a fault of the peer.
            raise LinkError("The connection carried altered bytes. Connect again.") from None
        return body

    async def aclose(self) -> None:
        """Close the connection; the other end's ``receive`` raises LinkError."""
        await self._stream.aclose()

    async def abort(self) -> None:
        """Close the connection and drop unsent data, so both ports are free at once."""
        line: trio.socket.SocketType | None = getattr(self._stream, "socket", None)
        if line is not None:
            with suppress(OSError):
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORTIVE)
        await trio.aclose_forcefully(self._stream)


class Proxied(trio.abc.Stream):
    """A stream to ``remote`` through a proxy at the other end of ``stream``."""

    def __init__(self, stream: trio.abc.Stream, remote: IPv4Address | IPv6Address) -> None:
        self._stream: Final = stream
        self.remote: Final = remote

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send ``data`` whole."""
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait for room to send."""
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        """Return the received bytes, at least one byte; at the end return no bytes."""
        return await self._stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        """Close the connection to the proxy."""
        await self._stream.aclose()


def remote_of(stream: trio.abc.Stream) -> IPv4Address | IPv6Address | None:
    """Return the address of the other end of ``stream``, or None if it has no address."""
    if isinstance(stream, Proxied):
        return stream.remote
    line: trio.socket.SocketType | None = getattr(stream, "socket", None)
    if line is None:
        return None
    try:
        host: str = line.getpeername()[0]
    except OSError:
        return None  # it has hung up already
    return ip_address(host.partition("%")[0])


async def knock(stream: trio.abc.Stream, psk: Psk) -> Channel:
    """Speak first on ``stream`` and read the answer; ``confirm`` is still to come.

    Raises:
        HandshakeError: the answerer does not hold ``psk``.
        LinkError: the line ended before an answer.
    """
    initiator = Initiator(psk)
    await send_all(stream, initiator.write())
    channel, _ = initiator.read(await receive_exactly(stream, HANDSHAKE_SIZE))
    return channel


async def confirm(stream: trio.abc.Stream, channel: Channel) -> Link:
    """Choose this connection: send the proof to the answerer, and return the link.

    Raises:
        LinkError: the line has ended.
    """
    await send_all(stream, channel.outgoing.encrypt(b""))
    return Link(stream, channel)


async def hear_knock(stream: trio.abc.Stream, psk: Psk) -> tuple[Responder, bytes]:
    """Wait in silence for a knock; return the responder to the knock, and the knock.

    Raises:
        HandshakeError: the first bytes are not from a holder of ``psk``.
        LinkError: the line ended before a knock.
    """
    responder, message, _ = await hear_knock_of(stream, (psk,))
    return responder, message


async def hear_knock_of(
    stream: trio.abc.Stream, psks: Iterable[Psk]
) -> tuple[Responder, bytes, Psk]:
    """Wait in silence for a knock; return the responder, the knock, and the psk of the knock.

    Raises:
        HandshakeError: the first bytes are not from a holder of one of ``psks``.
        LinkError: the line ended before a knock.
    """
    message = await receive_exactly(stream, HANDSHAKE_SIZE)
    for psk in psks:
        responder = Responder(psk)
        with suppress(HandshakeError):
            responder.read(message)
            return responder, message, psk
    raise HandshakeError("The other program does not hold the secret.")


async def answer(stream: trio.abc.Stream, responder: Responder) -> Link:
    """Answer a knock and wait for the proof that the knock is fresh.

    Raises:
        HandshakeError: the knock's key is worthless.
        LinkError: the line ended, or the proof is wrong.
    """
    channel, message = responder.write()
    await send_all(stream, message)
    channel.incoming.decrypt(await receive_exactly(stream, TAG_SIZE))
    return Link(stream, channel)


def notice_silence(stream: trio.SocketStream) -> None:
    """Let the system end a connection whose bytes stay unacknowledged for 45 s.

    Only Linux has the option; elsewhere the session's pings notice, a little later.
    """
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None:
        _set_option(stream, socket.IPPROTO_TCP, option, _SILENCE_LIMIT_MS)


def deliver_last_words(stream: trio.SocketStream) -> None:
    """Let the close of a connection in use send its last data.

    The close of a punched connection would drop the data.
    """
    _set_option(stream, socket.SOL_SOCKET, socket.SO_LINGER, GRACEFUL)
    notice_silence(stream)


def _set_option(stream: trio.SocketStream, level: int, option: int, value: int | bytes) -> None:
    """Set an option of a connection.

    macOS refuses options if the other end has hung up. The next use of ``stream`` tells so.
    """
    with suppress(OSError):
        stream.setsockopt(level, option, value)


@asynccontextmanager
async def closed_on_failure(stream: trio.abc.Stream) -> AsyncGenerator[None]:
    """Close ``stream`` if the block fails or is cancelled."""
    try:
        yield
    except BaseException:  # also trio.Cancelled
        await trio.aclose_forcefully(stream)
        raise


async def send_all(stream: trio.abc.Stream, message: bytes) -> None:
    """Send ``message`` whole. If the send fails or is cancelled, close the stream.

    Raises:
        LinkError: the line has ended.
    """
    try:
        await stream.send_all(message)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        await trio.aclose_forcefully(stream)
        raise LinkError("The connection is lost.") from None
    except trio.Cancelled:
        await trio.aclose_forcefully(stream)
        raise


async def _receive_some(stream: trio.abc.Stream, most: int) -> bytes:
    try:
        piece = await stream.receive_some(most)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        raise LinkError("The connection is lost.") from None
    if not piece:
        raise LinkError("The other program closed the connection.")
    return bytes(piece)


async def receive_exactly(stream: trio.abc.Stream, count: int) -> bytes:
    """Take exactly ``count`` bytes from the stream.

    Raises:
        LinkError: the line ended before.
    """
    received = b""
    while len(received) < count:
        received += await _receive_some(stream, count - len(received))
    return received
