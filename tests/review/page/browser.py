"""A real browser for pages of games, and the expected texts of the pages."""

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import count
from pathlib import Path

import pytest

from matcha_p2p.app.library import page as library_page
from matcha_p2p.app.library.check_files import check_file
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games.matcha.replay.steps import replay_of
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.review.steps import viewpoints
from tests.duel import Duel, chooser, next_entry, opened, play_out

LONG = 12
"""Sets of a long game."""

NAMES = ("chromium", "chromium-browser", "google-chrome")
ISOLATES = re.compile("[\u2068\u2069]")
SWITCHES = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip
LOOKS = {"both": "open", "public": "public", "first": "0", "second": "1"}
"""The looks of a page of Matcha, by the names of views."""
USUAL_SIZE = {"width": 1280, "height": 720}
"""Pixels of a tab's window."""

PRESSED_AT_EACH_STEP = """(key) => {
  for (const _ of document.querySelectorAll("#whole li"))
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""


def found_browser() -> str | None:
    """Return the path of a Chromium, None without a Chromium."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched(playwright, path: str) -> Iterator:
    """Run the browser at ``path`` as long as the body lasts. playwright: its sync_api."""
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=list(SWITCHES))
        yield browser
        browser.close()


class Tabs:
    """The tabs of a browser. A tab that is free is taken again, as if it were new.

    A new context starts a process, which reads and compiles the page's script anew.
    """

    def __init__(self, browser) -> None:
        self._browser = browser
        self._free: dict[str, list] = {}  # by the options of their contexts

    def take(self, viewport=USUAL_SIZE, **options):
        """Return a tab. said: what the pages print. asked: the schemes of their requests."""
        options_of_tab = repr(sorted(options.items()))
        free = self._free.setdefault(options_of_tab, [])
        tab = free.pop() if free else self._opened(options_of_tab, options)
        tab.set_viewport_size(viewport)
        tab.said, tab.asked = [], []
        return tab

    def _opened(self, options_of_tab: str, options: dict):
        tab = self._browser.new_context(**options).new_page()
        tab.options_of_tab = options_of_tab
        tab.on("console", lambda message: tab.said.append(message.text))
        tab.on("pageerror", lambda error: tab.said.append(str(error)))
        tab.on("dialog", lambda dialog: tab.said.append(f"a dialog: {dialog.message}"))
        tab.on("request", lambda request: tab.asked.append(request.url.partition(":")[0]))
        return tab

    def give_back(self, tab, *, alone: bool = False) -> None:
        """Clean a tab for the next test. alone: the tab was of one test, and is closed."""
        if alone:
            tab.context.close()
            return
        tab.evaluate("localStorage.clear(), sessionStorage.clear()")
        tab.emulate_media(media="null")
        self._free[tab.options_of_tab].append(tab)


def made_page(transcript: bytes) -> str:
    return library_page.page_of(transcript, check_file(transcript))


page_of = lru_cache(maxsize=8)(made_page)
verified = lru_cache(maxsize=8)(verify_transcript)


def game_of_bots(number: int) -> bytes:
    """Return the transcript of a game: each edition and each pair of bots in turn."""
    bots = ("greedy", "uniform")
    edition = "2015" if number % 4 else "2020"
    return _played(
        f"page {number}", edition, [(bots[number >> seat & 1], number) for seat in (0, 1)]
    )


def long_game(number: int) -> bytes:
    """Return a transcript of LONG sets: a set that ends the game sooner is played otherwise."""
    kept = opened(f"long {number}", "2015")
    for attempt in count():
        first, second = (chooser("uniform", f"{number} {attempt} {seat}") for seat in (0, 1))
        duel = replace(kept, entries=list(kept.entries))
        begun = game_of(duel.table).number
        while game_of(duel.table).number == begun and (
            entry := next_entry(duel, (first, second))
        ):
            duel.say(entry)
        if entry is not None:
            kept = duel
        elif begun >= LONG:
            return _encoded(duel)
    raise AssertionError


def _played(seed: str, edition: str, bots: list[tuple[str, int]]) -> bytes:
    first, second = (
        chooser(bot, f"{number} {seat}") for seat, (bot, number) in enumerate(bots)
    )
    return _encoded(play_out(opened(seed, edition), (first, second)))


def _encoded(duel: Duel) -> bytes:
    return encode_archive([entry.encoded for entry in duel.entries], [], duel.state.roster)


def plain(text: str | None) -> str:
    return ISOLATES.sub("", text or "")


def sentences(tab) -> list[str]:
    """Return what the page tells of each step."""
    return [plain(text) for text in tab.locator("#whole li").all_text_contents()]


def assert_plays_through(tab) -> None:
    """Every step can be drawn, forwards and back."""
    for key in ("ArrowRight", "ArrowLeft"):
        tab.evaluate(PRESSED_AT_EACH_STEP, key)
    assert tab.said == []


def assert_shows_what_the_package_tells(tab, data: bytes) -> None:
    replay = replay_of(verified(data))
    views = viewpoints(2)
    if not any(map(replay.opens, SEATS)):
        del views["both"]
    for name, view in views.items():
        if not replay.steps:
            return
        tab.select_option("#view", LOOKS[name])
        told = [" ".join(replay.sentences(at, view)) for at in range(len(replay.steps))]
        assert sentences(tab) == told


FOR_AXE = {"locale": "en-GB", "bypass_csp": True, "reduced_motion": "reduce"}
"""Options of a tab in which axe runs: the page's policy admits no other script."""


def assert_axe_finds_nothing_wrong(tab, widths: Iterable[int] = (360, 1280)) -> None:
    """Contrast, names of controls, order of headings and the rest of what axe-core knows."""
    axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    tab.evaluate(Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
    for width in widths:
        tab.set_viewport_size({"width": width, "height": 900})
        for theme in ("light", "dark"):
            tab.select_option("#theme", theme)
            wrong = tab.evaluate("axe.run().then(({ violations }) => violations)")
            nodes = [(it["id"], [node["html"][:200] for node in it["nodes"]]) for it in wrong]
            assert (width, theme, nodes) == (width, theme, [])


def assert_board_fits(tab, size: tuple[int, int], keys: Iterable[str]) -> None:
    """Look at the board after each key: it fits, and the near hand is free. size: in pixels."""
    width, height = size
    tab.set_viewport_size({"width": width, "height": height})
    for scrolled in (0, 60, 300):
        for key in keys:
            tab.keyboard.press(key)
            tab.evaluate(f"scrollTo(0, {scrolled})")
            board, near, controls = (
                tab.locator(place).bounding_box()
                for place in ("#board", ".player.near", ".controls")
            )
            assert board["y"] >= 0
            assert near["y"] + near["height"] <= controls["y"]
            assert controls["y"] + controls["height"] <= height
