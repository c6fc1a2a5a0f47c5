"""Games as text: one text a game, nothing lost, by the grammar of protocol/notation.md."""

import random
import re
from functools import cache
from pathlib import Path

import pytest

from matcha_p2p.games.matcha.review.game_text import game_text
from tests.games.matcha.review.game_reader import parse_game_text
from tests.review.exporting import export_game
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
def test_a_game_is_read_back_as_it_was_and_fits_the_grammar(golden):
    game = export_game(golden.data)
    text = game_text(game)
    assert parse_game_text(text) == game
    assert fits(text)


def test_the_example_of_the_notation_is_a_real_game():
    assert game_text(export_game(base(GAME))).startswith(EXAMPLE)


def mutated(text: str, rng: random.Random) -> str:
    """Return the text with a character or a line changed, doubled or left out."""
    separator = rng.choice(["", "\n"])
    parts = text.split("\n") if separator else list(text)
    place = rng.randrange(len(parts))
    parts[place : place + 1] = rng.choice(
        [[], [parts[place]] * 2, [rng.choice(parts)], [rng.choice("TBWSKZabcdef01.-|:? ")]]
    )
    return separator.join(parts)


def test_changed_text_is_refused_or_is_another_game_of_the_grammar():
    """Whatever is read has one text, and fits; whatever fits is read."""
    rng = random.Random("texts")
    text = game_text(export_game(base(GAME)))
    read = 0
    for _ in range(3000):
        changed = mutated(text, rng)
        try:
            game = parse_game_text(changed)
        except ValueError:
            assert not fits(changed)
        else:
            assert game_text(game) == changed
            assert fits(changed)
            read += 1
    assert read > 100


@pytest.mark.parametrize("text", ["", "\n", "matcha-game 1", EXAMPLE + "\n", EXAMPLE * 2, "٣"])
def test_other_text_is_refused(text):
    with pytest.raises(ValueError, match=r"^line "):
        parse_game_text(text)
