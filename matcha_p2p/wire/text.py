"""Text from another person: accepted names, and cleaned talk.

A name is part of the signed game. So the characters are judged by Unicode 3.2, the version of
RFC 3454: peers and verifiers of any age agree about every name.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from matcha_p2p.errors import Check, EncodingError

NAME_LIMIT: Final = 24
"""Longest name, in characters: Unicode code points."""

TALK_LIMIT: Final = 200
"""Longest piece of talk, in characters."""

_NUMBER: Final = re.compile("[0-9]{1,9}")

_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_MARKS_IN_A_ROW: Final = 2
_SEEN: Final = frozenset("LMNPS")
# Letters, marks and symbols by category without ink: Unicode's Default_Ignorable_Code_Point,
# and two blank symbols. U+180F and the last range are younger than Unicode 3.2, so names cannot
# contain them anyway.
_UNSEEN: Final = (
    frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
    | frozenset("\N{BRAILLE PATTERN BLANK}\N{MUSICAL SYMBOL NULL NOTEHEAD}")
    | frozenset(
        map(chr, [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
    )
)


def number_in(typed: str) -> int | None:
    """Return the number of at most nine digits in ``typed``, or None.

    Python refuses to read a number of thousands of digits.
    """
    return int(typed) if _NUMBER.fullmatch(typed) else None


def check_name(name: str) -> None:
    """Accept ``name`` as a player's name (SPEC#names).

    1 to 24 characters in NFC: visible characters and single inner spaces. At most two combining
    marks follow a visible character.

    Raises:
        EncodingError: E_TEXT.
    """
    if not 0 < len(name) <= NAME_LIMIT:
        raise EncodingError(Check.TEXT, f"a name has 1 to {NAME_LIMIT} characters")
    if unicodedata.ucd_3_2_0.normalize("NFC", name) != name:
        raise EncodingError(Check.TEXT, "the name is not in Unicode's composed form (NFC)")
    if name != " ".join(name.split()):
        raise EncodingError(Check.TEXT, "the name has spaces at an end or in a row")
    if _shown(name, unicodedata.ucd_3_2_0.category) != name:
        raise EncodingError(Check.TEXT, "the name has characters that cannot be shown safely")
    if any(is_mark(word[0]) for word in name.split(" ")):
        raise EncodingError(Check.TEXT, "a word of the name begins with a combining mark")


def is_admitted(character: str) -> bool:
    """Tell whether a name may have ``character``, beside spaces (SPEC#name-characters)."""
    return _is_visible(character, unicodedata.ucd_3_2_0.category)


def clean(text: str) -> str:
    """Return ``text`` fit for a terminal: one line, only visible characters, no commands.

    Controls, bidirectional and zero-width characters, tags, variation selectors, private and
    unassigned code points become U+FFFD, and so do combining marks beyond two in a row. The
    text is cut to TALK_LIMIT characters.
    """
    return _shown(text[:TALK_LIMIT], unicodedata.category)


def _shown(text: str, category: Callable[[str], str]) -> str:
    shown: list[str] = []
    marks = 0
    for character in text:
        kind = category(character)[0]
        marks = marks + 1 if kind == "M" else 0
        visible = _is_visible(character, category) or character == " "
        shown.append(character if visible and marks <= _MARKS_IN_A_ROW else _REPLACEMENT)
    return "".join(shown)


def _is_visible(character: str, category: Callable[[str], str]) -> bool:
    return category(character)[0] in _SEEN and character not in _UNSEEN


def is_mark(character: str) -> bool:
    """Tell whether ``character`` combines with the character before (SPEC#names)."""
    return unicodedata.ucd_3_2_0.category(character)[0] == "M"
