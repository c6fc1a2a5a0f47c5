"""Node, the JavaScript verifier as a judge beside those of tests/judges.py, and a browser."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.judges import Finding
from tests.review.page.browser import Tabs, found_browser, launched

FOLDER = Path(__file__).parent


@pytest.fixture(scope="session")
def node():
    """Return the path of Node; skip the test on a machine without Node."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node is not installed, so the JavaScript verifier does not run")
    return found


@pytest.fixture(scope="session")
def page_verifier(node):
    """Return a function that gives the JavaScript verifier's finding for a file."""
    judge = subprocess.Popen(
        [node, str(FOLDER / "judge.js")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )

    def find(data: bytes) -> Finding:
        judge.stdin.write(len(data).to_bytes(4) + data)
        judge.stdin.flush()
        return Finding.read(**json.loads(judge.stdout.readline()))

    yield find
    judge.communicate()


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright")
    found = found_browser()
    if found is None:
        pytest.skip("there is no Chromium, so no page is opened")
    with launched(playwright, found) as running:
        yield running


@pytest.fixture(scope="session")
def tabs(browser):
    """Tabs of the browser: a new one for each test would start a process of the browser."""
    return Tabs(browser)


@pytest.fixture
def show(tabs, tmp_path):
    """Open a page, wait for its verdict unless told not to, and watch what it asks for.

    alone: in a tab that no other test gets, because the test changes the tab for ever.
    """
    used = []

    def opened_page(
        page: str, *, waits: bool = True, step: int | str = 1, alone: bool = False, **options
    ):
        file = tmp_path / f"game{len(used)}.html"
        file.write_text(page, encoding="utf-8")
        tab = tabs.take(**options)
        used.append((tab, alone))
        tab.goto(f"{file.as_uri()}#{step}")
        if waits:
            tab.wait_for_selector("#verdict.good, #verdict.bad", timeout=60_000)
        return tab

    yield opened_page
    for tab, alone in used:
        tabs.give_back(tab, alone=alone)
