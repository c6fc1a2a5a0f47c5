"""All that people read is in the catalogues, and the catalogues are whole and up to date."""

import ast
import io
import re
from string import Formatter

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import write_po

from matcha_p2p.errors import Check
from matcha_p2p.language import LANGUAGES
from matcha_p2p.narration.breaches import BREACHES
from tests.catalogues import (
    COMPLETE,
    ERRORS,
    PACKAGE,
    TEMPLATE,
    TRANSLATED,
    catalogue,
    compiled,
    extracted,
    forms,
    in_module,
    po,
    template,
    written,
)
from tests.text.tree import parsed

REMEDY = "run python -m tests.catalogues, and translate what it names"

PLURALS = {"ja": 1, "uk": 3}

OF_TWO_SEATS = "Send this invite to the other player, "
"""The beginning of a sentence for a table of two; the host of a larger table reads another."""


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def found(source: str) -> list[object]:
    return [msgid for msgid, _ in in_module(ast.parse(source))]


def test_each_way_to_make_a_sentence_is_found():
    assert found('X = Sentence("a {b}")') == ["a {b}"]
    assert found('def f():\n return Counted("one", "many")') == [("one", "many")]
    assert found('raise LinkError("lost {x}", x=1)') == ["lost {x}"]
    assert found('_X: Final = "so"\nraise InviteError(_X, y=2)') == ["so"]
    assert found('raise CommandError(2, "no")') == ["no"]
    assert found('@_command\n@_edition\ndef f():\n """Do.\n\n    It."""') == ["Do.\n\nIt."]
    assert found('option("--seed", help="Of luck.")') == ["Of luck."]
    assert found("raise LinkError(str(error))") == []


def test_other_ways_to_make_a_sentence_are_absent():
    """What is put together where it is said could not be looked up."""
    wrong: list[str] = []
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(parsed(path)):
            match node:
                case ast.Call(ast.Name("Sentence" | "Counted"), arguments):
                    good = all(isinstance(each, ast.Constant) for each in arguments)
                case ast.Call(ast.Name(name), arguments) if name in ERRORS:
                    text = arguments[ERRORS[name]]
                    fixed = isinstance(text, ast.Attribute) and text.attr in {
                        "english",
                        "sentence",
                    }
                    good = (
                        isinstance(text, ast.Constant | ast.Name)
                        or fixed
                        or (isinstance(text, ast.Call) and path.name == "play.py")
                    )
                case ast.Call(ast.Attribute(_, "say" | "fail"), [ast.JoinedStr(parts), *_]):
                    good = not any(
                        isinstance(part, ast.Constant) and any(map(str.isalpha, part.value))
                        for part in parts
                    )
                case ast.Call(ast.Attribute(_, "say" | "fail"), [ast.Constant(), *_]):
                    good = False
                case ast.Call(ast.Attribute(ast.Name("click"), name), [*_, ast.JoinedStr()]):
                    good = False
                case _:
                    good = True
            if not good:
                wrong.append(f"{path}:{node.lineno}")
    assert wrong == []


def test_the_template_is_up_to_date():
    file = io.BytesIO()
    write_po(file, template(), omit_header=True, width=96)
    assert file.getvalue() == TEMPLATE.read_bytes(), REMEDY


def test_much_is_found_and_nothing_empty():
    msgids = {each.msgid for each in extracted()}
    assert len(msgids) > 250
    assert "" not in msgids
    assert "{name} passes." in msgids


def test_sentences_of_all_tables_name_no_other_player():
    """At a table of three or four seats nobody knows who "the other player" is."""
    said = [
        each.msgid
        for each in extracted()
        if "games/matcha/" not in each.path
        and re.search(r"\b[Tt]he other player\b", str(each.msgid))
    ]
    assert [str(each).startswith(OF_TWO_SEATS) for each in said] == [True]


def test_each_breach_has_its_words():
    assert set(BREACHES) == set(Check)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_is_up_to_date(language):
    file = io.BytesIO()
    write_po(file, catalogue(language), width=96)
    assert file.getvalue() == po(language).read_bytes(), REMEDY


@pytest.mark.parametrize("language", TRANSLATED)
def test_looked_up_texts_are_the_written_texts(language):
    assert compiled(po(language)) == po(language).with_suffix(".mo").read_bytes()
    assert read_mo(io.BytesIO(compiled(po(language)))).num_plurals == PLURALS[language]


def test_rule_of_plurals_is_the_written_one(tmp_path):
    """Each version of babel writes its own rule, and the build takes the newest babel."""
    path = tmp_path / "uk" / "LC_MESSAGES" / "some.po"
    path.parent.mkdir(parents=True)
    rule = "nplurals=2; plural=(n > 7);"
    path.write_text(f'msgid ""\nmsgstr ""\n"Plural-Forms: {rule}\\n"\n', encoding="utf-8")
    assert f"Plural-Forms: {rule}\n".encode() in compiled(path)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_fields_of_its_sentence(language):
    for message in written(po(language), language):
        if not message.id or not all(forms(message.string)):
            continue
        one, *many = message.id if isinstance(message.id, tuple) else (message.id,)
        wanted = fields(many[0]) if many else fields(one)
        for form in forms(message.string):
            assert fields(form) | ({"count"} & wanted) == wanted, message.id


@pytest.mark.parametrize("language", COMPLETE)
def test_everything_is_translated(language):
    known = written(po(language), language)
    assert not [each.id for each in known if each.id and not all(forms(each.string))]


def test_each_language_has_a_catalogue():
    assert {*TRANSLATED, "en"} == set(LANGUAGES)
    assert all(po(language).exists() for language in TRANSLATED)
