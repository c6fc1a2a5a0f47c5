"""Builds the page of a game: everything is in it, and its policy lets nothing else in.

The policy names the hashes of the one script and the one style, so that no other runs, whatever
a transcript holds; a script in which one byte is changed does not run either.
"""

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Final, TypeAlias

from matcha_p2p.review.page.bundle import bundle

Texts: TypeAlias = Mapping[str, Mapping[str, str | Mapping[str, str]]]
"""By language and key a sentence, or its forms by plural category."""

MARK: Final = b"<!doctype html>\n<!-- A game of Matcha"
"""The first bytes of a page."""

_FOLDER: Final = files(__package__ or __name__)
_POLICY: Final = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; "
    "worker-src blob:; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types matcha"
)


def build_page(transcript: bytes, texts: Texts, languages: Mapping[str, str]) -> str:
    """Return the page of the game in ``transcript``, which need not be valid.

    texts: what the page says. languages: what each calls itself, by its code.
    """
    script = (
        '"use strict";\n'
        f"const SENTENCES = {_json(texts)};\nconst LANGUAGES = {_json(languages)};\n"
        f"function verifierProgram() {{\n{bundle(_FOLDER, 'view/worker.js')}\n}}\n"
        f"{bundle(_FOLDER, 'view/page.js')}\n"
    )
    unchecked = "".join(
        f'<p lang="{language}">{html.escape(str(said["NOT_RUN"]))}</p>'
        for language, said in texts.items()
    )
    style = _read("view/page.css")
    return Template(_read("view/page.html")).substitute(
        policy=_POLICY.format(script=_hash(script), style=_hash(style)),
        style=style,
        unchecked=unchecked,
        transcript=base64.b64encode(transcript).decode("ascii"),
        script=script,
    )


def _read(path: str) -> str:
    return _FOLDER.joinpath(*path.split("/")).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _json(value: object) -> str:
    """Return ``value`` as JavaScript that cannot end a script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
