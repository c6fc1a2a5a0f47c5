"""Compiles the translations, .po to .mo, for the build and for the tests."""

import os
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


class PlainCatalog(Catalog):
    """A catalogue whose header names neither people nor times, so that builds are equal."""

    plurals: str = ""
    """The rule of the .po. If this is empty, the rule of the installed babel is written."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """What gettext needs."""
        return [
            ("Language", self.locale_identifier or ""),
            ("Plural-Forms", self.plurals or self.plural_forms),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def forms(string: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return every form of a translation; an empty one is missing."""
    return (string,) if isinstance(string, str) else tuple(string or [""])


def compiled(po: Path) -> bytes:
    """Return the .mo for ``po``; a sentence that lacks a form stays English."""
    language = po.parent.parent.name
    with po.open("rb") as text:
        source = read_po(text, locale=language)
    catalogue = PlainCatalog(locale=language)
    catalogue.plurals = source.plural_forms
    for message in source:
        if message.id and not message.fuzzy and all(forms(message.string)):
            catalogue.add(message.id, message.string)
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def compile_all(root: Path) -> list[Path]:
    """Write each .mo that is missing or older than its .po; return all of them.

    root: the checkout.
    """
    catalogues = sorted((root / "matcha_p2p" / "locale").glob("*/LC_MESSAGES/*.po"))
    for po in catalogues:
        mo = po.with_suffix(".mo")
        if not mo.exists() or mo.stat().st_mtime <= po.stat().st_mtime:
            unfinished = mo.with_suffix(f".{os.getpid()}")  # two test runners may do it at once
            unfinished.write_bytes(compiled(po))
            unfinished.replace(mo)
    return [po.with_suffix(".mo") for po in catalogues]
