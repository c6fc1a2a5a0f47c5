"""The lines of a seat: one connection a neighbour. The binding of a link finds its line."""

from collections.abc import Sequence
from typing import Final

import trio

from matcha_p2p.session.connection.line import LOST_AFTER, Connection
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding


class Connections:
    """All connections of a seat, used like a single connection."""

    def __init__(self, lines: Sequence[Connection]) -> None:
        self._lines: Final = lines

    @property
    def round_trip(self) -> float | None:
        """The time to the slowest neighbour and back, in seconds; None if unknown."""
        known = [line.round_trip for line in self._lines if line.round_trip is not None]
        return max(known, default=None)

    async def send(self, binding: Binding, frame: Frame) -> None:
        """If ``binding`` names the newest link of a line, let ``frame`` go out there."""
        for line in self._lines:
            await line.send(binding, frame)

    async def hang_up(self, binding: Binding, why: str) -> None:
        """If ``binding`` names the newest link of a line, close it after its last frame."""
        for line in self._lines:
            await line.hang_up(binding, why)

    async def finish(self) -> None:
        """Send all unsent frames, the goodbyes too, for LOST_AFTER at most; close all links."""
        with trio.move_on_after(LOST_AFTER):
            async with trio.open_nursery() as nursery:
                for line in self._lines:
                    nursery.start_soon(line.finish)
