"""What the name of somebody else may pretend: to be another name, or a sentence of ours.

Which names look alike is told by Unicode's table of confusable characters: UTS 39, section 4.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

from matcha_p2p.errors import EncodingError
from matcha_p2p.language import LANGUAGES, Sentence
from matcha_p2p.narration.standing_sentences import SENTENCES
from matcha_p2p.wire.text import check_name

TABLE: Final = Path(__file__).with_name("confusables.tsv")
"""Made by ``python -m tests.confusables``."""

QUOTED: Final = Sentence('"{name}"')
_UNSHOWN: Final = Sentence("a player with a misleading name")

_QUOTES: Final = frozenset("«»„「」『』《》〈〉〝〞〟❝❞")
"""Quotation marks, besides those that look like two apostrophes."""

_FIELD: Final = re.compile(r"\{\w+\}")
_AT_ENDS: Final = re.compile(r"^\W+|\W+$")
_SHORTEST: Final = 4
"""Characters of the shortest words of ours that a name cannot have."""

_DIGIT: Final = "[2-9Ol]"  # 0 and 1 look like letters
_DATE: Final = re.compile(rf"{_DIGIT}{{4}}\W+{_DIGIT}{{1,2}}\W+{_DIGIT}{{1,2}}")


def can_be_a_name(name: str) -> bool:
    """Tell whether a player of this program can be called ``name``."""
    try:
        check_name(name)
    except (EncodingError, UnicodeError):
        return False
    return not is_misleading(name)


def is_misleading(name: str) -> bool:
    """Tell whether ``name`` could be read as words of this program about somebody.

    It could if it has a quotation mark, a date, or words by which we say who a player is, in
    any language.
    """
    if name.isascii() and name.isalnum():
        return False  # one plain word, as most names are: no table has to be read for it
    letters = "".join(" " if unicodedata.category(each) == "Lo" else each for each in name)
    return (
        not _QUOTES.isdisjoint(name)
        or "''" in skeleton(letters)  # the look of "; the Yiddish letter that has it is none
        or _DATE.search(skeleton(name)) is not None
        or _our_words().search(_seen(name)) is not None
    )


def quoted(name: str) -> str:
    """Return ``name`` in quotation marks; if it is misleading, other words instead."""
    return _UNSHOWN() if is_misleading(name) else QUOTED(name=name)


def look_alike(name: str, other: str) -> bool:
    """Tell whether a person may take one name for the other."""
    return not _looks(name).isdisjoint(_looks(other))


def skeleton(text: str) -> str:
    """Return the skeleton of ``text``: texts that look the same have the same (UTS 39)."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", decomposed.translate(_prototypes()))


def _looks(name: str) -> frozenset[str]:
    """Return what ``name`` looks like as it stands, in small letters, and in capitals."""
    capitals = unicodedata.normalize("NFKC", name).upper()
    return frozenset((skeleton(name).casefold(), _seen(name), skeleton(capitals).casefold()))


def _seen(text: str) -> str:
    small = unicodedata.normalize("NFKC", text).casefold()
    return skeleton(small).casefold()


@cache
def _prototypes() -> dict[int, str]:
    """Return what each character looks like, by its number."""
    lines = TABLE.read_text(encoding="utf-8").split("\n")
    table = [line.split("\t") for line in lines if "\t" in line]
    return {ord(each): prototype for prototype, alike in table for each in alike}


@cache
def _our_words() -> re.Pattern[str]:
    """Return a pattern for what stands between the fields of sentences about players."""
    pieces = {
        _AT_ENDS.sub("", piece)
        for sentence in SENTENCES
        for language in LANGUAGES
        for piece in _FIELD.split(sentence.text_in(language))
    }
    return re.compile("|".join(_whole(each) for each in pieces if len(each) >= _SHORTEST))


def _whole(piece: str) -> str:
    """Return a pattern for ``piece``: for whole words, where a script has spaces between."""
    begins = r"\b" if piece[0].upper() != piece[0].lower() else ""
    ends = r"\b" if piece[-1].upper() != piece[-1].lower() else ""
    return begins + re.escape(_seen(piece)) + ends
