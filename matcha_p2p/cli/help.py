"""Commands of click with help in the language spoken at the time."""

import inspect
import os
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from copy import copy
from typing import Any, Final, TypeVar
from unicodedata import east_asian_width

import click

from matcha_p2p import __version__
from matcha_p2p.errors import EngineError
from matcha_p2p.language import LANGUAGES, Sentence, language_of, speak, translated

F = TypeVar("F", bound=Callable[..., Any])

_AS_IT_IS: Final = "\b"  # before a paragraph that click is not to break anew

_HELP: Final = Sentence("Show this message and exit.")


class _Formatter(click.HelpFormatter):
    """Writes help; click itself counts every character as a cell, and breaks at spaces."""

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text(_broken(text, self.width - self.current_indent))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write terms and what they mean."""
        listed = list(rows)
        terms = min(max(len(term) for term, _ in listed), col_max) + col_spacing
        cells = max(self.width - terms - 2, 10)
        broken = [(term, _broken(text, cells)) for term, text in listed]
        super().write_dl(broken, col_max, col_spacing)


def _broken(text: str, cells: int) -> str:
    """If ``text`` has wide characters, return ``text`` in fixed lines of ``cells``."""
    if not any(east_asian_width(character) in "WF" for character in text):
        return text
    from matcha_p2p.console.terminal.cells import wrapped

    paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    return "\n\n".join(
        "\n".join([_AS_IT_IS, *wrapped(paragraph, cells)]) for paragraph in paragraphs
    )


@contextmanager
def _fit_to_show(args: list[str]) -> Generator[None]:
    """Escape the parts of ``args`` that click repeats: a shell turns * into file names."""
    words = {part for word in args for part in (word, word.partition("=")[0])}
    wild = sorted((word for word in words if not word.isprintable()), key=len, reverse=True)
    try:
        yield
    except click.UsageError as error:
        if not wild:
            raise
        message = error.format_message()
        for word in wild:
            message = message.replace(word, ascii(word))
        raise click.UsageError(message, error.ctx) from None


class _Context(click.Context):
    formatter_class = _Formatter


class SpokenOption(click.Option):
    """An option; its ``help`` is English."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option as written, and the translated help."""
        shown = copy(self)
        shown.help = translated(self.help) if self.help else None
        return super(SpokenOption, shown).get_help_record(ctx)


class SpokenCommand(click.Command):
    """A command; its ``help`` is English."""

    context_class = _Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, in the system's language unless another is chosen."""
        if ctx.parent is None:
            speak(language_of(os.environ))
        with _fit_to_show([*args]):
            return super().parse_args(ctx, args)

    @property
    def _described(self) -> str:
        return translated(inspect.cleandoc(self.help or ""))

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return -h, --help."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = _HELP()
        return option

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002 -- click passes limit=; a table wraps, so nothing is cut
        """Return the first sentence, for a list of commands."""
        first = self._described.partition("\n\n")[0]
        return " ".join(first.split()).rstrip(".。")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- overrides click's method
        """Write what the command does."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self._described)


def option(*names: str, **attributes: object) -> Callable[[F], F]:
    """Add an option."""
    return click.option(*names, cls=SpokenOption, **attributes)


def _choose(_ctx: click.Context, _param: click.Parameter, language: str | None) -> None:
    if language is not None:
        speak(language)


def _tell_version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 -- click passes the value of a flag so
    if not wanted:
        return
    try:
        from matcha_p2p.crypto.engine import ENGINE
    except EngineError as error:
        raise click.UsageError(str(error), ctx) from None
    said = f"matcha {__version__}, engine {ENGINE.path}"  # for reports of bugs
    click.echo(said)
    ctx.exit()


version_option: Final = option(
    "--version",
    "-V",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show the version and the engine that computes, and exit.",
)
"""Tells the version and the engine: the engine decides the speed of group arithmetic."""

language_option: Final = option(
    "--lang",
    type=click.Choice(list(LANGUAGES)),
    is_eager=True,
    expose_value=False,
    callback=_choose,
    help="The language of the program. [default: MATCHA_LANG, else the system's]",
)
"""Chooses the language before the rest of the command line is read."""
