"""An internet in this process: it moves packets from one home's line to the other's.

Every home has a TUN device for its line. Nothing leaves the machine.
"""

import ctypes
import heapq
import os
import random
import select
import struct
import threading
import time
from contextlib import suppress

_TUNSETIFF = 0x400454CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
_MOST = 65_536


def open_line(namespace: str, name: str = "wan") -> int:
    """Make a TUN device in ``namespace``; return its file."""
    import fcntl  # not on Windows, where tests import this module, too

    libc = ctypes.CDLL(None, use_errno=True)
    made: list[int] = []

    def work() -> None:
        place = os.open(f"/var/run/netns/{namespace}", os.O_RDONLY)
        if libc.setns(place, 0):
            raise OSError(ctypes.get_errno(), "setns")
        os.close(place)
        line = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(line, _TUNSETIFF, struct.pack("16sH", name.encode(), _IFF_TUN | _IFF_NO_PI))
        made.append(line)

    thread = threading.Thread(target=work)  # a thread has a namespace of its own
    thread.start()
    thread.join()
    return made[0]


class Internet(threading.Thread):
    """Moves packets. delay: seconds one way. loss: part of the packets that vanish.

    While ``cut`` is set all of them do.
    """

    def __init__(self, lines: dict[int, int], delay: float = 0.0, loss: float = 0.0) -> None:
        super().__init__(daemon=True)
        self.delay, self.loss, self.cut = delay, loss, False
        self._lines = lines  # by number of the home
        self._chance = random.Random(4717)
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()
        self.join()
        for line in self._lines.values():
            os.close(line)

    def run(self) -> None:
        waiting: list[tuple[float, int, int, bytes]] = []
        count = 0
        while not self._stopped.is_set():
            pause = min(0.05, waiting[0][0] - time.monotonic()) if waiting else 0.05
            ready, _, _ = select.select(list(self._lines.values()), [], [], max(0.0, pause))
            for line in ready:
                packet = self._read(line)
                home = self._home(packet)
                if home is None or self.cut or self._chance.random() < self.loss:
                    continue
                count += 1
                due = time.monotonic() + self.delay
                heapq.heappush(waiting, (due, count, self._lines[home], packet))
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, line, packet = heapq.heappop(waiting)
                with suppress(OSError):  # its home is being taken down
                    os.write(line, packet)

    def _read(self, line: int) -> bytes:
        try:
            return os.read(line, _MOST)
        except OSError:
            return b""

    def _home(self, packet: bytes) -> int | None:
        """Return the number of the home that ``packet`` goes to."""
        number = None
        if packet[:1] and packet[0] >> 4 == 4 and packet[16] == 20:
            number = packet[17]
        elif packet[:1] and packet[0] >> 4 == 6 and packet[24:26] == b"\x2a\x0a":
            number = packet[27]
        return number if number in self._lines else None
