"""Misleading names: a name that looks like another name, or like a sentence of ours.

Unicode's table of confusable characters tells which names look alike: UTS 39, section 4.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

from matcha_p2p.errors import EncodingError, MatchaError
from matcha_p2p.language import LANGUAGES, Sentence
from matcha_p2p.narration.standing_sentences import SENTENCES
from matcha_p2p.wire.text import NAME_LIMIT, check_name

TABLE: Final = Path(__file__).with_name("confusables.tsv")
"""Made by ``python -m tests.confusables``."""

QUOTED: Final = Sentence('"{name}"')
_UNSHOWN: Final = Sentence("a player with a misleading name")

_QUOTES: Final = frozenset("«»„「」『』《》〈〉〝〞〟❝❞")
"""Quotation marks, besides marks that look like two apostrophes."""

_FIELD: Final = re.compile(r"\{\w+\}")
_AT_ENDS: Final = re.compile(r"^\W+|\W+$")
_SHORTEST: Final = 4
"""The least characters of our words that no name may contain."""

_DIGIT: Final = "[2-9Ol]"  # 0 and 1 look like letters
_DATE: Final = re.compile(rf"{_DIGIT}{{4}}\W+{_DIGIT}{{1,2}}\W+{_DIGIT}{{1,2}}")


def can_be_a_name(name: str) -> bool:
    """Tell whether a player of this program can be called ``name``."""
    try:
        check_name(name)
    except (EncodingError, UnicodeError):
        return False
    return not is_misleading(name)


def refusal_of(name: str) -> MatchaError | None:
    """Return why no player of this program can be called ``name``, or None."""
    if can_be_a_name(name):
        return None
    composed = unicodedata.ucd_3_2_0.normalize("NFC", name)
    if composed != name and can_be_a_name(composed):
        return MatchaError(
            "This name has letters and their marks as separate characters. Give the name in "
            "Unicode's composed form (NFC): {name}",
            name=composed,
        )
    return MatchaError(
        "This cannot be a name. A name has 1 to {limit} characters that can be shown safely, "
        "with single spaces between words. Quotation marks, dates and words that this program "
        "says about players are refused.",
        limit=NAME_LIMIT,
    )


def is_misleading(name: str) -> bool:
    """Tell whether a reader could take ``name`` for words of this program about a player.

    A name with a quotation mark, a date, or our words for a player's standing, in any language,
    is misleading.
    """
    if name.isascii() and name.isalnum():
        return False  # for a plain word, like most names, no table need be read
    letters = "".join(" " if unicodedata.category(each) == "Lo" else each for each in name)
    return (
        not _QUOTES.isdisjoint(name)
        or "''" in skeleton(letters)  # looks like ", except in a Yiddish letter
        or _DATE.search(skeleton(name)) is not None
        or _our_words().search(_seen(name)) is not None
    )


def quoted(name: str) -> str:
    """Return ``name`` in quotation marks, or other words for a misleading name."""
    return _UNSHOWN() if is_misleading(name) else QUOTED(name=name)


def look_alike(name: str, other: str) -> bool:
    """Tell whether a person may confuse the two names."""
    return not _looks(name).isdisjoint(_looks(other))


def skeleton(text: str) -> str:
    """Return the skeleton of ``text`` (UTS 39): texts that look alike have equal skeletons."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", decomposed.translate(_prototypes()))


def _looks(name: str) -> frozenset[str]:
    """Return the looks of ``name`` as written, in small letters, and in capitals."""
    capitals = unicodedata.normalize("NFKC", name).upper()
    return frozenset((skeleton(name).casefold(), _seen(name), skeleton(capitals).casefold()))


def _seen(text: str) -> str:
    small = unicodedata.normalize("NFKC", text).casefold()
    return skeleton(small).casefold()


@cache
def _prototypes() -> dict[int, str]:
    """Return the lookalike text of each character, by number."""
    lines = TABLE.read_text(encoding="utf-8").split("\n")
    table = [line.split("\t") for line in lines if "\t" in line]
    return {ord(each): prototype for prototype, alike in table for each in alike}


@cache
def _our_words() -> re.Pattern[str]:
    """Return a pattern for the words between the fields of our sentences about players."""
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
