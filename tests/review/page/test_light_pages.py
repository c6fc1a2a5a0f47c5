"""Pages of an index in a real browser: they run beside the files that they share."""

import pytest

from matcha_p2p.app.library.check_files import check_file
from matcha_p2p.app.library.page import light_page_of, shared_of
from tests.review.page.browser import assert_shows_what_the_package_tells
from tests.vectors import base

pytestmark = pytest.mark.slow

FINISHED = "open-book-by-both.matcha"


@pytest.fixture
def light(tmp_path):
    """Return a function that gives a game's light page, and writes the shared files."""

    def page(data: bytes, *, kinds: tuple[str, ...] = (".js", ".css")) -> str:
        found = check_file(data)
        for name, text in shared_of(found.game).by_name().items():
            if name.endswith(kinds):
                (tmp_path / name).write_text(text, encoding="utf-8")
        return light_page_of(data, found)

    return page


def test_light_page_shows_its_game_and_asks_for_files_alone(light, show):
    tab = show(light(base(FINISHED)), locale="en-GB")
    assert_shows_what_the_package_tells(tab, base(FINISHED))
    assert sorted(tab.asked) == ["blob", "file", "file", "file"]
    assert tab.said == []


def test_light_page_has_its_style(light, show):
    font = "getComputedStyle(document.body).fontFamily"
    plain = show(light(base(FINISHED), kinds=(".js",))).evaluate(font)
    assert show(light(base(FINISHED))).evaluate(font) != plain


def test_light_page_without_its_script_says_that_nothing_is_checked(light, show):
    tab = show(light(base(FINISHED), kinds=(".css",)), waits=False)
    assert tab.locator("#unchecked").is_visible()
    assert not tab.locator("#page").is_visible()


def test_script_that_was_added_to_a_light_page_does_not_run(light, show):
    page = light(base(FINISHED)).replace("</footer>", "</footer><script>alert(1)</script>")
    tab = show(page)
    assert not any("a dialog" in said for said in tab.said)
    assert any("Content Security Policy" in said for said in tab.said)


def test_light_page_of_another_transcript_is_false(light, show):
    tab = show(light(base(FINISHED)[:-1]), locale="en-GB")
    assert tab.get_attribute("#verdict", "class") == "bad"
