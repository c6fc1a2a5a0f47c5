"""Signs of cards, and the letters that stand for them where only ASCII can be shown."""

from typing import Final

LETTERS: Final = {"✦": "r", "◉": "g", "⌂": "b", "⍏": "s"}
"""The letter of each sign, as it is typed; as wide as the sign."""

_LETTERS_BY_NUMBER: Final = str.maketrans(LETTERS)


def by_letters(text: str) -> str:
    """Return ``text`` with letters in the place of signs."""
    return text.translate(_LETTERS_BY_NUMBER)
