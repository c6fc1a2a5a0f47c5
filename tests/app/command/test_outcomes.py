"""Every way to end has its exit code and one sentence."""

import pytest

from matcha_p2p import errors
from matcha_p2p.app.command.outcomes import CommandError, Exit, exit_of_ending, perform
from matcha_p2p.app.command.output import Output
from matcha_p2p.errors import Check, ProtocolViolationError
from matcha_p2p.games.matcha.rules.phases import Ended, How
from matcha_p2p.games.matcha.rules.scoring import NO_TOKENS
from matcha_p2p.games.matcha.table.events import ended_by
from matcha_p2p.session.news import DiskFailed, Finished, Interrupted, Violated
from matcha_p2p.store.home import Home

OUT = Output(facts=False)


def raising(error: BaseException):
    def work() -> int:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InviteError("so"), 2),
        (errors.EngineError("so"), 2),
        (errors.LinkError("so"), 3),
        (errors.HandshakeError("so"), 4),
        (errors.JournalError("so"), 8),
        (errors.HomeError("so"), 8),
        (errors.TranscriptError("so"), 8),
        (CommandError(6, "so"), 6),
    ],
)
def test_an_error_is_one_sentence_and_its_code(error, code, tmp_path, capsys):
    """Also when nurseries have wrapped it."""
    wrapped = BaseExceptionGroup("", [BaseExceptionGroup("", [error])])
    for raised in (error, wrapped):
        assert perform(OUT, Home.find(tmp_path), raising(raised)) == code
        assert capsys.readouterr() == ("", "so\n")


def test_a_fault_of_our_own_leaves_a_trace_in_the_home(tmp_path, capsys):
    assert perform(OUT, Home.find(tmp_path), raising(ZeroDivisionError("secret"))) == 70
    (trace,) = (tmp_path / "log").iterdir()
    assert "ZeroDivisionError" in trace.read_text()
    told = capsys.readouterr().err
    assert str(trace) in told
    assert "Traceback" not in told


def test_a_fault_of_our_own_is_told_even_without_a_home(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    group = BaseExceptionGroup("", [ValueError(), KeyError()])
    assert perform(OUT, Home.find(tmp_path / "file"), raising(group)) == 70
    assert "The report of the failure could not be saved" in capsys.readouterr().err


def test_ctrl_c_is_exit_130(tmp_path, capsys):
    wrapped = BaseExceptionGroup("", [KeyboardInterrupt()])
    for raised in (KeyboardInterrupt(), wrapped):
        assert perform(OUT, Home.find(tmp_path), raising(raised)) == 130
    assert capsys.readouterr() == ("", "")


def test_every_ending_has_its_code():
    violation = ProtocolViolationError(Check.SIG, None, 3, "so")
    finished = Finished(ended_by(Ended(None, How.DRAW), (NO_TOKENS, NO_TOKENS)), seen_off=True)
    endings = {
        finished: Exit.DONE,
        Violated(violation): Exit.VIOLATED,
        Interrupted("so"): Exit.INTERRUPTED,
        DiskFailed("so"): Exit.UNREADABLE,
    }
    for ending, code in endings.items():
        assert exit_of_ending(ending, begun=True) == code
    assert exit_of_ending(Interrupted("so"), begun=False) == Exit.DECLINED
