"""The sentences to translate, and the catalogues: ``python -m tests.catalogues``.

The command writes matcha_p2p.pot, updates every .po (without guesses: a changed sentence loses
its translation), and compiles each .po to a .mo, as the build does. It names what is not
translated.
"""

import ast
import inspect
import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

from matcha_p2p import errors
from matcha_p2p.app.command import outcomes
from matcha_p2p.language import LANGUAGES, LOCALE

PACKAGE = LOCALE.parent
TEMPLATE = LOCALE / "matcha_p2p.pot"
_BUILD = runpy.run_path(str(PACKAGE.parent / ".build" / "catalogues.py"))
PlainCatalog, forms, compiled, compile_all = (
    _BUILD[name] for name in ("PlainCatalog", "forms", "compiled", "compile_all")
)
TRANSLATED = [language for language in LANGUAGES if language != "en"]
COMPLETE: tuple[str, ...] = ("ja", "uk")
"""The languages into which everything is translated, and has to stay so."""

Msgid: TypeAlias = str | tuple[str, str]
"""A sentence, or its forms for singular and plural."""

CLICK: tuple[Msgid, ...] = (
    "Argument {name!r} takes {nargs} values.",
    "Choose from:\n\t{choices}",
    "Commands",
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    "Error: {message}",
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    "Invalid value for {param_hint}: {message}",
    "Invalid value: {message}",
    "Missing argument",
    "Missing command.",
    "Missing option",
    "No such option {name!r}.",
    "Option {name!r} does not take a value.",
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    "Options",
    (
        "Takes {nargs} values but 1 was given.",
        "Takes {nargs} values but {len} were given.",
    ),
    "Try '{command} {option}' for help.",
    "Usage:",
    "default: {default}",
    "env var: {var}",
    "required",
    "{value!r} is not a valid {number_type}.",
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    "{value} is not in the range {range}.",
)
"""Click's own sentences in help and in refusals of a command line."""


@dataclass(frozen=True)
class Found:
    """A text to translate, and its place. path: inside the repository."""

    msgid: Msgid
    path: str
    line: int


def _told_errors() -> dict[str, int]:
    """Return the exceptions with a sentence as text, and the argument with the sentence."""
    kinds = [*vars(errors).values(), *vars(outcomes).values()]
    return {
        kind.__name__: list(inspect.signature(kind).parameters).index("sentence")
        for kind in kinds
        if inspect.isclass(kind)
        and issubclass(kind, errors.MatchaError)
        and not issubclass(kind, errors.CheckError)
    }


ERRORS = _told_errors()


def po(language: str) -> Path:
    """Return where the translations into ``language`` are."""
    return LOCALE / language / "LC_MESSAGES" / "matcha_p2p.po"


@cache
def extracted() -> tuple[Found, ...]:
    """Return all sentences of the package, in the order of files."""
    return tuple(
        Found(msgid, path.relative_to(PACKAGE.parent).as_posix(), line)
        for path in sorted(PACKAGE.rglob("*.py"))
        for msgid, line in in_module(ast.parse(path.read_text(encoding="utf-8")))
    )


def in_module(module: ast.Module) -> Iterator[tuple[Msgid, int]]:
    """Yield the sentences of a module, and their lines."""
    constants = dict(filter(None, map(_constant, module.body)))
    for node in ast.walk(module):
        match node:
            case ast.Call(ast.Name("Sentence"), [ast.Constant(str(text))]):
                yield text, node.lineno
            case ast.Call(
                ast.Name("Counted"), [ast.Constant(str(one)), ast.Constant(str(many))]
            ):
                yield (one, many), node.lineno
            case ast.Call(ast.Name(name) | ast.Attribute(_, name), arguments) if name in ERRORS:
                text = _text(arguments[ERRORS[name]], constants)
                if text is not None:
                    yield text, node.lineno
            case ast.Call(ast.Name("option") | ast.Attribute(_, "option"), _, keywords):
                texts = [_text(each.value, {}) for each in keywords if each.arg == "help"]
                yield from ((text, node.lineno) for text in texts if text is not None)
            case ast.FunctionDef(decorator_list=decorators) if _makes_command(decorators):
                yield ast.get_docstring(node) or "", node.lineno
            case _:
                pass


def _constant(node: ast.stmt) -> tuple[str, str] | None:
    match node:
        case ast.AnnAssign(ast.Name(name), _, ast.Constant(str(text))):
            return name, text
        case _:
            return None


def _text(node: ast.expr, constants: dict[str, str]) -> str | None:
    """Return the sentence written or named here; None for other expressions."""
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.Name(name):
            return constants.get(name)
        case _:
            return None


def _makes_command(decorators: list[ast.expr]) -> bool:
    return any(
        ast.unparse(decorator).startswith(
            ("_command", "click.group", "commands.command('help'")
        )
        for decorator in decorators
    )


def template(language: str | None = None) -> Catalog:
    """Return all texts to translate, into ``language`` if given."""
    made = PlainCatalog(locale=language, header_comment="", fuzzy=False)
    for found in extracted():
        made.add(found.msgid, locations=[(found.path, None)])
    for msgid in CLICK:
        made.add(msgid, auto_comments=["Said by click."])
    return made


def written(path: Path, language: str) -> Catalog:
    """Return the catalogue in ``path``; what lacks a form is not translated at all."""
    with path.open("rb") as file:
        known = read_po(file, locale=language)
    for message in known:
        if not all(forms(message.string)):
            message.string = ""
    return known


def catalogue(language: str) -> Catalog:
    """Return the texts translated into ``language``, and the texts still to translate."""
    made = template(language)
    known = written(po(language), language) if po(language).exists() else Catalog()
    for message in made:
        before = known.get(message.id) if message.id else None
        if before is not None and not before.fuzzy:
            message.string = before.string
            message.user_comments = before.user_comments
    return made


def update() -> None:
    """Write everything anew."""
    LOCALE.mkdir(exist_ok=True)
    with TEMPLATE.open("wb") as file:
        write_po(file, template(), omit_header=True, width=96)
    for language in TRANSLATED:
        made = catalogue(language)
        po(language).parent.mkdir(parents=True, exist_ok=True)
        with po(language).open("wb") as file:
            write_po(file, made, width=96)
        empty = [str(each.id) for each in made if each.id and not all(forms(each.string))]
        sys.stdout.write("".join(f"{language}, not translated: {text}\n" for text in empty))
    compile_all(PACKAGE.parent)


if __name__ == "__main__":
    update()
