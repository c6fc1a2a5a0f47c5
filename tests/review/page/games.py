"""Open pages of many games in Chromium: ``python -m tests.review.page.games --count 100``.

Each page tells every step as the package does, to each onlooker. One game in ten is long.
The program prints the time of the verification in the page, and the size of the pages.
"""

import argparse
import json
import re
import statistics
import sys
import tempfile
from pathlib import Path

from playwright import sync_api

from matcha_p2p.app.library.check_files import check_file
from matcha_p2p.app.library.page import COMMON_SIZE
from tests.review.page.browser import (
    assert_shows_what_the_package_tells,
    found_browser,
    game_of_bots,
    launched,
    long_game,
    page_of,
)

FOUR_SETS = 4
TIME = re.compile(r"([0-9.]+) s\.")


def transcripts(count: int):
    """Yield so many games: the tenth, twentieth .. is long."""
    for number in range(count):
        tens, rest = divmod(number, 10)
        yield long_game(tens) if rest == 9 else game_of_bots(number)


def opened(browser, file: Path, data: bytes) -> dict[str, float]:
    """Open the page of ``data`` and compare it with the package; return its figures."""
    page = page_of(data)
    file.write_text(page, encoding="utf-8")
    context = browser.new_context(locale="en-GB")
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(file.as_uri())
    tab.wait_for_selector("#verdict.good", timeout=120_000)
    assert_shows_what_the_package_tells(tab, data)
    assert errors == []
    seconds = float(TIME.search(tab.locator("#verdict").inner_text())[1])
    context.close()
    return {"sets": check_file(data).sets, "seconds": seconds, "bytes": len(page.encode())}


def summary(games: list[dict[str, float]]) -> dict[str, object]:
    four = [each["seconds"] for each in games if each["sets"] == FOUR_SETS]
    return {
        "games": len(games),
        "sets": sum(each["sets"] for each in games),
        "most_sets": max(each["sets"] for each in games),
        "seconds_a_set": sum(e["seconds"] for e in games) / sum(e["sets"] for e in games),
        "seconds_of_four_sets": [statistics.median(four), max(four)] if four else None,
        "most_seconds": max(each["seconds"] for each in games),
        "larger_than_common": [
            (each["sets"], each["bytes"]) for each in games if each["bytes"] > COMMON_SIZE
        ],
        "most_sets_within": max(e["sets"] for e in games if e["bytes"] <= COMMON_SIZE),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    count = parser.parse_args().count
    path = found_browser()
    if path is None:
        sys.exit("There is no Chromium, so no page is opened.")
    games = []
    with tempfile.TemporaryDirectory() as folder, launched(sync_api, path) as browser:
        for number, data in enumerate(transcripts(count)):
            games.append(opened(browser, Path(folder) / "game.html", data))
            print(f"{number}: {games[-1]}", file=sys.stderr)
    print(json.dumps(summary(games)))


if __name__ == "__main__":
    main()
