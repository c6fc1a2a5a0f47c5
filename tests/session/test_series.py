"""What goes on beside the games of a series."""

import trio

from matcha_p2p.narration.news import News
from matcha_p2p.session.connection.line import PING_EVERY
from matcha_p2p.session.news import LineTimed
from matcha_p2p.session.series import tell_time


class Measured:
    """A line whose round-trip time the test sets."""

    round_trip: float | None = None


async def test_the_time_to_the_peer_is_told_when_it_has_changed_much(nursery, autojump_clock):
    """News every two seconds would be empty."""
    line, told = Measured(), list[News]()
    nursery.start_soon(tell_time, line, told.append)
    await trio.sleep(PING_EVERY / 2)
    for seconds in (None, 0.024, 0.025, 0.028, 0.031, None, 0.030, 0.2, 0.21, 0.0):
        line.round_trip = seconds
        await trio.sleep(PING_EVERY)
    assert told == [LineTimed(0.024), LineTimed(0.031), LineTimed(0.2), LineTimed(0.0)]
