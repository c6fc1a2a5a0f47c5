"""Sentences before the menu and in the menu name entries: no commands, no codes."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from matcha_p2p.app.command.in_menu import IN_MENU
from matcha_p2p.language import LANGUAGES
from tests.app.menu.test_sentences import COMMAND
from tests.catalogues import PACKAGE, in_module
from tests.catalogues import po as catalogue_of
from tests.text.tree import parsed

FIELD = re.compile(r"\{(\w+)")
SHOWN_IN_THE_MENU = (
    PACKAGE / "app" / "command" / "in_menu.py",
    *sorted((PACKAGE / "app" / "menu").glob("*.py")),
    *sorted((PACKAGE / "console" / "menu").glob("*.py")),
    *(
        PACKAGE / "app" / f"{name}.py"
        for name in ("invite/host", "invite/join", "nearby/host_side")
    ),
    *(PACKAGE / "app" / "practice" / f"{name}.py" for name in ("practice", "tutorial")),
    PACKAGE / "transport" / "dial.py",
    PACKAGE / "session" / "news.py",
)


NOT_FROM_THE_MENU = (
    "games/matcha/match.py",
    "app/bots/demo.py",
    "app/invite/doctor.py",
    "app/command/front_end.py",  # says before the menu that there is no terminal for it
    "app/library/export.py",
    "app/library/games.py",
    "app/library/index.py",
    "cli",
)
"""Where only commands speak."""

SAID_ELSE_IN_THE_MENU = {
    "The game is saved. Anybody can check the file: matcha verify {path}",
    (
        "Another player may lack the last message of the game. If so, all players run: "
        "{matcha_resume}"
    ),
}
"""The menu replaces these sentences of ``play``; a test below checks the replacements."""

SAID_BEFORE_THE_MENU = {
    "The system knows no home folder of this user. Name a folder with --home."
}
"""Without a home no menu opens."""

SAID_ELSE = SAID_ELSE_IN_THE_MENU | SAID_BEFORE_THE_MENU


@cache
def errors_of(path: Path) -> dict[str, str]:
    """Return the codes of the errors raised in ``path``, by sentence."""
    module = parsed(path)
    codes = {}
    for node in ast.walk(module):
        match node:
            case ast.Call(keywords=keywords):
                code = [each.value for each in keywords if each.arg == "code"]
                alone = ast.Module([*constants_of(module), ast.Expr(node)], [])
                said = [msgid for msgid, _ in in_module(alone)] if code else []
                match code, said:
                    case [ast.Constant(str(name))], [*_, str(sentence)]:
                        codes[sentence] = name
                    case _:
                        pass
            case _:
                pass
    return codes


def constants_of(module: ast.Module) -> list[ast.stmt]:
    return [
        node
        for node in module.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant)
    ]


def reachable() -> list[Path]:
    apart = [PACKAGE / each for each in NOT_FROM_THE_MENU]
    assert all(map(Path.exists, apart))
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if not any(path == each or each in path.parents for each in apart)
    ]


def test_player_from_the_menu_is_told_no_command():
    """Every sentence that names a command has another sentence for the menu."""
    replaced = 0
    for path in reachable():
        codes = errors_of(path)
        for sentence in filter(COMMAND.search, sentences(path) - SAID_ELSE):
            assert codes.get(sentence) in IN_MENU, sentence
            replaced += 1
    assert replaced >= len(IN_MENU)


def test_error_in_the_menu_keeps_the_fields_of_its_sentence():
    codes: dict[str, list[str]] = {}
    for path in reachable():
        for sentence, code in errors_of(path).items():
            codes.setdefault(code, []).append(sentence)
    for code, sentence in IN_MENU.items():
        wanted = FIELD.findall(sentence.text_in("en"))
        for other in filter(COMMAND.search, codes[code]):
            assert set(wanted) <= set(FIELD.findall(other))


@cache
def sentences(path: Path) -> set[str]:
    found = in_module(parsed(path))
    return {
        part for msgid, _ in found for part in ([msgid] if isinstance(msgid, str) else msgid)
    }


@pytest.mark.parametrize(
    "path", SHOWN_IN_THE_MENU, ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_no_sentence_of_the_menu_is_a_command(path):
    assert sorted(filter(COMMAND.search, sentences(path))) == []


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_translations_are_no_commands_either(language):
    wanted = set().union(*map(sentences, SHOWN_IN_THE_MENU))
    with catalogue_of(language).open("rb") as file:
        translated = [
            str(each.string) for each in read_po(file) if each.id and each.id in wanted
        ]
    assert len(translated) > 100
    assert [each for each in translated if COMMAND.search(each)] == []
