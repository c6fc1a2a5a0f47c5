"""The language that the program speaks: sentences stand in English where they are said.

The other languages are gettext catalogues in ``locale/``. What a person reads is translated at
the moment it is shown; protocol, notation, JSON keys and exit codes never are.
"""

import gettext
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from matcha_p2p.errors import MatchaError, NotPlainError, filled

LANGUAGES: Final = {"en": "English", "ja": "日本語", "uk": "Українська"}
"""What each language calls itself, by its code."""

_PLURALS: Final = {
    "en": {"one": 1, "other": 2},
    "ja": {"other": 1},
    "uk": {"one": 1, "few": 2, "many": 5, "other": 5},
}
"""For each language and each of its plural categories (CLDR), a count that belongs to it."""

LOCALE: Final = Path(__file__).parent / "locale"
_DOMAIN: Final = "matcha_p2p"
_ASKED: Final = ("MATCHA_LANG", "LC_ALL", "LC_MESSAGES", "LANG")

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def speak(language: str) -> None:
    """Say everything from now on in ``language``, a key of LANGUAGES; so does click."""
    global _catalogue, _language  # noqa: PLW0603 -- a process speaks one, like its locale
    _catalogue = _catalogue_of(language)
    _language = language
    gettext.bindtextdomain(_DOMAIN, LOCALE)
    gettext.textdomain(_DOMAIN)
    os.environ["LANGUAGE"] = language  # the first that the global functions of gettext look at


def spoken() -> str:
    """Return the language that is spoken."""
    return _language


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that the variables of ``environment`` ask for, English if none."""
    for name in _ASKED:
        asked = environment.get(name, "")
        if asked:
            code = asked.replace("-", "_").partition("_")[0].partition(".")[0].lower()
            return code if code in LANGUAGES else "en"
    return "en"


def translated(english: str) -> str:
    """Return the text of a catalogue entry, its fields still unfilled."""
    return _catalogue.gettext(english)


def sentence_of(error: MatchaError) -> str:
    """Return what ``error`` says, in the language that is spoken."""
    return error.said(translated)


def _catalogue_of(language: str) -> gettext.NullTranslations:
    return gettext.translation(_DOMAIN, LOCALE, [language], fallback=language == "en")


class Sentence:
    """A whole sentence or a word, with named fields: ``Sentence("{name} passes.")``."""

    __slots__ = ("english",)

    def __init__(self, english: str) -> None:
        self.english: Final = english

    def __call__(self, **fields: object) -> str:
        """Return it in the language that is spoken."""
        return filled(translated(self.english), fields, translated)

    def text_in(self, language: str) -> str:
        """Return it in ``language``, a key of LANGUAGES, its fields still unfilled."""
        return _catalogue_of(language).gettext(self.english)


class Counted:
    """A sentence whose form depends on ``{count}``."""

    __slots__ = ("_many", "_one")

    def __init__(self, one: str, many: str) -> None:
        self._one: Final = one
        self._many: Final = many

    def __call__(self, count: int, **fields: object) -> str:
        """Return it in the language that is spoken, in the plural form that goes with it."""
        form = _catalogue.ngettext(self._one, self._many, count)
        return filled(form, {"count": count, **fields}, translated)

    def forms_in(self, language: str) -> dict[str, str]:
        """Return its forms in ``language``, unfilled, by the plural category of Unicode."""
        catalogue = _catalogue_of(language)
        return {
            category: catalogue.ngettext(self._one, self._many, count)
            for category, count in _PLURALS[language].items()
        }


_NOT_PLAIN: Final = Sentence("the file is not a plain file")


def reason_of(error: OSError) -> str:
    """Return why a file cannot be used, as far as that is known."""
    if isinstance(error, NotPlainError):
        return _NOT_PLAIN()
    return error.strerror or type(error).__name__
