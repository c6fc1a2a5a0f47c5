"""The language is chosen from the environment, and sentences take their fields."""

import pytest

from matcha_p2p.errors import JournalError
from matcha_p2p.language import Counted, Sentence, language_of, speak


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "uk"}, "uk"),
        ({"LANG": "uk-UA"}, "uk"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "xx_XX.UTF-8"}, "en"),
        ({"LC_ALL": "uk_UA.UTF-8", "LANG": "ja_JP.UTF-8"}, "uk"),
        ({"LC_ALL": "", "LC_MESSAGES": "ja_JP", "LANG": "uk_UA"}, "ja"),
        ({"MATCHA_LANG": "en", "LC_ALL": "ja_JP.UTF-8"}, "en"),
    ],
)
def test_the_language_is_the_first_that_is_asked_for(environment, language):
    assert language_of(environment) == language


def test_a_sentence_takes_its_fields():
    speak("en")
    assert Sentence("{name} passes.")(name="{Mina}") == "{Mina} passes."


def test_error_shows_its_filled_sentence_in_a_program():
    error = JournalError("{path} is damaged.", path="mine.journal")
    assert (str(error), repr(error)) == (
        "mine.journal is damaged.",
        "JournalError('mine.journal is damaged.')",
    )


@pytest.mark.parametrize(("count", "text"), [(1, "1 card"), (0, "0 cards"), (2, "2 cards")])
def test_a_counted_sentence_has_the_form_of_its_count(count, text):
    speak("en")
    assert Counted("{count} card", "{count} cards")(count) == text


def test_sentence_gives_its_text_in_any_language():
    speak("uk")
    assert Sentence("{name} passes.").text_in("en") == "{name} passes."
    assert Sentence("{name} passes.").text_in("ja") == "{name}さんはパスしました。"
    speak("en")


@pytest.mark.parametrize(
    ("language", "forms"), [("en", 2), ("ja", 1), ("uk", 3)], ids=["en", "ja", "uk"]
)
def test_a_counted_sentence_tells_its_forms_by_plural_category(language, forms):
    told = Counted("{count} game is listed.", "{count} games are listed.").forms_in(language)
    assert len(set(told.values())) == forms
    assert "other" in told
