"""The lines of a seat: one connection a neighbour. The binding of a link finds its line."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.session.connection.line import Connection
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
        """If ``binding`` names the newest link of a line, send ``frame`` there."""
        for line in self._lines:
            await line.send(binding, frame)

    async def hang_up(self, binding: Binding, why: str) -> None:
        """If ``binding`` names the newest link of a line, close the link. why: a sentence."""
        for line in self._lines:
            await line.hang_up(binding, why)
