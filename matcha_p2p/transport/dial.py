"""Dials several addresses at once; the first complete handshake wins."""

import errno
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Final, TypeAlias

import trio

from matcha_p2p.errors import HandshakeError, LinkError, ProxyError
from matcha_p2p.race import NobodyWonError, Win, race
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.endpoints import Address, Endpoint, Scope
from matcha_p2p.transport.link import Link, closed_on_failure, confirm, knock, notice_silence
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.noise import Channel
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.socks import open_through

_Answered: TypeAlias = tuple[trio.abc.Stream, Channel]
_Failure: TypeAlias = OSError | LinkError | HandshakeError

HEAD_START: Final = 0.25
"""Seconds from the start of one address to the start of the next (RFC 8305)."""

TRIES: Final = 3
TRY_AGAIN_AFTER: Final = 0.2
"""The number of tries, and the seconds between tries, for a host that hangs up at once: a crowd
of strangers may have taken our place."""

_NO_ANSWER: Final = (
    "No answer from {places} within {seconds:g} s. Is the host still waiting? If so, "
    "their router may be closed: they forward the port, or you swap roles: you host, and "
    "they join."
)
_REFUSED: Final = (
    "Refused at once: {places}. The host waits no more, or a router or firewall turns guests "
    "away. Ask whether the host still waits. If so, swap roles: you host, and they "
    "join."
)
_NOT_FROM_HERE: Final = (
    "No answer at {places}. The invite holds only addresses of the host's own network. If "
    "you are on that network too, the host waits no more, or a firewall turns guests away. "
    "If not, the host adds the outside address of their router; or you host, or both use a "
    "VPN."
)
NO_PERMISSION: Final = (
    "macOS does not let this terminal reach your network: {places}. Allow it in System "
    "Settings, Privacy & Security, Local Network, or use Apple's own Terminal."
)
_NOT_LET_IN: Final = (
    "A program answered and hung up: the invite is used, or is for another game. Tried: "
    "{places}. Ask the host for a new invite."
)
_IMPOSTOR: Final = (
    "A program answered, but does not hold the secret of this game; it got no data. Tried: "
    "{places}. Ask the host for a new invite."
)


async def connect(
    invite: Invite,
    *,
    timeout: float,  # noqa: ASYNC109 - when time is up, each address's failure is reported
    proxy: Server | None = None,
) -> Link:
    """Race the addresses of ``invite``; return a link to the invite's host.

    timeout: seconds for the whole race. proxy: dials in our place.

    Raises:
        LinkError: no address answers; the sentence has the reason for every address.
        HandshakeError: an address answers, but hangs up or cannot prove to hold the secret.
    """
    return await dial(invite.endpoints, invite.psk, timeout=timeout, tries=TRIES, proxy=proxy)


async def dial(
    endpoints: Sequence[Endpoint],
    psk: Psk,
    *,
    timeout: float,  # noqa: ASYNC109 - when time is up, each address's failure is reported
    tries: int = 1,
    proxy: Server | None = None,
) -> Link:
    """Race ``endpoints``, 250 ms apart; the first to complete the handshake wins.

    psk: 32 bytes. timeout: seconds for the whole race. tries: the tries for an address that
    hangs up. proxy: the server that dials in our place.

    Raises:
        LinkError: no address answers; the sentence has the reason for every address.
        HandshakeError: an address answers, but hangs up or cannot prove to hold ``psk``.
    """
    failures: dict[Endpoint, _Failure] = {}
    choosing = trio.Lock()

    async def attempt(endpoint: Endpoint, failed: trio.Event, win: Win[Link]) -> None:
        for _ in range(tries):
            try:
                stream, channel = await _knock_at(endpoint, psk, proxy)
                async with closed_on_failure(stream), choosing:  # the peer gets one link
                    await win(await confirm(stream, channel))
            except ProxyError as error:
                failures[endpoint] = error
                break
            except LinkError as error:
                failures[endpoint] = error
                await trio.sleep(TRY_AGAIN_AFTER)
            except (OSError, HandshakeError) as error:
                failures[endpoint] = error
                break
            else:
                return
        failed.set()

    async def attempt_all(win: Win[Link]) -> None:
        async with trio.open_nursery() as nursery:
            for endpoint in endpoints:
                failed = trio.Event()
                nursery.start_soon(attempt, endpoint, failed, win)
                with trio.move_on_after(HEAD_START):
                    await failed.wait()

    with trio.move_on_after(timeout), suppress(NobodyWonError):
        return await race(attempt_all, close=Link.aclose)
    raise _explain(endpoints, failures, timeout)


async def open_within(seconds: float, address: Address, port: int) -> trio.SocketStream:
    """Return a new connection to a place that may have just answered a search.

    Raises:
        OSError: nobody answers within ``seconds``.
    """
    stream = None
    with trio.move_on_after(seconds):
        stream = await trio.open_tcp_stream(str(address), port)
    if stream is None:
        raise OSError("no answer")
    notice_silence(stream)
    return stream


async def probe(
    endpoint: Endpoint, psk: Psk, seconds: float, proxy: Server | None = None
) -> LinkError | str | None:
    """Knock at ``endpoint`` and leave; return None if a holder of ``psk`` answers.

    Otherwise return the reason. proxy: dials in our place. To the answerer, we leave before the
    end of the handshake.
    """
    with trio.move_on_after(seconds):
        try:
            stream, _ = await _knock_at(endpoint, psk, proxy)
        except (OSError, LinkError, HandshakeError) as error:
            return _reason(error)
        await trio.aclose_forcefully(stream)
        return None
    return _reason(None)


async def _knock_at(endpoint: Endpoint, psk: Psk, proxy: Server | None) -> _Answered:
    stream = await (_open(endpoint) if proxy is None else open_through(proxy, endpoint))
    async with closed_on_failure(stream):
        return stream, await knock(stream, psk)


async def _open(endpoint: Endpoint) -> trio.abc.Stream:
    family = socket.AF_INET if endpoint.address.version == 4 else socket.AF_INET6
    line = trio.socket.socket(family, socket.SOCK_STREAM)
    with ExitStack() as on_failure:
        on_failure.callback(line.close)
        await line.connect((str(endpoint.address), endpoint.port))
        stream = trio.SocketStream(line)
        notice_silence(stream)
        on_failure.pop_all()
    return stream


def _explain(
    endpoints: Sequence[Endpoint],
    failures: Mapping[Endpoint, _Failure],
    seconds: float,
) -> LinkError | HandshakeError:
    places = tuple(
        LinkError(
            "{place} ({reason})",
            place=endpoint,
            reason=_reason(failures.get(endpoint)),
        )
        for endpoint in endpoints
    )
    for error in failures.values():
        if isinstance(error, ProxyError):
            return error
    if any(isinstance(error, HandshakeError) for error in failures.values()):
        return HandshakeError(_IMPOSTOR, code="key-differs", places=places)
    if any(isinstance(error, LinkError) for error in failures.values()):
        return HandshakeError(_NOT_LET_IN, code="invite-used", places=places)
    if any(lacks_permission(endpoint.scope, error) for endpoint, error in failures.items()):
        return LinkError(NO_PERMISSION, code="net-unreachable", places=places)
    if all(endpoint.scope is Scope.NETWORK for endpoint in endpoints):
        return LinkError(_NOT_FROM_HERE, code="net-unreachable", places=places)
    if len(failures) == len(endpoints):
        return LinkError(_REFUSED, code="net-unreachable", places=places)
    return LinkError(_NO_ANSWER, code="net-unreachable", places=places, seconds=seconds)


def lacks_permission(scope: Scope, error: Exception) -> bool:
    """Tell whether macOS has refused to let this terminal reach the local network.

    macOS then says that no route leads there. But a route leads to each neighbour.
    """
    reasons = (error, error.__cause__)  # trio has the system's error as its cause
    refused = any(
        isinstance(why, OSError) and why.errno == errno.EHOSTUNREACH for why in reasons
    )
    return refused and sys.platform == "darwin" and scope is Scope.NETWORK


def _reason(failure: _Failure | None) -> LinkError | str:
    match failure:
        case None:
            return LinkError("silent")
        case HandshakeError():
            return LinkError("does not hold the secret")
        case ProxyError():
            return failure
        case LinkError():
            return LinkError("hung up")
        case OSError(errno=int(number)):
            return os.strerror(number).lower()
        case _:
            return LinkError("unreachable")
