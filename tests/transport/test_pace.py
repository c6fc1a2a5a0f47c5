"""How often something may happen."""

import trio

from matcha_p2p.transport.pace import Pace


async def test_the_pace_allows_a_burst_and_then_a_rate(autojump_clock):
    pace = Pace(2, 3)
    begun = trio.current_time()
    times = []
    for _ in range(5):
        await pace.wait()
        times.append(trio.current_time() - begun)
    assert times == [0, 0, 0, 0.5, 1.0]
    await trio.sleep(60)
    for _ in range(3):
        await pace.wait()
    assert trio.current_time() - begun == 61


async def test_pace_that_is_held_off_allows_one_event_then_and_no_burst(autojump_clock):
    pace = Pace(2, 3)
    pace.hold_off(60)
    await trio.sleep(59.9)
    assert not pace.take()
    await trio.sleep(0.1)
    assert pace.take()
    assert not pace.take()
    assert not pace.idle
    await trio.sleep(2)
    assert pace.idle
