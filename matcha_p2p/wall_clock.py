"""The date and time of this machine, which a person may have set wrong."""

import time
from contextlib import suppress
from datetime import datetime

from matcha_p2p.errors import ClockError


def seconds() -> int:
    """Return the seconds since 1970.

    Raises:
        ClockError: the clock shows a time before 1970, or after the last year of Python.
    """
    return int(now().timestamp())


def now() -> datetime:
    """Return the date and time of this place.

    Raises:
        ClockError: as in ``seconds``.
    """
    with suppress(OSError, OverflowError, ValueError):
        if (shown := time.time()) >= 0:
            return datetime.fromtimestamp(shown).astimezone()
    raise ClockError(
        "The clock of this machine is wrong: it shows no time between 1970 and 9999. Set the "
        "clock, and try again.",
        code="clock-wrong",
    )
