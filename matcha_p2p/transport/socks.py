"""Dials through a SOCKS proxy, for example Tor, in place of this machine (RFC 1928).

The proxy gets addresses only: invites hold no names.
"""

import errno
import os
from typing import Final

import trio

from matcha_p2p.errors import LinkError, ProxyError
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.link import (
    Proxied,
    closed_on_failure,
    notice_silence,
    receive_exactly,
    send_all,
)
from matcha_p2p.transport.servers import Server

PROXY_LIMIT: Final = 30.0
"""Seconds for a dial through a proxy, which may go around the world."""

_VERSION, _CONNECT, _NO_PASSWORD = 5, 1, 0
_IPV4, _NAME, _IPV6 = 1, 3, 4
_REASONS: Final = {
    2: errno.EACCES,
    3: errno.ENETUNREACH,
    4: errno.EHOSTUNREACH,
    5: errno.ECONNREFUSED,
    6: errno.ETIMEDOUT,
}
"""The reasons in a proxy's replies for a failed connection."""

_UNREACHED: Final = (
    "The SOCKS proxy at {proxy} does not answer. Start the proxy, or name none. No "
    "connection was made."
)
_NO_PROXY: Final = (
    "The program at {proxy} is no SOCKS proxy of version 5. Check the port: Tor has 9050, or "
    "9150 in its browser."
)
_PASSWORD: Final = (
    "The SOCKS proxy at {proxy} wants a password. Name a proxy without a password."  # noqa: S105 -- a sentence
)


async def greet_proxy(proxy: Server) -> trio.SocketStream:
    """Return a stream to ``proxy``, after the greeting.

    Raises:
        ProxyError: the proxy cannot be reached, or refuses us.
    """
    try:
        stream = await trio.open_tcp_stream(proxy.host, proxy.port)
    except OSError:
        raise ProxyError(_UNREACHED, code="socks", proxy=proxy) from None
    async with closed_on_failure(stream):
        await greet(stream, proxy)
    return stream


async def open_through(proxy: Server, target: Endpoint) -> Proxied:
    """Return a stream to ``target`` through ``proxy``.

    Raises:
        ProxyError: the proxy cannot be used.
        OSError: the proxy cannot connect to ``target``.
    """
    stream = await greet_proxy(proxy)
    async with closed_on_failure(stream):
        await ask_for(stream, proxy, target)
        notice_silence(stream)
    return Proxied(stream, target.address)


async def greet(stream: trio.abc.Stream, proxy: Server) -> None:
    """Agree on no password.

    Raises:
        ProxyError: the proxy wants a password, or the other end of ``stream`` is no proxy.
    """
    wrong = ProxyError(_NO_PROXY, code="socks", proxy=proxy)
    try:
        await send_all(stream, bytes([_VERSION, 1, _NO_PASSWORD]))
        version, method = await receive_exactly(stream, 2)
    except LinkError:
        raise wrong from None
    if version != _VERSION:
        raise wrong
    if method != _NO_PASSWORD:
        raise ProxyError(_PASSWORD, code="socks", proxy=proxy)


async def ask_for(stream: trio.abc.Stream, proxy: Server, target: Endpoint) -> None:
    """Let the proxy connect to ``target``.

    Raises:
        ProxyError: the answer is no answer of a proxy.
        OSError: the proxy cannot connect to ``target``.
    """
    wrong = ProxyError(_NO_PROXY, code="socks", proxy=proxy)
    kind = _IPV4 if target.address.version == 4 else _IPV6
    place = target.address.packed + target.port.to_bytes(2, "big")
    try:
        await send_all(stream, bytes([_VERSION, _CONNECT, 0, kind]) + place)
        version, reply, _, kind = await receive_exactly(stream, 4)
        if version != _VERSION:
            raise wrong
        if reply:
            number = _REASONS.get(reply, errno.EIO)
            raise OSError(number, os.strerror(number))
        size = {_IPV4: 4, _IPV6: 16}.get(kind)
        if kind == _NAME:
            (size,) = await receive_exactly(stream, 1)
        if size is None:
            raise wrong
        await receive_exactly(stream, size + 2)  # whence the proxy dials, which is no matter
    except ProxyError:
        raise
    except LinkError:
        raise OSError(errno.ECONNRESET, os.strerror(errno.ECONNRESET)) from None
