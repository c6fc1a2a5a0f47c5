"""An HTTP request to a router in the same network, with an answer of limited size."""

import h11
import trio

from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.router.lease import NoAnswerError, RouterError

MOST: int = 64 * 1024
"""The most bytes of an answer's body; the description of a router has about 4 KiB."""

_CHUNK = 8192
_TIME = 3.0  # seconds for all of it


async def request(
    router: Endpoint, method: str, target: str, headers: dict[str, str], body: bytes = b""
) -> tuple[int, bytes, str]:
    """Return the status and the body of the answer, and our own address on the line.

    No redirection is followed.

    Raises:
        NoAnswerError: no answer comes within 3 s.
        RouterError: the answer is no answer of HTTP, or too large.
    """
    try:
        with trio.fail_after(_TIME):
            stream = await trio.open_tcp_stream(str(router.address), router.port)
            async with stream:
                own = str(stream.socket.getsockname()[0])
                status, content = await _exchange(
                    stream, _encoded(router, method, target, headers, body)
                )
                return status, content, own
    except (OSError, trio.TooSlowError, trio.BrokenResourceError):
        raise NoAnswerError("no answer over HTTP") from None
    except h11.RemoteProtocolError:
        raise RouterError("no answer over HTTP") from None


def _encoded(
    router: Endpoint, method: str, target: str, headers: dict[str, str], body: bytes
) -> tuple[h11.Connection, bytes]:
    """Return a connection for reading the answer, and the bytes of the request."""
    connection = h11.Connection(h11.CLIENT)
    fields = {
        "Host": str(router),
        "Connection": "close",
        "Content-Length": str(len(body)),
        **headers,
    }
    try:
        head = h11.Request(method=method, target=target, headers=list(fields.items()))
    except h11.LocalProtocolError:  # the router has told a path that is none
        raise RouterError("a path that is none") from None
    parts = (
        connection.send(head),
        connection.send(h11.Data(data=body)),
        connection.send(h11.EndOfMessage()),
    )
    return connection, b"".join(part or b"" for part in parts)


async def _exchange(
    stream: trio.SocketStream, encoded: tuple[h11.Connection, bytes]
) -> tuple[int, bytes]:
    connection, message = encoded
    await stream.send_all(message)
    status, body = 0, b""
    while True:
        match connection.next_event():
            case h11.NEED_DATA:
                connection.receive_data(await stream.receive_some(_CHUNK))
            case h11.Response(status_code=int(status)):
                pass
            case h11.Data(data=piece):
                body += piece
                if len(body) > MOST:
                    raise RouterError("too long an answer over HTTP")
            case h11.EndOfMessage():
                return status, body
            case h11.InformationalResponse():
                pass
            case _:
                raise RouterError("no answer over HTTP")
