"""Text measured in terminal cells, which is not its length: wide and combining characters.

A line is a list of fragments, each a style and a text; styles are names, texts are never read
as anything but text.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from prompt_toolkit.utils import get_cwidth

Fragment: TypeAlias = tuple[str, str]
Line: TypeAlias = list[Fragment]

_KEY: Final = re.compile(r"class:key-([a-z0-9]+)")

CUT: Final = "~"
"""Stands where a text goes on that had no room; one cell everywhere."""


def clicked(key: str) -> str:
    """Return the style of what means ``key`` when it is clicked on."""
    return f"class:key-{key}"


def key_of(style: str) -> str | None:
    """Return the key that a click on something of this style means, or None."""
    found = _KEY.search(style)
    return None if found is None else found[1]


def width(text: str) -> int:
    """Return the cells that ``text`` takes, character by character, as it is drawn."""
    return sum(map(get_cwidth, text))


def line_width(line: Iterable[Fragment]) -> int:
    """Return the cells that a line takes."""
    return sum(width(text) for _, text in line)


def cut(text: str, cells: int) -> str:
    """Return ``text``, or as much of its beginning as fits with a mark of the cut."""
    if width(text) <= cells:
        return text
    return _head(text, cells - width(CUT)) + CUT if cells > 0 else ""


def _head(text: str, cells: int) -> str:
    taken = 0
    for place, character in enumerate(text):
        taken += get_cwidth(character)
        if taken > cells:
            return text[:place]
    return text


def fit(text: str, cells: int) -> str:
    """Return ``text`` in exactly so many cells: cut, or with spaces after it."""
    short = cut(text, cells)
    return short + " " * (cells - width(short))


def centred(text: str, cells: int) -> str:
    """Return ``text`` in exactly so many cells, in their middle."""
    short = cut(text, cells)
    before = (cells - width(short)) // 2
    return fit(" " * before + short, cells)


def fit_line(line: Iterable[Fragment], cells: int) -> Line:
    """Return a line in exactly so many cells."""
    fitted: Line = []
    left = cells
    for style, text in line:
        short = cut(text, left) if width(text) > left else text
        fitted.append((style, short))
        left -= width(short)
        if left == 0:
            break
    if left:
        fitted.append(("", " " * left))
    return fitted


def wrapped(text: str, cells: int) -> list[str]:
    """Return ``text`` as lines of at most so many cells, broken at spaces where possible."""
    lines: list[str] = []
    running: list[str] = []
    taken = 0
    for word in _pieces(text, cells):
        room = width(word)
        if running and taken + 1 + room > cells:
            lines.append(" ".join(running))
            running, taken = [word], room
        else:
            taken += room + bool(running)
            running.append(word)
    return [*lines, " ".join(running)]


def _pieces(text: str, cells: int) -> Iterator[str]:
    """Yield the words of ``text``; one that is longer than a line in several pieces."""
    for word in text.split(" "):
        rest = word
        while width(rest) > cells:
            head = _head(rest, cells) or rest[0]
            yield head
            rest = rest[len(head) :]
        yield rest
