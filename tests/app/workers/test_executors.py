"""Work on many files by executors of others: threads, and the workers of a Dask scheduler."""

import json
import os
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from matcha_p2p import api
from matcha_p2p.app.command.outcomes import CommandError
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library import check_files, verify
from matcha_p2p.app.workers import executors, processes
from matcha_p2p.cli import commands
from tests.vectors import base

OTHERS = pytest.mark.filterwarnings("default")  # the library's own
NAMES = ("kept-0.matcha", "short.matcha", "2015-five-kinds.matcha")


@pytest.fixture
def files(tmp_path):
    """Return files of three games, a damaged file, and a missing file."""
    for name in NAMES:
        (tmp_path / name).write_bytes(base(name))
    (tmp_path / "broken.matcha").write_bytes(base("short.matcha")[:-1])
    return [*sorted(tmp_path.iterdir()), tmp_path / "gone.matcha"]


def name_of(cluster) -> str:
    return f"dask:{cluster.scheduler_address}"


class Later(Executor):
    """Begins no task until a result is asked for; notes the tasks that are begun ahead."""

    def __init__(self) -> None:
        self.begun: list[Future] = []

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        wait = future.result

        def result(timeout=None):
            future.set_result(fn(*args, **kwargs))
            return wait(timeout)

        future.result = result
        self.begun.append(future)
        return future


def test_any_executor_verifies_files_in_order(files):
    with ThreadPoolExecutor(3) as threads:
        by_threads = list(api.verify_many(files, threads))
    assert [file for file, _ in by_threads] == files
    assert list(map(repr, by_threads)) == list(map(repr, api.verify_many(files)))


def test_all_work_of_a_command_is_the_executor_s(files, monkeypatch):
    monkeypatch.setattr(processes, "cores", lambda: pytest.fail("work on this machine"))
    later = Later()
    assert verify.run(Output(facts=True), files, later) == 1
    assert len(later.begun) == 1 + 2  # all files together, and the copies of one game again


def test_tasks_are_begun_a_little_ahead_and_the_rest_is_cancelled():
    later = Later()
    results = processes.in_order(abs, iter(range(10**9)), later)
    assert [next(results), next(results)] == [0, 1]
    most = processes._AHEAD_ELSEWHERE
    assert len(later.begun) == most + 1
    results.close()
    assert [future.cancelled() for future in later.begun] == [False] * 2 + [True] * (most - 1)


@pytest.mark.parametrize(("number", "parts"), [(0, 0), (3, 1), (4, 1), (9, 3)])
def test_tasks_go_to_an_executor_together_and_come_back_one_by_one(number, parts):
    later = Later()
    results = processes.in_order(abs, range(-number, 0), later, together=4)
    assert list(results) == list(range(number, 0, -1))
    assert len(later.begun) == parts


@pytest.mark.parametrize("name", ["dask:", "127.0.0.1:8786", "dask"])
def test_executor_without_an_address_is_refused(name):
    result = CliRunner().invoke(commands, ["verify", ".", "--executor", name])
    assert result.exit_code == 2
    assert "is no executor" in result.stderr


def test_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(CommandError, match="extra, cluster"),
        executors.opened("dask:127.0.0.1:8786"),
    ):
        pass


@pytest.fixture(scope="module")
def cluster():
    """Return a cluster of two worker processes on this machine."""
    reason = "the extra cluster is not installed"
    distributed = pytest.importorskip("distributed", reason=reason)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as local:
        yield local


@pytest.mark.slow
@OTHERS
def test_workers_of_dask_find_what_this_process_finds(files, cluster, monkeypatch):
    words = ["verify", *map(str, files), "--json"]
    here = CliRunner().invoke(commands, words)
    assert here.exit_code == 1
    monkeypatch.setattr(check_files, "check_file", lambda _: pytest.fail("work is done here"))
    there = CliRunner().invoke(commands, [*words, "--executor", name_of(cluster)])
    assert (there.exit_code, there.stdout) == (1, here.stdout)


@pytest.mark.slow
@OTHERS
def test_workers_with_another_version_are_refused(cluster, monkeypatch):
    monkeypatch.setattr("matcha_p2p.__version__", "0.0.7")
    with (
        pytest.raises(CommandError, match=r"do not have version 0\.0\.7"),
        executors.opened(name_of(cluster)),
    ):
        pass


@pytest.mark.slow
@OTHERS
def test_workers_that_die_are_told(cluster, monkeypatch):
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    with (
        pytest.raises(CommandError, match="stopped in the midst"),
        executors.opened(name_of(cluster)) as dask,
    ):
        dask.submit(os._exit, 3).result()


@pytest.mark.slow
@OTHERS
def test_scheduler_that_does_not_answer_is_told(monkeypatch):
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    monkeypatch.setattr(executors, "_PATIENCE", 0.1)
    facts = CliRunner().invoke(
        commands, ["verify", ".", "--json", "--executor", "dask:127.0.0.1:9"]
    )
    assert facts.exit_code == 3
    assert json.loads(facts.stdout.splitlines()[-1])["code"] == "no-scheduler"
