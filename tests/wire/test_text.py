"""What another person may write on our screen."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.text import TALK_LIMIT, check_name, clean, is_admitted, number_in

REPLACED = "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    "name",
    [
        "M",
        "Mina",
        "Юля",
        "山田 太郎",
        "Zoë",
        "x" * 24,
        "'Omar",
        "Q\u0323\u0307",
        "茶" * 24,
        "\U00020000" * 24,
    ],
)
def test_a_name_may_be_in_any_script(name):
    check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 25,
        "茶" * 25,
        "\u17b4",
        "\u1780\u17b5",  # vowels of Khmer that draw nothing
        "a\u2800b",
        "a\U0001d159b",
        "\u0301",
        "\u0301Mina",
        "Mina \u0323x",
        "\u20ddx",
        " Mina",
        "Mina ",
        "Mi  na",
        "Mi\tna",
        "Mi\u00a0na",
        "Mi\x1b[31mna",
        "Mi\nna",
        "Mi\u202ena",
        "Mi\u2066na",
        "Mi\u200dna",
        "Mi\u00adna",
        "Mi\ufe0fna",
        "Mi\U000e0041na",
        "Mi\ue000na",
        "Mi\u115fna",
        "Mi\u0378na",  # not assigned
        "Mi\N{GRINNING FACE}na",  # not yet assigned in Unicode 3.2, by which all judge alike
        "Zoe\u0308",  # decomposed
        "Q\u0323\u0307\u0308",  # three marks on one letter
    ],
    ids=ascii,
)
def test_a_name_that_cannot_be_shown_safely_is_refused(name):
    with pytest.raises(EncodingError) as caught:
        check_name(name)
    assert caught.value.check is Check.TEXT


@pytest.mark.parametrize(
    ("character", "admitted"),
    [("M", True), ("\u0301", True), (" ", False), ("\u00ad", False), ("\u0378", False)],
    ids=ascii,
)
def test_a_character_that_shows_in_unicode_3_2_is_admitted(character, admitted):
    assert is_admitted(character) is admitted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a good cup", "a good cup"),
        ("\N{GRINNING FACE}", "\N{GRINNING FACE}"),
        ("a\x1b[2Jb", f"a{REPLACED}[2Jb"),
        ("a\r\nb", f"a{REPLACED * 2}b"),
        ("a\u202eb", f"a{REPLACED}b"),
        ("e\u0301\u0301\u0301\u0301", f"e\u0301\u0301{REPLACED * 2}"),
        ("\u0301\u0301\u0301a", f"\u0301\u0301{REPLACED}a"),
        ("e\u0301\u0301f\u0301", "e\u0301\u0301f\u0301"),
    ],
    ids=ascii,
)
def test_talk_is_shown_as_far_as_it_is_safe(text, shown):
    assert clean(text) == shown


UNSEEN = (
    *(0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159),
    *(0x180B, 0x180C, 0x180D, 0x180E, 0x180F, 0xFE00, 0xFE0F, 0xE0100, 0xE01EF),
)


@pytest.mark.parametrize("character", [*map(chr, UNSEEN)], ids=ascii)
def test_invisible_character_is_replaced(character):
    """Fillers and variation selectors: letters, marks and symbols to Unicode."""
    assert clean(f"a{character}b") == f"a{REPLACED}b"


@pytest.mark.parametrize("character", ["\u180a", "\u1810", "\ufdff", "\ufe10"], ids=ascii)
def test_text_beside_the_invisible_is_shown(character):
    assert clean(f"a{character}b") == f"a{character}b"


def test_talk_is_cut():
    assert TALK_LIMIT == 200
    assert clean("x" * (TALK_LIMIT + 1)) == "x" * TALK_LIMIT


@settings(derandomize=True)
@given(st.text(max_size=250))
def test_cleaned_text_is_one_printable_line_and_clean(text):
    shown = clean(text)
    assert len(shown) <= TALK_LIMIT
    assert all(character.isprintable() or character == REPLACED for character in shown)
    assert clean(shown) == shown


@pytest.mark.parametrize(
    ("typed", "number"),
    [("0", 0), ("07", 7), ("999999999", 999999999)]
    + [(wrong, None) for wrong in ("", " 1", "-1", "1\n", "٣", "²", "1" * 10, "9" * 5000)],
)
def test_number_has_at_most_nine_digits(typed, number):
    assert number_in(typed) == number
