"""Work on many tasks by executors of others."""

from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

from matcha_p2p import api
from matcha_p2p.app import workers
from tests.vectors import base

NAMES = ("kept-0.matcha", "short.matcha", "2015-five-kinds.matcha")


@pytest.fixture
def files(tmp_path):
    """Return files of three games, a damaged file, and a missing file."""
    for name in NAMES:
        (tmp_path / name).write_bytes(base(name))
    (tmp_path / "broken.matcha").write_bytes(base("short.matcha")[:-1])
    return [*sorted(tmp_path.iterdir()), tmp_path / "gone.matcha"]


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


def test_any_executor_verifies_files_in_order(files, monkeypatch):
    with monkeypatch.context() as patch, ThreadPoolExecutor(3) as threads:
        patch.setattr(workers, "cores", lambda: pytest.fail("work on this machine"))
        by_threads = list(api.verify_many(files, threads))
    assert [file for file, _ in by_threads] == files
    assert list(map(repr, by_threads)) == list(map(repr, api.verify_many(files)))


def test_tasks_are_begun_a_little_ahead_and_the_rest_is_cancelled():
    later = Later()
    results = workers.in_order(abs, iter(range(10**9)), later)
    assert [next(results), next(results)] == [0, 1]
    most = workers._AHEAD_ELSEWHERE
    assert len(later.begun) == most + 1
    results.close()
    assert [future.cancelled() for future in later.begun] == [False] * 2 + [True] * (most - 1)


@pytest.mark.parametrize(("number", "parts"), [(0, 0), (3, 1), (4, 1), (9, 3)])
def test_tasks_go_to_an_executor_together_and_come_back_one_by_one(number, parts):
    later = Later()
    results = workers.in_order(abs, range(-number, 0), later, together=4)
    assert list(results) == list(range(number, 0, -1))
    assert len(later.begun) == parts
