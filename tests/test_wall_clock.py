"""A clock that is set wrong is named; no program of ours fails over it."""

import time
from datetime import datetime

import pytest

from matcha_p2p import wall_clock
from matcha_p2p.app.command.outcomes import perform
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game.play import claim_silence
from matcha_p2p.errors import ClockError
from matcha_p2p.store.home import Home

YEAR = 365.2425 * 86_400
WRONG = {
    "1969": -YEAR / 2,
    "no calendar": 1e15,
    "year 10000": 8100 * YEAR,
    "no time for Python": OverflowError("timestamp too large"),
}


@pytest.fixture(params=WRONG.values(), ids=list(WRONG))
def wrong_clock(request, monkeypatch):
    def shown() -> float:
        if isinstance(request.param, Exception):
            raise request.param
        return request.param

    monkeypatch.setattr(time, "time", shown)


def test_right_clock_tells_date_and_seconds(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 1_700_000_000.7)
    assert wall_clock.seconds() == 1_700_000_000
    assert wall_clock.now() == datetime.fromtimestamp(1_700_000_000.7).astimezone()


@pytest.mark.usefixtures("wrong_clock")
def test_wrong_clock_is_named(tmp_path, capsys):
    """Whatever first asks for the time: a new game, a stored game, a claim, a friend."""
    home = Home.find(tmp_path)
    for asks in (
        wall_clock.seconds,
        wall_clock.now,
        home.new_journal,
        lambda: home.store_transcript(bytes(32), b"game"),
        lambda: claim_silence(None),
    ):
        assert perform(Output(facts=False), home, asks) == 8
        assert "The clock of this machine is wrong" in capsys.readouterr().err
    with pytest.raises(ClockError):
        wall_clock.now()


@pytest.mark.usefixtures("wrong_clock")
def test_fault_under_a_wrong_clock_is_still_a_fault(tmp_path, capsys):
    """The name of the report would hold the time."""
    assert perform(Output(facts=False), Home.find(tmp_path), lambda: 1 // 0) == 70
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert "The clock of this machine is wrong" in said
