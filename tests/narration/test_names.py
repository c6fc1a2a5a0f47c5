"""A name passes neither for another name nor for a sentence of this program."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.language import LANGUAGES
from matcha_p2p.narration import names
from matcha_p2p.narration.names import (
    TABLE,
    can_be_a_name,
    is_misleading,
    look_alike,
    quoted,
    skeleton,
)
from matcha_p2p.narration.standing_sentences import SENTENCES
from matcha_p2p.wire.text import NAME_LIMIT, is_admitted
from tests.confusables import table_of

CYRILLIC_I = "\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}"
CYRILLIC_A = "\N{CYRILLIC SMALL LETTER A}"
CYRILLIC_M = "\N{CYRILLIC CAPITAL LETTER EM}"

EXCERPT = """\
\ufeff# confusables.txt
# Date: 2024-08-14, 23:39:57 GMT
# Version: 16.0.0
#
0456 ;\t0069 ;\tMA\t# ( \N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I} ) #
006D ;\t0072 006E ;\tMA\t# ( m ) #
2028 ;\t0020 ;\tMA\t# no name has a line separator
212B ;\t00C5 ;\tMA\t# is decomposed before
"""


@pytest.mark.parametrize(
    "name",
    [
        "Mina, as on 2026-05-03",
        "Mina 2026\N{EN DASH}05\N{EN DASH}03",
        "Mina 2O26-O5-O3",
        'Mina" is "Ivo',
        "Mina\N{RIGHT DOUBLE QUOTATION MARK}",
        "Mina''",
        "\N{RIGHT CORNER BRACKET}\N{HIRAGANA LETTER NI}",
        "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}Mina",
        "A new player, self-named",
        "NOT Mina as on Friday",
        f"Mina {CYRILLIC_A}s on Friday",
        "\N{FULLWIDTH LATIN SMALL LETTER A}s on",
        "",
        "x" * 25,
        "Mina\n",
    ],
)
def test_name_that_reads_like_a_sentence_of_ours_is_refused(name):
    assert not can_be_a_name(name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_sentence_about_a_player_fits_into_a_name(language, sentence):
    said = sentence.text_in(language).format(name="Mi", known_as="Mi", day="2026-05-03")
    assert is_misleading(said)
    assert is_misleading(said[:NAME_LIMIT])


@given(st.text(alphabet=string.ascii_letters + string.digits, min_size=1, max_size=24))
def test_plain_words_are_never_misleading(word):
    assert not is_misleading(word)
    assert names._our_words().search(names._seen(word)) is None


@pytest.mark.parametrize(
    "name",
    [
        "Mina",
        "O'Brien",
        "O\N{RIGHT SINGLE QUOTATION MARK}Brien",
        "Thomas onward",
        "Jean-Luc 2",
        "Mina 2026",
        "\N{CYRILLIC CAPITAL LETTER YA}\N{CYRILLIC SMALL LETTER KA}",
        "\N{HEBREW LIGATURE YIDDISH DOUBLE YOD}\N{HEBREW LETTER NUN}",
        "\N{HIRAGANA LETTER A}\N{HIRAGANA LETTER YA}",
    ],
)
def test_usual_name_is_taken(name):
    assert can_be_a_name(name)


def test_misleading_name_is_not_shown():
    assert quoted("Mina") == '"Mina"'
    assert quoted('Ann", "Bo') == "a player with a misleading name"


@pytest.mark.parametrize(
    "name",
    [
        f"M{CYRILLIC_I}n{CYRILLIC_A}",
        f"{CYRILLIC_M}INA",
        "MINA",
        "\N{FULLWIDTH LATIN CAPITAL LETTER M}ina",
        "Mi\N{MATHEMATICAL BOLD SMALL N}a",
        "rnina",
    ],
)
def test_names_of_one_look_look_alike(name):
    assert look_alike("Mina", name)
    assert look_alike(name, "Mina")


@pytest.mark.parametrize(
    ("name", "other"), [("Mina", "Mira"), ("Mina", "Mina K"), ("Ivo", "Ivan"), ("Anna", "Ann")]
)
def test_different_names_do_not_look_alike(name, other):
    assert not look_alike(name, other)


@pytest.mark.parametrize(
    ("name", "other"), [("Ivo", "lvo"), ("Ivo", "Iv0"), ("Ivo", "1vo"), ("Lou", "L0u")]
)
def test_digits_and_letters_of_one_look_look_alike(name, other):
    assert look_alike(name, other)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=NAME_LIMIT))
def test_skeleton_of_a_skeleton_is_unchanged(text):
    assert skeleton(skeleton(text)) == skeleton(text)
    assert look_alike(text, text)
    is_misleading(text)


def test_table_is_that_of_unicode_for_characters_of_names():
    lines = TABLE.read_text(encoding="utf-8").split("\n")
    assert "# Version: 16.0.0" in lines
    rows = [line.split("\t") for line in lines if "\t" in line]
    characters = [each for _, alike in rows for each in alike]
    assert len(characters) == len(set(characters)) > 4000
    assert all(map(is_admitted, characters))


def test_table_is_made_from_the_file_of_unicode():
    lines = table_of(EXCERPT).split("\n")
    assert lines[2:] == [
        "# Date: 2024-08-14, 23:39:57 GMT",
        "# Version: 16.0.0",
        f"i\t{CYRILLIC_I}",
        "rn\tm",
        "",
    ]
