"""A tab that a test has used is as new for the next test."""

import pytest

pytestmark = pytest.mark.slow

PAGE = "<title>a page</title><script>console.log('hello')</script>"
FOUND = """[innerWidth, innerHeight, localStorage.length, sessionStorage.length, window.left,
    matchMedia("print").matches, matchMedia("(prefers-reduced-motion)").matches]"""
CHANGES = """() => {
  localStorage.setItem("theme", "dark");
  sessionStorage.setItem("theme", "dark");
  window.left = 1;
}"""


def test_used_tab_is_as_new(tabs, tmp_path):
    files = tmp_path / "first.html", tmp_path / "second.html"
    for file in files:
        file.write_text(PAGE)
    options = {"locale": "en-GB", "reduced_motion": "reduce"}
    used = tabs.take(**options)
    used.goto(files[0].as_uri())
    found = used.evaluate(FOUND)
    assert used.said == ["hello"]
    used.evaluate(CHANGES)
    used.set_viewport_size({"width": 360, "height": 640})
    used.emulate_media(media="print")
    assert used.evaluate(FOUND) == [360, 640, 1, 1, 1, True, True]
    tabs.give_back(used)
    tab = tabs.take(**options)
    assert tab is used
    assert (tab.said, tab.asked) == ([], [])
    tab.goto(files[1].as_uri())
    assert tab.evaluate(FOUND) == found == [1280, 720, 0, 0, None, False, True]
    assert (tab.said, tab.asked) == (["hello"], ["file"])
    others = [tabs.take(locale="fr-FR")]
    tabs.give_back(tab, alone=True)
    others.append(tabs.take(**options))
    assert tab not in others
    for other in others:
        tabs.give_back(other, alone=True)
