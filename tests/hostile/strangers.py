"""Many connections of people without an invite: python -m tests.hostile.strangers.

``tests.hostile.flood`` starts this program as a process of its own: the host's CPU time stays
apart. The program prints its figures as one JSON object.
"""

import argparse
import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

import trio

from matcha_p2p.transport.noise import HANDSHAKE_SIZE

KINDS = ("idle", "garbage", "slow", "endless", "repeated")
LONGEST = 20.0
"""Seconds after which a stranger leaves, if the host has not closed the connection."""


@dataclass
class Flood:
    """Strangers of every kind, one after the other, at ``port`` of this machine.

    recording: a first message that the host has heard before. connections, answered, left_open:
    how many there were of each kind, how many bytes they got, how many were not shown out.
    seconds: from the first to the last of them.
    """

    port: int
    recording: bytes
    connections: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    left_open: int = 0
    nobody_there: int = 0
    seconds: float = 0.0

    async def run(self, count: int, rate: float) -> None:
        """Send ``count`` strangers, ``rate`` a second, and wait until all have gone."""
        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            for number in range(count):
                await trio.sleep_until(begun + number / rate)
                nursery.start_soon(self._visit, KINDS[number % len(KINDS)], number)
            self.seconds = trio.current_time() - begun

    async def _visit(self, kind: str, number: int) -> None:
        try:
            stream = await trio.open_tcp_stream("127.0.0.1", self.port)
        except OSError:
            self.nobody_there += 1
            return
        self.connections[kind] += 1
        with trio.move_on_after(LONGEST) as patience:
            async with stream, trio.open_nursery() as nursery:
                nursery.start_soon(self._speak, kind, stream, random.Random(number))
                await self._listen(kind, stream)
                nursery.cancel_scope.cancel()
        self.left_open += patience.cancelled_caught

    async def _speak(self, kind: str, stream: trio.SocketStream, chance: random.Random) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            match kind:
                case "garbage":
                    await stream.send_all(chance.randbytes(HANDSHAKE_SIZE))
                case "repeated":
                    await stream.send_all(self.recording)
                case "slow":
                    while True:
                        await stream.send_all(b"\x00")
                        await trio.sleep(0.5)
                case "endless":
                    while True:
                        await stream.send_all(chance.randbytes(16 * 1024))

    async def _listen(self, kind: str, stream: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError):
            while piece := await stream.receive_some():
                self.answered[kind] += len(piece)


def main() -> None:
    """Send strangers as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("recording", type=bytes.fromhex)
    parser.add_argument("count", type=int)
    parser.add_argument("rate", type=float)
    wanted = parser.parse_args()
    flood = Flood(wanted.port, wanted.recording)
    trio.run(flood.run, wanted.count, wanted.rate)
    print(json.dumps({**vars(flood), "recording": ""}))


if __name__ == "__main__":
    main()
