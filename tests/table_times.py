"""How long four real processes at a table of Tichu take to begin, and for a round."""

import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.processes import Matcha, host, join, peak_memory

_BOT = ("--play", "club")


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


def table_times(seed: int, late: float, graph: str) -> TableTimes:
    """Play a round of Tichu.

    late: seconds of each line one way; 0 is plain loopback. graph: star, or mesh with direct
    links of the guests.
    """
    Matcha.program = (sys.executable, "-m", "tests.late_program", str(late), graph)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        homes = [Path(folder) / str(seat) for seat in range(4)]
        words = ("--game", "tichu", "--variant", "round", "--seed", str(seed), *_BOT)
        first = running.enter_context(host(homes[0], *words))
        invite = first.until("invite")["invite"]
        seats, started, joined = [first], 0.0, 0.0
        for home in homes[1:]:
            started = time.perf_counter()
            seats.append(
                running.enter_context(join(home, invite, *_BOT, name=f"guest {home.name}"))
            )
            seats[-1].until("connected")
            joined = time.perf_counter()
        first.until("hand-seen")
        dealt = time.perf_counter()
        first.until("round-counted")
        ended = time.perf_counter()
        memory = max(peak_memory(seat.process.pid) for seat in seats)
        return TableTimes(dealt - started, dealt - joined, ended - dealt, memory)
