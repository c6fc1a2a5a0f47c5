"""Cards click on a page, until the reader switches the sound off."""

import pytest

from tests.review.page.browser import page_of
from tests.vectors import base

pytestmark = pytest.mark.slow

COUNTS = """() => {
window.clicks = 0;
const create = AudioContext.prototype.createBufferSource;
AudioContext.prototype.createBufferSource = function () {
  window.clicks += 1;
  return create.call(this);
};}
"""


def test_each_step_clicks_unless_the_sound_is_off(show):
    tab = show(page_of(base("resigned.matcha")), locale="en-GB")
    tab.evaluate(COUNTS)

    def clicks() -> int:
        return tab.evaluate("window.clicks")

    tab.keyboard.press("ArrowRight")
    assert clicks() == 1
    tab.locator("#back").click()
    assert clicks() == 2
    tab.locator("#back").click()  # the first step stays
    assert clicks() == 2
    tab.locator("#sound").uncheck()
    tab.locator("#forward").click()
    assert tab.locator("#position").inner_text().startswith("Step 2 ")
    assert clicks() == 2
    assert tab.said == []
