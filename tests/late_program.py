"""``matcha`` over late lines, with or without direct links of guests, for the bench.

    python -m tests.late_program SECONDS star|mesh host --game tichu ...

All that a process sends arrives SECONDS later than it would, in order and at any rate.
"""

import math
import sys
from contextlib import suppress
from typing import TypeAlias

import trio

from matcha_p2p.cli import main
from matcha_p2p.session.chain import Chain

_Pieces: TypeAlias = trio.MemorySendChannel[tuple[float, bytes]]


def make_lines_late(late: float) -> None:
    """Let every TCP stream of this process send ``late`` seconds later."""
    send_now, close_now = trio.SocketStream.send_all, trio.SocketStream.aclose
    waiting = dict[trio.SocketStream, _Pieces]()

    async def deliver(
        stream: trio.SocketStream, pieces: trio.MemoryReceiveChannel[tuple[float, bytes]]
    ) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for due, piece in pieces:
                await trio.sleep_until(due)
                await send_now(stream, piece)
        await close_now(stream)

    async def send_all(stream: trio.SocketStream, data: bytes) -> None:
        await trio.lowlevel.checkpoint()
        if stream not in waiting:
            waiting[stream], pieces = trio.open_memory_channel[tuple[float, bytes]](math.inf)
            trio.lowlevel.spawn_system_task(deliver, stream, pieces)
        waiting[stream].send_nowait((trio.current_time() + late, bytes(data)))

    async def aclose(stream: trio.SocketStream) -> None:
        await trio.lowlevel.checkpoint()
        if stream in waiting:
            waiting.pop(stream).close()  # ``deliver`` closes the stream behind its last bytes
        else:
            await close_now(stream)

    type.__setattr__(trio.SocketStream, "send_all", send_all)
    type.__setattr__(trio.SocketStream, "aclose", aclose)


if __name__ == "__main__":
    _, seconds, graph, *words = sys.argv
    if float(seconds):
        make_lines_late(float(seconds))
    if graph == "star":
        type.__setattr__(Chain, "beside", frozenset())  # no guest dials another guest
    sys.argv = ["matcha", *words]
    main()
