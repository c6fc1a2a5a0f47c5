"""The cards of a page move when they are dealt and laid, for a moment and only if wanted."""

from pathlib import Path

import pytest

from matcha_p2p.chain.verify import verify_transcript
from tests.review.exporting import told_steps
from tests.review.page.browser import page_of
from tests.vectors import FOLDER, base

pytestmark = pytest.mark.slow

PRESSED = """(key) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  return document.getAnimations().map((motion) => motion.effect.getTiming().duration);
}"""
LONGEST = 150
LIT = """(key) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  return document.getAnimations().map(({ effect }) => [
    effect.target.style.getPropertyValue("--nth"),
    effect.getTiming().delay, effect.getTiming().duration]);
}"""
TO = """["--x", "--y"].map((way) =>
  getComputedStyle(document.querySelector(".gone")).getPropertyValue(way))"""
WAYS = {
    "far": ("", "-6rem"),
    "near": ("", "6rem"),
    "left": ("-10rem", ""),
    "right": ("10rem", ""),
}
"""The way of taken cards to each side of the board: the values of --x and --y."""
FINISHED = "open-book-by-both.matcha"


def game(name: str) -> bytes:
    return base(FINISHED) if name == "matcha" else Path(FOLDER, name).read_bytes()


def step_before(data: bytes, kind: str) -> int:
    """Return the number of the step before the first step of a kind, counted from 1."""
    steps = told_steps(verify_transcript(data))
    return next(at for at, step in enumerate(steps) if at and step.event["kind"] == kind)


@pytest.mark.parametrize(
    ("name", "kind"), [("tichu/random.matcha", "laid"), ("kashi/four.matcha", "orders-drawn")]
)
def test_what_is_laid_moves_until_any_key(show, name, kind):
    data = game(name)
    tab = show(page_of(data), step=step_before(data, kind), locale="en-GB")
    motions = tab.evaluate(PRESSED, "ArrowRight")
    assert motions
    assert max(motions) <= LONGEST
    assert tab.evaluate(PRESSED, "z") == []


def test_cards_of_matcha_move_when_dealt_and_laid(show):
    tab = show(page_of(game("matcha")), locale="en-GB")
    moved = [tab.evaluate(PRESSED, "ArrowRight") for _ in range(8)]
    assert len(moved[0]) == 10  # both hands are dealt
    assert all(0 < each <= LONGEST for motions in moved for each in motions)
    assert any(len(motions) == 1 for motions in moved)


def test_way_in_kashi_lights_square_by_square_until_any_key(show):
    data = game("kashi/four.matcha")
    tab = show(page_of(data), step=step_before(data, "turn-taken"), locale="en-GB")
    begins = tab.evaluate(LIT, "ArrowRight")
    assert len(begins) > 1
    assert sorted(begins) == [[str(nth), 80 * nth, LONGEST] for nth in range(len(begins))]
    assert tab.evaluate(PRESSED, "z") == []
    assert tab.locator(".cell.lit").count() == len(begins)


def test_cards_of_a_taken_trick_move_to_its_taker_and_are_gone(show):
    data = game("tichu/random.matcha")
    tab = show(page_of(data), step=step_before(data, "trick-taken"), locale="en-GB")
    labels = "all => all.map((each) => each.getAttribute('aria-label')).sort()"
    trick = tab.locator(".trick .tile").evaluate_all(labels)
    assert tab.evaluate(PRESSED, "ArrowRight") == [LONGEST]
    assert tab.locator(".gone .tile").evaluate_all(labels) == trick
    side = tab.locator(".player.acts").get_attribute("class").split()[1]
    to = tab.evaluate(TO)
    assert [direction for direction, (x, y) in WAYS.items() if to == [x, y]] == [side]
    assert tab.evaluate(PRESSED, "z") == []
    assert tab.evaluate("getComputedStyle(document.querySelector('.gone')).opacity") == "0"


def test_nothing_moves_for_who_wants_no_motion(show):
    data = game("tichu/random.matcha")
    tab = show(page_of(data), step=step_before(data, "laid"), reduced_motion="reduce")
    assert tab.evaluate(PRESSED, "ArrowRight") == []
