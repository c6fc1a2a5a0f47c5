"""The measure of a match: progress, Ctrl-C, and failures of programs."""

from dataclasses import dataclass, field

import pytest

from matcha_p2p.app.arena import measure
from matcha_p2p.app.output import Output
from matcha_p2p.errors import BotError


@dataclass
class Counts:
    """The numbers of the units that were played."""

    numbers: tuple = ()
    failures: dict = field(default_factory=dict)

    @property
    def units(self):
        return len(self.numbers)

    def __add__(self, other):
        return Counts(self.numbers + other.numbers, {**self.failures, **other.failures})


def counted(units):
    return Counts(tuple(units))


def stopped_at(number):
    """Return a match that Ctrl-C stops at the unit ``number``."""

    def play(units):
        if number in units:
            raise KeyboardInterrupt
        return Counts(tuple(units))

    return play


def run(play, units, is_decided=lambda _: False):
    out = Output(facts=False)
    return measure(
        out, play, units, Counts(), lambda total: f"{total.units} so far", is_decided
    )


@pytest.mark.parametrize("units", [1, 8, 9, 405])
def test_match_plays_each_unit_once_in_order(units):
    assert run(counted, units) == (Counts(tuple(range(units))), False)


def test_progress_is_told_twenty_times_at_most(capsys):
    run(counted, 1000)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "50 so far"
    assert told[-1] == "950 so far"
    assert len(told) == 19


def test_match_that_is_stopped_has_the_result_so_far(capsys):
    assert run(stopped_at(5), 8) == (Counts((0, 1, 2, 3, 4)), True)
    assert "the result is that of 5 of 8" in capsys.readouterr().err


def test_match_that_is_stopped_at_once_has_no_result():
    with pytest.raises(KeyboardInterrupt):
        run(stopped_at(1), 8)


def test_match_ends_when_it_is_decided():
    result, stopped = run(counted, 8, lambda total: total.units == 3)
    assert (result.units, stopped) == (3, False)


def test_each_failure_is_told_once(capsys):
    def play(units):
        return Counts(tuple(units), {"late": BotError("The bot is late.")})

    run(play, 4)
    assert capsys.readouterr().err.count("The bot is late. The bot's seat resigns.") == 1
