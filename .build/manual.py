"""Writes the pages for ``man`` from the help of the commands, in English, for the build."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

FOLDER = "share/man/man1"
"""Where man looks, below the prefix of an installation."""


def write_all(root: Path) -> dict[str, str]:
    """Write the pages beside this file; return the path of each page, and its place.

    root: the checkout.
    """
    folder = root / ".build" / "man"
    folder.mkdir(exist_ok=True)
    written: dict[str, str] = {}
    for name, page in pages(root).items():
        (folder / name).write_text(page, encoding="utf-8")
        written[str(folder / name)] = f"{FOLDER}/{name}"
    return written


def pages(root: Path) -> dict[str, str]:
    """Return the page of the program and of each command, by the name of the file."""
    searched, writes = sys.path[:], sys.dont_write_bytecode
    sys.path.insert(0, str(root))
    sys.dont_write_bytecode = True
    try:
        from matcha_p2p.cli import commands
        from matcha_p2p.cli.topics import TOPICS
        from matcha_p2p.language import Sentence
    finally:
        sys.path[:], sys.dont_write_bytecode = searched, writes
    top = click.Context(commands, info_name="matcha", **commands.context_settings)
    shown = {name: each for name, each in commands.commands.items() if not each.hidden}
    whole = [*_page(top), ".SH COMMANDS"]
    whole += _terms(
        (f"matcha-{name}(1)", each.get_short_help_str()) for name, each in shown.items()
    )
    for name, parts in TOPICS.items():
        whole += [".SH", _fit(name.upper().replace("-", " "))]
        for part in parts:
            if isinstance(part, Sentence):
                whole += [".PP", _fit(part())]
            else:
                whole += _terms((typed, does()) for typed, does in part.items())
    made = {"matcha.1": whole}
    for name, command in shown.items():
        context = click.Context(command, info_name=name, parent=top)
        made[f"matcha-{name}.1"] = [*_page(context), ".SH SEE ALSO", r"\fBmatcha\fP(1)"]
    return {name: "\n".join([*lines, ""]) for name, lines in made.items()}


def _page(context: click.Context) -> Iterator[str]:
    """Yield the lines that every page has."""
    from matcha_p2p import __version__

    command, name = context.command, context.command_path.replace(" ", "-")
    first, *paragraphs = [
        " ".join(paragraph.split()) for paragraph in (command.help or "").split("\n\n")
    ]
    yield f'.TH "{_fit(name.upper())}" "1" "" "matcha_p2p {__version__}" "matcha"'
    yield from (".SH NAME", rf"{_fit(name)} \- {_fit(first.rstrip('.'))}")
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (".SH SYNOPSIS", rf"\fB{_fit(context.command_path)}\fP {_fit(usage)}")
    yield ".SH DESCRIPTION"
    for paragraph in (first, *paragraphs):
        yield from (".PP", _fit(paragraph))
    options = (each for each in command.get_params(context) if isinstance(each, click.Option))
    records = (option.get_help_record(context) for option in options)
    yield ".SH OPTIONS"
    yield from _terms(record for record in records if record)


def _terms(listed: Iterator[tuple[str, str]]) -> Iterator[str]:
    for term, text in listed:
        yield from (".TP", rf"\fB{_fit(term)}\fP", _fit(text))


def _fit(text: str) -> str:
    """Return ``text`` so that roff takes no part of it as a request."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
