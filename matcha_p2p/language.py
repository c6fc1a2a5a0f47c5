"""The language of the program: the code holds all sentences in English.

The translations are gettext catalogues in ``locale/``. Texts for a person are translated at the
moment of showing. Protocol, notation, JSON keys and exit codes are never translated.
"""

import gettext
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from matcha_p2p.errors import MatchaError, NotPlainError, filled

LANGUAGES: Final = {"en": "English", "ja": "日本語", "uk": "Українська"}
"""The languages' own names, by code."""

_PLURALS: Final = {
    "en": {"one": 1, "other": 2},
    "ja": {"other": 1},
    "uk": {"one": 1, "few": 2, "many": 5, "other": 5},
}
"""For each language and plural category (CLDR), a count of the category."""

LOCALE: Final = Path(__file__).parent / "locale"
_DOMAIN: Final = "matcha_p2p"
_ASKED: Final = ("MATCHA_LANG", "LC_ALL", "LC_MESSAGES", "LANG")

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def speak(language: str) -> None:
    """From now on speak ``language``, a key of LANGUAGES, in this package and in click."""
    global _catalogue, _language  # noqa: PLW0603 -- a process speaks one, like its locale
    _catalogue = _catalogue_of(language)
    _language = language
    gettext.bindtextdomain(_DOMAIN, LOCALE)
    gettext.textdomain(_DOMAIN)
    os.environ["LANGUAGE"] = language  # the first that the global functions of gettext look at


def spoken() -> str:
    """Return the code of the spoken language."""
    return _language


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language asked for by the variables of ``environment``, by default English."""
    for name in _ASKED:
        asked = environment.get(name, "")
        if asked:
            code = asked.replace("-", "_").partition("_")[0].partition(".")[0].lower()
            return code if code in LANGUAGES else "en"
    return "en"


def translated(english: str) -> str:
    """Return the text of a catalogue entry, with unfilled fields."""
    return _catalogue.gettext(english)


def sentence_of(error: MatchaError) -> str:
    """Return the sentence of ``error`` in the spoken language."""
    return error.said(translated)


def _catalogue_of(language: str) -> gettext.NullTranslations:
    return gettext.translation(_DOMAIN, LOCALE, [language], fallback=language == "en")


class Sentence:
    """A whole sentence or a word, with named fields: ``Sentence("{name} passes.")``."""

    __slots__ = ("english",)

    def __init__(self, english: str) -> None:
        self.english: Final = english

    def __call__(self, **fields: object) -> str:
        """Return the sentence in the spoken language."""
        return filled(translated(self.english), fields, translated)

    def text_in(self, language: str) -> str:
        """Return the sentence in ``language``, a key of LANGUAGES, with unfilled fields."""
        return _catalogue_of(language).gettext(self.english)


class Counted:
    """A sentence with forms for ``{count}``."""

    __slots__ = ("_many", "_one")

    def __init__(self, one: str, many: str) -> None:
        self._one: Final = one
        self._many: Final = many

    def __call__(self, count: int, **fields: object) -> str:
        """Return the plural form for ``count`` in the spoken language."""
        form = _catalogue.ngettext(self._one, self._many, count)
        return filled(form, {"count": count, **fields}, translated)

    def forms_in(self, language: str) -> dict[str, str]:
        """Return the unfilled forms in ``language``, by Unicode's plural category."""
        catalogue = _catalogue_of(language)
        return {
            category: catalogue.ngettext(self._one, self._many, count)
            for category, count in _PLURALS[language].items()
        }


_NOT_PLAIN: Final = Sentence("the file is not a plain file")


def reason_of(error: OSError) -> str:
    """Return the known reason why a file cannot be used."""
    if isinstance(error, NotPlainError):
        return _NOT_PLAIN()
    return error.strerror or type(error).__name__
