"""Text that comes from another person: what a name may hold, and what talk is reduced to.

A name is part of the signed game, so its characters are judged by Unicode 3.2, the version
that RFC 3454 fixed: peers and verifiers of any age agree about every name.
"""

import unicodedata
from collections.abc import Callable
from typing import Final

from matcha_p2p.errors import Check, EncodingError

NAME_LIMIT: Final = 24
"""Longest name, in bytes of UTF-8."""

TALK_LIMIT: Final = 200
"""Longest piece of talk, in characters."""

_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_MARKS_IN_A_ROW: Final = 2
_SEEN: Final = frozenset("LMNPS")
# Letters, marks and symbols by category that nobody can see. U+180F and the last range are
# younger than Unicode 3.2, so no name has them anyway.
_UNSEEN: Final = frozenset("\u00ad\u034f\u115f\u1160\u2800\u3164\uffa0") | frozenset(
    map(chr, [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
)


def check_name(name: str) -> None:
    """Accept ``name`` as a player's name (SPEC#names).

    1 to 24 bytes of UTF-8 in NFC; visible characters and single inner spaces; at most two
    combining marks in a row.

    Raises:
        EncodingError: E_TEXT.
    """
    if not 0 < len(name.encode()) <= NAME_LIMIT:
        raise EncodingError(Check.TEXT, f"a name has 1 to {NAME_LIMIT} bytes of UTF-8")
    if unicodedata.ucd_3_2_0.normalize("NFC", name) != name:
        raise EncodingError(Check.TEXT, "the name is not in Unicode's composed form (NFC)")
    if name != " ".join(name.split()):
        raise EncodingError(Check.TEXT, "the name has spaces at an end or in a row")
    if _shown(name, unicodedata.ucd_3_2_0.category) != name:
        raise EncodingError(Check.TEXT, "the name has characters that cannot be shown safely")


def clean(text: str) -> str:
    """Return ``text`` fit for a terminal: one line, nothing unseen, nothing that commands.

    Controls, bidirectional and zero-width characters, tags, variation selectors, private and
    unassigned code points become U+FFFD; so do combining marks beyond two in a row. Cut to
    TALK_LIMIT characters.
    """
    return _shown(text[:TALK_LIMIT], unicodedata.category)


def _shown(text: str, category: Callable[[str], str]) -> str:
    shown: list[str] = []
    marks = 0
    for character in text:
        kind = category(character)[0]
        marks = marks + 1 if kind == "M" else 0
        visible = (kind in _SEEN and character not in _UNSEEN) or character == " "
        shown.append(character if visible and marks <= _MARKS_IN_A_ROW else _REPLACEMENT)
    return "".join(shown)
