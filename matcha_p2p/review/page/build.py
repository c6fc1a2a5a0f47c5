"""Builds pages of games and of their index: all is in them, their policy lets nothing else in.

The policy names the hashes of the one script and the one style, so that no other runs, whatever
a transcript holds; a script in which one byte is changed does not run either.
"""

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from string import Template
from typing import Final, TypeAlias

from matcha_p2p.review.page.bundle import bundle

Texts: TypeAlias = Mapping[str, Mapping[str, str | Mapping[str, str]]]
"""By language and key a sentence, or its forms by plural category."""

NetworkWeights: TypeAlias = Mapping[str, Sequence[float] | Sequence[Sequence[float]]]
"""What estimates chances: its ``rows`` and ``out``, as view/chances.js has them."""

MARKS: Final = (b"<!doctype html>\n<!-- A game of ", b"<!doctype html>\n<!-- Games of Ma")
"""The first bytes of a page, and those of an index."""

_FOLDER: Final = files(__package__ or __name__)
_POLICY: Final = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; "
    "worker-src blob:; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types matcha"
)


@dataclass(frozen=True, slots=True)
class IndexedGame:
    """A game as an index lists it. page: its address, a URL. winner: None in a draw."""

    page: str
    date: str
    names: tuple[str, ...]
    edition: str | None
    sets: int
    valid: bool
    over: bool
    winner: int | None


def build_page(
    transcript: bytes,
    texts: Texts,
    languages: Mapping[str, str],
    networks: Mapping[str, NetworkWeights],
) -> str:
    """Return the page of the game in ``transcript``, which need not be valid.

    texts: what the page says. languages: what each calls itself, by its code. networks: by
    edition; the page asks that of the game for chances, if it is there.
    """
    given = (
        f"const NETWORKS = {_json(networks)};\n"
        f"function verifierProgram() {{\n{bundle(_FOLDER, 'view/worker.js')}\n}}\n"
    )
    script = _script(texts, languages, given, "view/page.js")
    encoded = base64.b64encode(transcript).decode("ascii")
    return _filled("view/page.html", script, texts, {"transcript": encoded})


def build_index(
    games: Sequence[IndexedGame], texts: Texts, languages: Mapping[str, str]
) -> str:
    """Return the index of ``games``, the latest first; as for build_page."""
    listed = f"const GAMES = {_json([asdict(game) for game in games])};\n"
    return _filled(
        "view/index.html", _script(texts, languages, listed, "view/index.js"), texts, {}
    )


def _script(texts: Texts, languages: Mapping[str, str], given: str, entry: str) -> str:
    """Return the one script of a page: what it says, what it is ``given``, what it does."""
    return (
        '"use strict";\n'
        f"const SENTENCES = {_json(texts)};\nconst LANGUAGES = {_json(languages)};\n"
        f"{given}{bundle(_FOLDER, entry)}\n"
    )


def _filled(template: str, script: str, texts: Texts, parts: Mapping[str, str]) -> str:
    unchecked = "".join(
        f'<p lang="{language}">{html.escape(str(said["NOT_RUN"]))}</p>'
        for language, said in texts.items()
    )
    style = _read("view/page.css")
    return Template(_read(template)).substitute(
        policy=_POLICY.format(script=_hash(script), style=_hash(style)),
        style=style,
        unchecked=unchecked,
        script=script,
        **parts,
    )


def _read(path: str) -> str:
    return _FOLDER.joinpath(*path.split("/")).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _json(value: object) -> str:
    """Return ``value`` as JavaScript that cannot end a script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
