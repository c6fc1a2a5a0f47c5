"""The rules as text."""

from matcha_p2p.games.game import Pages
from matcha_p2p.games.kashi.lessons import pages

PAGES: Pages = pages  # the type checker compares each function


def test_chapters_are_parted_and_titled():
    said = PAGES.paragraphs("")
    chapters = "\n".join(said).split("\n\n")
    assert {chapter.split("\n")[0] for chapter in chapters} == PAGES.titles("")
    assert len(chapters) == 6


def test_numbers_are_those_of_the_board():
    text = " ".join(PAGES.paragraphs(""))
    assert "m: 6-3-1" in text
    assert "3-4-5-5" in text
    assert "{" not in text


def test_tips_are_sentences_of_the_rules():
    said = {paragraph.removeprefix("- ") for paragraph in PAGES.paragraphs("")}
    assert set(PAGES.tips("")) <= said
    assert len(PAGES.tips("")) == 10
