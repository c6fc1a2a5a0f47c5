"""Command lines that the program prints: each finds the same home, and keeps what was typed."""

import ast
import re
import shlex

import click
import pytest

from matcha_p2p.cli import commands, options
from matcha_p2p.language import speak
from matcha_p2p.store.home import Home
from tests.catalogues import PACKAGE, in_module

NAMES = "|".join(commands.commands)
SPELLED = re.compile(rf"matcha ({NAMES})\b[^.:;,)]*")
FILLED = re.compile(r"\{matcha_(\w+)\}")

WITHOUT_A_HOME = {
    "matcha verify",
    "matcha verify {path}",
    "matcha verify {file}",
    "matcha doctor --ask INVITE",
    "matcha join --address",
    "matcha join --stun",
    "matcha join",
    "matcha join shows an answer code",
}
"""A file is the same from every home, a friend has another home, and the rest name options."""

RESUME = commands.commands["resume"]
VALUES = {
    "bot": "greedy",
    "name": "Mina K.",
    "socks": "[::1]:9050",
    "patience": "7.5",
    "seed": "3",
}
"""Values of options that take no word of a list."""


def sentences() -> list[str]:
    """Return each sentence outside of the help."""
    return [
        form
        for path in sorted(PACKAGE.rglob("*.py"))
        if PACKAGE / "cli" not in path.parents
        for msgid, _ in in_module(ast.parse(path.read_text(encoding="utf-8")))
        for form in ([msgid] if isinstance(msgid, str) else msgid)
    ]


def test_no_sentence_spells_a_command_line_that_needs_a_home():
    spelled = {each[0].strip() for said in sentences() for each in SPELLED.finditer(said)}
    assert spelled <= WITHOUT_A_HOME


def test_each_command_line_in_a_sentence_is_of_a_known_command():
    filled = [name for said in sentences() for name in FILLED.findall(said)]
    assert set(filled) == {"resume", "claim", "host", "friends"}


def test_printed_command_line_finds_the_home_whatever_its_name(tmp_path):
    home = Home.find(tmp_path / "it's two  words")
    words = shlex.split(home.command("friends", "--forget", "Mina  K's"))
    assert words[:3] == ["matcha", "friends", "--forget"]
    assert words[4] == "--home"
    assert Home.find(None).command("host") == "matcha host"


def typed(option: click.Option) -> list[str]:
    """Return ``option`` as a person types it, with another value than by default."""
    word = option.opts[0]
    if option.is_flag:
        return [word]
    if isinstance(option.type, click.Choice):
        return [word, next(each for each in option.type.choices if each != option.default)]
    return [word, VALUES.get(option.name, "5")]


def parsed(name: str, words: list[str]) -> click.Context:
    root = commands.make_context("matcha", [name, *words])
    command = commands.commands[name]
    return command.make_context(name, words, parent=root)


def shared() -> list[tuple[str, str]]:
    """Return each command with each of its options that ``resume`` knows."""
    known = {param.opts[0] for param in RESUME.params}
    return [
        (name, param.name)
        for name, command in commands.commands.items()
        if name in {"host", "join", "wait", "call", "resume"}
        for param in command.params
        if isinstance(param, click.Option) and param.opts[0] in known and param.expose_value
    ]


@pytest.mark.parametrize(("name", "kept"), shared())
def test_resumed_game_goes_on_with_each_typed_option(tmp_path, name, kept):
    (option,) = (each for each in commands.commands[name].params if each.name == kept)
    words = [tmp_path.as_posix()] if name == "call" else []
    ctx = parsed(name, [*words, *typed(option)])
    again = options.typed_again(ctx)
    if kept in {"home", "older"}:
        assert again == ()
    else:
        assert parsed("resume", list(again)).params[kept] == ctx.params[kept]
        assert ctx.params[kept] != parsed(name, words).params[kept]


@pytest.mark.parametrize("name", ["host", "join", "wait", "call", "resume", "rules"])
def test_resumed_game_goes_on_in_the_typed_language(name):
    words = ["Mina"] if name == "call" else []
    try:
        ctx = parsed(name, [*words, "--lang", "ja"])
        assert options.typed_again(ctx) == ("--lang", "ja")
    finally:
        speak("en")


def test_only_typed_options_are_kept(monkeypatch):
    monkeypatch.setenv("MATCHA_UI", "line")
    assert options.typed_again(parsed("join", ["--no-router", "--address", "8.8.8.8"])) == (
        "--no-router",
    )
