"""The first find wins a race; whatever else was opened is closed."""

import pytest
import trio

from matcha_p2p.race import NobodyWonError, Win, race


class Found(trio.abc.AsyncResource):
    """A resource whose close can be cancelled."""

    closed = False

    async def aclose(self):
        await trio.lowlevel.checkpoint()
        self.closed = True


async def wait(_: object):
    await trio.sleep_forever()


async def find_nothing(_: object):
    await trio.lowlevel.checkpoint()


async def test_first_find_is_returned_and_other_ways_are_cancelled(autojump_clock):
    ended: list[float] = []

    async def find_after(seconds: float, win: Win[float]):
        try:
            await trio.sleep(seconds)
            await win(seconds)
        finally:
            ended.append(trio.current_time())

    began = trio.current_time()
    found = await race(*(lambda win, n=n: find_after(n, win) for n in (3.0, 1.0, 2.0)))
    assert found == 1.0
    assert [at - began for at in ended] == [1.0, 1.0, 1.0]


async def test_way_with_an_empty_result_leaves_the_race_to_the_others(autojump_clock):
    async def find(win: Win[str]):
        await trio.sleep(1)
        await win("found")

    assert await race(find_nothing, find) == "found"


@pytest.mark.parametrize("ways", [(), (find_nothing, find_nothing)])
async def test_race_without_a_find_says_that_nobody_won(ways):
    with pytest.raises(NobodyWonError):
        await race(*ways)


async def test_way_goes_on_to_its_next_checkpoint_after_its_find():
    steps: list[str] = []

    async def find(win: Win[str]):
        await win("found")
        steps.append("returned")
        await trio.lowlevel.checkpoint()
        steps.append("not cancelled")

    assert await race(find) == "found"
    assert steps == ["returned"]


async def test_later_finds_are_closed_and_the_first_is_kept():
    finds = [Found(), Found(), Found()]

    async def find(win: Win[Found]):
        for each in finds:
            await win(each)

    assert await race(find, wait, close=Found.aclose) is finds[0]
    assert [each.closed for each in finds] == [False, True, True]


async def test_cancelled_race_closes_every_find():
    finds = [Found(), Found()]
    with trio.CancelScope() as scope:

        async def find(win: Win[Found]):
            for each in finds:
                await win(each)
            scope.cancel()

        await race(find, wait, close=Found.aclose)
    assert scope.cancelled_caught
    assert [each.closed for each in finds] == [True, True]


async def test_way_that_fails_ends_the_race_and_every_find_is_closed():
    found = Found()
    others: list[str] = []

    async def fail(win: Win[Found]):
        await win(found)
        raise ValueError("no more")

    async def tell_cancelled(_: object):
        try:
            await trio.sleep_forever()
        except trio.Cancelled:
            others.append("cancelled")
            raise

    with pytest.raises(ExceptionGroup) as raised:
        await race(fail, tell_cancelled, close=Found.aclose)
    (why,) = raised.value.exceptions
    assert isinstance(why, ValueError)
    assert found.closed
    assert others == ["cancelled"]
