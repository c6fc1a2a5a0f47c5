"""Signs of cards and wedges, and what stands for them where only ASCII can be shown."""

from typing import Final

LETTERS: Final = {
    "✦": "r",
    "◉": "g",
    "⌂": "b",
    "⍏": "s",
    "▸": ">",
    "◂": "<",
    "▴": "^",
    "▾": "v",
}
"""The letter of each suit, as it is typed, and of each wedge; as wide as the sign."""

_LETTERS_BY_NUMBER: Final = str.maketrans(LETTERS)


def by_letters(text: str) -> str:
    """Return ``text`` with letters in the place of signs."""
    return text.translate(_LETTERS_BY_NUMBER)
