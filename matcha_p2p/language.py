"""The language that the program speaks: sentences stand in English where they are said.

The other languages are gettext catalogues in ``locale/``. What a person reads is translated at
the moment it is shown; protocol, notation, JSON keys and exit codes never are.
"""

import gettext
import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePath, PureWindowsPath
from typing import Final

LANGUAGES: Final = {"en": "English", "ja": "日本語", "uk": "Українська"}
"""What each language calls itself, by its code."""

LOCALE: Final = Path(__file__).parent / "locale"
_DOMAIN: Final = "matcha_p2p"
_ASKED: Final = ("MATCHA_LANG", "LC_ALL", "LC_MESSAGES", "LANG")

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def speak(language: str) -> None:
    """Say everything from now on in ``language``, a key of LANGUAGES; click does as well."""
    global _catalogue, _language  # noqa: PLW0603 -- a process speaks one, like its locale
    _catalogue = gettext.translation(_DOMAIN, LOCALE, [language], fallback=language == "en")
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


def shown(path: PurePath) -> str:
    """Return ``path`` fit for a terminal: one line, quoted unless it is plain.

    A file is called what a stranger likes. Whatever is not printable is escaped, and so are
    spaces in a row, with which a name could reach the next line of a terminal. The quotes are
    those of a shell: a path stands in commands that people copy.
    """
    windows = isinstance(path, PureWindowsPath)
    plain = "/._-~+@,=:\\" if windows else "/._-~+@,=:"
    if all(character.isalnum() or character in plain for character in str(path)):
        return str(path)
    text = re.sub("(?<= ) ", r"\\x20", str(path))
    text = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
    return f'"{text}"' if windows else "'" + text.replace("'", r"'\''") + "'"


def filled(text: str, fields: Mapping[str, object]) -> str:
    """Return ``text`` with its ``fields``; a path as it can be shown."""
    fit = {
        name: shown(value) if isinstance(value, PurePath) else value
        for name, value in fields.items()
    }
    return text.format_map(fit)


class Sentence:
    """A whole sentence or a word, with named fields: ``Sentence("{name} passes.")``."""

    __slots__ = ("_english",)

    def __init__(self, english: str) -> None:
        self._english: Final = english

    def __call__(self, **fields: object) -> str:
        """Return it in the language that is spoken."""
        return filled(translated(self._english), fields)


class Counted:
    """A sentence whose form depends on ``{count}``."""

    __slots__ = ("_many", "_one")

    def __init__(self, one: str, many: str) -> None:
        self._one: Final = one
        self._many: Final = many

    def __call__(self, count: int, **fields: object) -> str:
        """Return it in the language that is spoken, in the plural form that goes with it."""
        form = _catalogue.ngettext(self._one, self._many, count)
        return filled(form, {"count": count, **fields})
