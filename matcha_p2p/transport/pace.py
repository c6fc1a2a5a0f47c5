"""Limits how often something may happen."""

import math
from typing import Final

import trio


class Pace:
    """A rate limit: ``rate`` a second, and ``burst`` at once."""

    def __init__(self, rate: float, burst: int) -> None:
        self._gap: Final = 1 / rate
        self._slack: Final = burst / rate
        self._turn = -math.inf

    async def wait(self) -> None:
        """Wait until the next event is allowed."""
        now = trio.current_time()
        self._turn = max(self._turn, now - self._slack) + self._gap
        if self._turn > now:
            await trio.sleep_until(self._turn)

    def take(self) -> bool:
        """Return whether the next event is allowed now; an event that is not does not count."""
        now = trio.current_time()
        turn = max(self._turn, now - self._slack) + self._gap
        if turn > now:
            return False
        self._turn = turn
        return True

    def hold_off(self, seconds: float) -> None:
        """Allow no event for ``seconds``, and then no new burst at once."""
        self._turn = max(self._turn, trio.current_time() + seconds - self._gap)

    @property
    def idle(self) -> bool:
        """Whether a new ``Pace`` would allow the same."""
        return self._turn <= trio.current_time() - self._slack
