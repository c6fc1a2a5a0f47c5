"""Fixtures for all tests. All tests speak English, in every locale."""

import json
import os
import runpy
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import settings

from matcha_p2p.app.command.output import Output
from matcha_p2p.errors import BotError
from matcha_p2p.games.matcha.bots.solving import native
from matcha_p2p.language import speak
from matcha_p2p.table import seat
from tests.compiled import compiled_bots
from tests.schemas import faults

ROOT = Path(__file__).parent.parent

# No deadline: the machine may be busy. The gate tries more examples, and always the same.
settings.register_profile(
    "default", deadline=None, max_examples=25, derandomize="CI" in os.environ
)
settings.register_profile("gate", deadline=None, max_examples=100, derandomize=True)


def pytest_configure() -> None:
    """Compile translations that have changed since the install."""
    runpy.run_path(str(ROOT / ".build" / "catalogues.py"))["compile_all"](ROOT)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow tests more time than pyproject.toml gives to each test."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(2400))


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what is left out, and how to run it."""
    left_out = config.option.markexpr == "not slow"
    return ["slow tests are left out; to run them: pytest -n 3 -m slow"] if left_out else []


@pytest.fixture(autouse=True, scope="session")
def _asked_for_english() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MATCHA_LANG", "en")
        patch.setenv("LANGUAGE", os.environ.get("LANGUAGE", ""))
        yield


@pytest.fixture(autouse=True, scope="session")
def _facts_fit_their_schema() -> Iterator[None]:
    """Compare all facts that tests print in this process with protocol/schemas/facts.json."""
    told = Output.fact

    def fact(out: Output, event: str, **fields: object) -> None:
        line = json.loads(json.dumps({"v": 1, "event": event, **fields}))
        assert not (found := faults(line, "facts")), found
        told(out, event, **fields)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Output, "fact", fact)
        yield


@pytest.fixture(autouse=True, scope="session")
def _coin_chains_are_remembered() -> Iterator[None]:
    """Hash each chain of coins once: tests make many copies of a seat."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seat, "coin_chain", lru_cache(maxsize=64)(seat.coin_chain))
        yield


@pytest.fixture
def restored() -> Iterator[None]:
    """Let a test speak any language."""
    yield
    speak("en")


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute at once: trio's clock for tests would jump ahead while a thread is busy."""

    async def at_once(work: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return work(*arguments)

    monkeypatch.setattr(trio.to_thread, "run_sync", at_once)


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have the C of the bots as it stands: what is installed may be older, or missing.

    The test is skipped where no compiler is.
    """
    with pytest.MonkeyPatch.context() as patch:
        try:
            native.see_all_load()
        except BotError:
            patch.setattr(native, "FOLDER", compiled_bots(tmp_path_factory.mktemp("native")))
        yield
