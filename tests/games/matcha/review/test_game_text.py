"""Games as text, by the grammar of protocol/notation.md."""

import re
from functools import cache
from pathlib import Path

import pytest

from matcha_p2p.chain.verify import verified_transcript
from matcha_p2p.games.matcha.review.game_text import text_of
from tests.vectors import accepted, base

NOTATION = Path(__file__).parents[4] / "protocol" / "notation.md"
BLOCK = re.compile(r"^```(?:abnf)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(NOTATION.read_text("utf-8"))
EXAMPLE, GRAMMAR, *_ = BLOCKS  # the blocks of Matcha come first
GAME = "open-book-by-both.matcha"

TOKEN = re.compile(
    r'\s*(?:(?P<text>(?:%s)?"[^"]*")|(?P<range>%x31-39)|(?P<times>\d*\*\d*|\d+)(?=[\w(])'
    r"|(?P<name>[A-Za-z]+)|(?P<sign>[()\[\]/]))"
)
BASIC = {"SP": " ", "LF": r"\n", "DIGIT": "[0-9]"}


@cache
def rules() -> dict[str, str]:
    joined = re.sub(r"\n\s+", " ", GRAMMAR)
    return dict(re.split(r"\s*=\s*", line, maxsplit=1) for line in joined.splitlines())


@cache
def pattern(name: str) -> str:
    """Return a rule of the grammar as a regular expression."""
    if name in BASIC:
        return BASIC[name]
    made, times = "", ""
    place, rule = 0, rules()[name].rstrip()
    closing: list[str] = []
    while place < len(rule):
        token = TOKEN.match(rule, place)
        assert token is not None, rule[place:]
        place = token.end()
        sign = token["sign"]
        if token["times"]:
            least, star, most = token["times"].partition("*")
            times = f"{{{least or 0},{most}}}" if star else f"{{{least}}}"
        elif sign and sign in "([":
            closing.append("?" if sign == "[" else times)
            made, times = made + "(?:", ""
        elif sign and sign in ")]":
            made += ")" + closing.pop()
        elif sign == "/":
            made += "|"
        else:
            text = token["text"]
            plain = re.escape(text.removeprefix("%s").strip('"')) if text else ""
            made += (
                f"(?:{plain or ('[1-9]' if token['range'] else pattern(token['name']))}){times}"
            )
            times = ""
    return made


def fits(text: str) -> bool:
    return re.fullmatch(pattern("game"), text) is not None


@pytest.mark.slow
@pytest.mark.parametrize("golden", accepted(), ids=str)
def test_text_of_a_game_fits_the_grammar(golden):
    assert fits(text_of(verified_transcript(golden.data)))


def test_the_example_of_the_notation_is_a_real_game():
    assert text_of(verified_transcript(base(GAME))).startswith(EXAMPLE)


@pytest.mark.parametrize("text", ["", "\n", "matcha-game 1", EXAMPLE + "\n", EXAMPLE * 2, "٣"])
def test_grammar_refuses_other_text(text):
    assert not fits(text)
