"""Worker processes: results, failures and ends."""

import operator
import os
import signal
import subprocess
from types import SimpleNamespace

import pytest

from matcha_p2p.app import workers
from matcha_p2p.app.workers import Workers

pytestmark = pytest.mark.slow


@pytest.fixture
def pair():
    pair = Workers(2)
    yield pair
    pair.close()


def test_work_is_done_in_as_many_other_processes(pair):
    for future in [pair.submit(operator.neg, number) for number in range(20)]:
        future.result()
    both = {pair.submit(eval, "__import__('os').getpid()").result() for _ in range(20)}
    assert os.getpid() not in both
    assert len(both) <= 2


def test_results_come_for_their_tasks(pair):
    futures = [pair.submit(operator.neg, number) for number in range(50)]
    assert [future.result() for future in futures] == [-number for number in range(50)]


def test_failure_of_the_work_is_told_with_its_place_and_the_process_goes_on(pair):
    with pytest.raises(RuntimeError, match=r"(?s)Traceback.*ZeroDivisionError"):
        pair.submit(eval, "1 // 0").result()
    assert pair.submit(operator.neg, 1).result() == -1


def test_process_that_dies_fails_its_task(pair):
    with pytest.raises(RuntimeError, match="in the midst of its work"):
        pair.submit(os._exit, 3).result()


def test_work_is_done_here_if_no_process_can_be_started(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("no processes here")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    alone = Workers(2)
    assert alone.submit(eval, "__import__('os').getpid()").result() == os.getpid()
    alone.close()


@pytest.fixture
def busy(pair, tmp_path):
    """Return two processes with endless work, and a task that waits forever."""
    begun = [tmp_path / "first", tmp_path / "second"]
    for pipe in begun:
        os.mkfifo(pipe)
        work = f"(open({str(pipe)!r}, 'w').close(), __import__('time').sleep(600))"
        pair.submit(eval, work)
    late = pair.submit(operator.neg, 1)
    for pipe in begun:
        pipe.read_bytes()  # waits for the other end
    return pair, late


def test_closing_ends_processes_that_still_work(busy, monkeypatch):
    monkeypatch.setattr(workers, "_GRACE", 0.0)
    pair, late = busy
    pair.close()
    assert late.cancelled()
    assert {process.returncode for process in pair._processes} == {-signal.SIGKILL}


def test_ctrl_c_while_closing_ends_them_at_once(busy, monkeypatch):
    def interrupted() -> float:
        raise KeyboardInterrupt

    pair, _ = busy
    with monkeypatch.context() as patch:
        patch.setattr(workers, "time", SimpleNamespace(monotonic=interrupted))
        with pytest.raises(KeyboardInterrupt):
            pair.close()
    assert {process.returncode for process in pair._processes} == {-signal.SIGKILL}


def test_idle_processes_end_by_themselves(pair):
    pair.submit(operator.neg, 1).result()
    pair.close()
    assert [process.returncode for process in pair._processes] == [0, 0]
