"""Print the rules."""

import shutil
import sys
from typing import Final

import click

from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.games import USUAL, pages

_WIDEST: Final = 80


def run(out: Output, edition: str) -> int:
    """Show the rules: a page at a time on most terminals, else a paragraph a line."""
    text = pages(USUAL).paragraphs(edition)
    out.fact("rules", edition=edition, paragraphs=[line for line in text if line])
    if out.facts or not sys.stdout.isatty():
        out.say("\n".join(text))
    else:
        from matcha_p2p.console.terminal.cells import wrapped

        cells = min(shutil.get_terminal_size().columns, _WIDEST)
        show = click.echo_via_pager
        if (
            sys.platform == "win32"
        ):  # there click looks for ``more`` in the current folder first
            show = out.write
        show("".join(f"{row}\n" for line in text for row in wrapped(line, cells)))
    return Exit.DONE
