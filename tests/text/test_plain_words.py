"""Prose names its subjects: few words stand in for a noun, and few sentences are hard."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STAND_INS = {
    *("it", "its", "that", "this", "these", "those", "such", "there", "so", "thus", "else"),
    *("what", "whatever", "who", "whoever", "whom", "whose", "which", "whichever"),
    *("one", "ones"),
    *("none", "nobody", "somebody", "anybody", "nothing", "something", "they", "them", "their"),
}
SHORTEST, LONGEST, MOST = 7, 40, 0.25
"""A sentence counts from 7 words on. Above 40 words or a quarter of stand-ins it is hard."""

BUDGETS = {
    "matcha_p2p": (5.2, 0.8),
    "tests": (6.4, 0.8),
    ".tools": (5.8, 0.4),
    "protocol": (4.1, 0.4),
    "README.md": (4.0, 0.0),
    "SPEC.md": (5.5, 0.5),
    "protocol/PEER.md": (6.7, 0.1),
    "protocol/SECURITY.md": (8.2, 0.3),
}
"""Percent of words that stand in, percent of hard sentences. A budget may only fall."""


def python_texts(source: str) -> Iterator[str]:
    """Yield the docstrings and the blocks of comments."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text
    for block in re.findall(r"(?:^ *#.*\n)+", source, re.MULTILINE):
        yield re.sub(r"^ *#:? ?", "", block, flags=re.MULTILINE)


def markdown_texts(source: str) -> Iterator[str]:
    """Yield paragraphs, items and cells of tables, without code and headings."""
    prose = re.sub(r"^```.*?^```", "", source, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^(#|<).*", "", prose, flags=re.MULTILINE)
    yield from re.split(r"\n\s*\n|\n(?=[*|-])|(?<= )\|(?= )", prose)


def sentences(text: str) -> Iterator[list[str]]:
    """Yield the words of each sentence, in small letters; a piece of code is one word."""
    text = re.sub(r"``[^`]*``|`[^`]*`", "code", text)
    for part in re.split(r"(?<=[.!?])\s+|\n\s*\n", text):
        words = re.findall(r"[a-z][a-z'-]*", part.lower())
        if len(words) >= SHORTEST:
            yield words


def share(words: list[str]) -> float:
    return sum(word in STAND_INS for word in words) / len(words)


def is_hard(words: list[str]) -> bool:
    return len(words) > LONGEST or share(words) > MOST


def area_sentences(area: str) -> list[list[str]]:
    """Return the sentences of a file or of a folder's Python and Markdown files.

    A file that is an area of its own is in no other area.
    """
    start = ROOT / area
    found = []
    for path in [start] if start.is_file() else sorted(start.rglob("*.*")):
        apart = path != start and path.relative_to(ROOT).as_posix() in BUDGETS
        if path.suffix in (".py", ".md") and not apart:
            read = python_texts if path.suffix == ".py" else markdown_texts
            texts = read(path.read_text(encoding="utf-8"))
            found += [words for text in texts for words in sentences(text)]
    return found


def test_rule_finds_a_hard_sentence():
    source = '"""A title.\n\nThis is what those who have none of it say so."""\n'
    source += "# Two lines say one\n# plain fact together.\n"
    read = [words for text in python_texts(source) for words in sentences(text)]
    assert [is_hard(words) for words in read] == [True, False]
    assert round(share(read[0]), 2) == 0.64


@pytest.mark.parametrize("area", BUDGETS)
def test_prose_stays_within_its_budget(area):
    read = area_sentences(area)
    hard = [" ".join(words) for words in read if is_hard(words)]
    most_stand_ins, most_hard = BUDGETS[area]
    assert 100 * len(hard) / len(read) <= most_hard, "\n".join(hard)
    assert 100 * share([word for words in read for word in words]) <= most_stand_ins
