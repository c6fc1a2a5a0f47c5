"""The rules of Tichu as text."""

from matcha_p2p import games


def test_each_chapter_has_a_title_and_paragraphs():
    pages = games.game_of("tichu").rulebook
    chapters = "\n".join(pages.paragraphs("")).split("\n\n")
    assert [chapter.splitlines()[0] in pages.titles("") for chapter in chapters] == [True] * 7
    assert all(len(chapter.splitlines()) > 1 for chapter in chapters)


def test_tips_are_paragraphs():
    pages = games.game_of("tichu").rulebook
    text = "\n".join(pages.paragraphs(""))
    assert all(tip in text and not tip.startswith("- ") for tip in pages.tips(""))
