"""The pages of advice in a terminal without room for the whole text."""

import re
from collections.abc import Iterable
from typing import Final

from matcha_p2p.console.table import captions
from matcha_p2p.console.table.scene import TableScene
from matcha_p2p.console.terminal.cells import width, wrapped
from matcha_p2p.language import Sentence

_SENTENCES: Final = re.compile(r"\S.*?(?:[.!?](?=\s)|[\u3002\uff01\uff1f]|$)\s*")
"""Each sentence with the spaces behind; Japanese has none."""


def shown(scene: TableScene, cells: int, rows: int) -> list[str]:
    """Return the advice, each sentence of a hint apart, or the page in sight.

    rows: of a page, each of ``cells`` cells; 0 for a single page.
    """
    whole = scene.advice.split("\n")
    if not rows or sum(len(wrapped(text, cells)) for text in whole) <= rows:
        return whole
    leaf = captions.LEAF if scene.watched is None else captions.LEAF_WATCHED
    pages = _pages(whole, cells, rows, leaf)
    if len(pages) == 1:
        return pages
    at = scene.leaf % len(pages)
    return _numbered(pages[at], cells, leaf(number=at + 1, count=len(pages)))


def _pages(texts: Iterable[str], cells: int, rows: int, leaf: Sentence) -> list[str]:
    """Return ``texts`` in pages of whole sentences, each with room for its number."""
    widest = leaf(number=9, count=9)

    def fits(page: str) -> bool:
        return len(_numbered(page, cells, widest)) <= rows

    pages: list[str] = []
    for sentence in (each for text in texts for each in _SENTENCES.findall(f"{text} ")):
        lines = [f"{line} " for line in wrapped(sentence, cells)]
        for piece in [sentence] if fits(sentence) else lines:
            if pages and fits(pages[-1] + piece):
                pages[-1] += piece
            else:
                pages.append(piece)
    return pages


def _numbered(page: str, cells: int, leaf: str) -> list[str]:
    """Return the lines of a page, with its number and the key behind the last word."""
    *lines, last = wrapped(page.strip(), cells)
    if width(last) + 1 + width(leaf) <= cells:
        return [*lines, f"{last} {leaf}"]
    return [*lines, last, leaf]
