"""How long four real processes at a table of Tichu take to begin, and for a round.

The table is a star: each guest has a link to the host alone. The links can go over *late
lines*: each byte arrives a fixed time after the byte was sent, in order and at any rate.
"""

import math
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path

import trio

from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.endpoints import Endpoint
from tests.processes import host, join, peak_memory

_BOT = ("--play", "club")
_PIECE = 64 * 1024


@dataclass(frozen=True)
class TableTimes:
    """Seconds until the host's bot sees its first cards, and from there to the points.

    from_start, from_join: from the start of the last guest's program, and from its link to the
    host. memory: of the largest process, in MB.
    """

    from_start: float
    from_join: float
    round: float
    memory: float


async def table_times(seed: int, late: float) -> TableTimes:
    """Play a round of Tichu. late: the seconds of the lines one way; at 0, plain loopback."""
    async with trio.open_nursery() as lines:

        def through(invite: str) -> str:
            return trio.from_thread.run(lines.start, _late_lines, Invite.parse(invite), late)

        play = partial(_play, seed, through if late else str)
        times = await trio.to_thread.run_sync(play)
        lines.cancel_scope.cancel()
    return times


def _play(seed: int, through) -> TableTimes:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        homes = [Path(folder) / str(seat) for seat in range(4)]
        words = ("--game", "tichu", "--variant", "round", "--seed", str(seed), *_BOT)
        first = running.enter_context(host(homes[0], *words))
        invite = through(first.until("invite")["invite"])
        seats, started, joined = [first], 0.0, 0.0
        for home in homes[1:]:
            started = time.perf_counter()
            seats.append(running.enter_context(join(home, invite, *_BOT)))
            seats[-1].until("connected")
            joined = time.perf_counter()
        first.until("hand")
        dealt = time.perf_counter()
        first.until("round")
        ended = time.perf_counter()
        memory = max(peak_memory(seat.process.pid) for seat in seats)
        return TableTimes(dealt - started, dealt - joined, ended - dealt, memory)


async def _late_lines(
    invite: Invite, late: float, *, task_status: "trio.TaskStatus[str]"
) -> None:
    """Pass on an invite that leads to the host of ``invite`` over late lines."""
    (place,) = invite.endpoints

    async def lead(guest: trio.SocketStream) -> None:
        async with guest:
            try:
                far = await trio.open_tcp_stream(str(place.address), place.port)
            except OSError:
                return  # the host has ended
            async with far, trio.open_nursery() as nursery:
                nursery.start_soon(_carry, guest, far, late)
                nursery.start_soon(_carry, far, guest, late)

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    here = Endpoint(IPv4Address("127.0.0.1"), listener.socket.getsockname()[1])
    task_status.started(replace(invite, endpoints=(here,)).encode())
    await trio.serve_listeners(lead, [listener])


async def _carry(near: trio.SocketStream, far: trio.SocketStream, late: float) -> None:
    """Carry all bytes from ``near`` to ``far``; each arrives ``late`` seconds later."""
    sent, carried = trio.open_memory_channel[tuple[float, bytes]](math.inf)

    async def deliver() -> None:
        with suppress(trio.BrokenResourceError):  # the program there has ended
            async for due, piece in carried:
                await trio.sleep_until(due)
                await far.send_all(piece)
            await far.send_eof()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(deliver)
        with sent, suppress(trio.BrokenResourceError):
            while piece := await near.receive_some(_PIECE):
                await sent.send((trio.current_time() + late, bytes(piece)))
