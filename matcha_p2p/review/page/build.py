"""Builds pages of games and of their index.

A page is whole in one file. The policy of a page admits no other source. The policy names the
hashes of the one script and the one style, so a foreign script in a transcript does not run; a
changed script does not run either.

The pages of an index are light instead: their script and style lie beside them, once for all
pages. The policy of a light page admits files of the folder.
"""

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from string import Template
from typing import Final, TypeAlias

from matcha_p2p.review.told import ToldGame, ToldMistakes

Texts: TypeAlias = Mapping[str, Mapping[str, str | Mapping[str, str]]]
"""By language and key a sentence, or the sentence's forms by plural category."""

NetworkWeights: TypeAlias = Mapping[str, Sequence[float] | Sequence[Sequence[float]]]
"""The network that estimates chances: ``rows`` and ``out``, as matcha/chances.js reads them."""

MARKS: Final = (b"<!doctype html>\n<!-- A game of ", b"<!doctype html>\n<!-- Games of Ma")
"""The first bytes of a page, then the first bytes of an index."""

SHARED_MARK: Final = "/* Of pages of matcha. */\n"
"""The beginning of a file that light pages share."""

_FOLDER: Final = files(__package__ or __name__)
_POLICY: Final = (
    "default-src 'none'; script-src {script}; style-src {style}; "
    "worker-src blob:; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types matcha"
)

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:function|class|const) (\w+))", re.MULTILINE)
_COMMENT: Final = re.compile(
    r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL
)

_BETWEEN_STYLES: Final = re.compile(
    r"\s*/\*.*?\*/\s*|(?<=[;:{},])\s+|\s+(?=[{}])|\n", re.DOTALL
)

_SHARED: Final = re.compile(r'"(matcha-([0-9a-f]{16})\.(?:js|css))"')
_BESIDE: Final = "'self' file:"
"""Sources beside a page; some browsers know a page on a disk by the scheme alone."""

_INDENTATION: Final = re.compile(r"^ +", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class IndexedGame:
    """A game in an index.

    page: the URL of the game's page. game: its name for readers. winners: the seats, () in a
    draw.
    """

    page: str
    date: str
    names: tuple[str, ...]
    game: str
    edition: str | None
    sets: int
    valid: bool
    over: bool
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GamePage:
    """The parts of a page that its game gives.

    game: the folder of the view. name: in the title. mark: the ornament. texts: the sentences
    of the page. told: the game as told to the view, None for all games.
    networks: by edition; if the game's edition has a network, the page shows chances. mistakes:
    as judged by matcha_p2p, None if nobody has judged.
    """

    game: str
    name: str
    mark: str
    texts: Texts
    told: ToldGame | None
    networks: Mapping[str, NetworkWeights]
    mistakes: ToldMistakes | None = None


@dataclass(frozen=True, slots=True)
class SharedFiles:
    """The texts that the light pages of one game share."""

    script: str
    style: str

    def by_name(self) -> dict[str, str]:
        """Return both texts by the names of their files, which hold the texts' hashes."""
        return {
            f"matcha-{_mark_of(text.encode())}.{kind}": text
            for kind, text in (("js", self.script), ("css", self.style))
        }


def build_page(transcript: bytes, page: GamePage, languages: Mapping[str, str]) -> str:
    """Return the whole page of the game in ``transcript``, which need not be valid.

    languages: each language's own name, by its code.
    """
    script = _script(
        page.texts, languages, f"{_told(page)}{_common(page)}", f"{page.game}/view.js"
    )
    return _filled("view/page.html", _inside(script), page.texts, _parts(transcript, page))


def build_light_page(transcript: bytes, page: GamePage, shared: SharedFiles) -> str:
    """Return the page of a game, which runs beside the files of ``shared``."""
    script, style = shared.by_name()
    told = f'"use strict";\n{_told(page)}'
    sources = _Sources(
        f"'sha256-{_hash(told)}' {_BESIDE}",
        _BESIDE,
        f'<script>{told}</script>\n<script src="{script}"></script>',
        f'<link rel="stylesheet" href="{style}">',
    )
    return _filled("view/page.html", sources, page.texts, _parts(transcript, page))


def shared_files(page: GamePage, languages: Mapping[str, str]) -> SharedFiles:
    """Return what all light pages have in common with ``page``; its told game is left out."""
    script = _script(page.texts, languages, _common(page), f"{page.game}/view.js")
    return SharedFiles(f"{SHARED_MARK}{script}", f"{SHARED_MARK}{_style()}")


def named_shared_files(page: bytes) -> list[str]:
    """Return the names of the files that a light page needs; [] for a whole page."""
    return [name for name, _ in _SHARED.findall(page.decode(errors="replace"))]


def is_whole(name: str, content: bytes) -> bool:
    """Tell whether ``content`` is that of the shared file ``name``."""
    return _mark_of(content) == name.partition("-")[2].partition(".")[0]


def _mark_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _told(page: GamePage) -> str:
    """Return the script's part for one page."""
    told = {"TOLD": page.told, "MISTAKES": page.mistakes}
    packed = {name: _packed(_json(each)) if each else "" for name, each in told.items()}
    return "".join(f"const {name} = {_json(each)};\n" for name, each in packed.items())


def _common(page: GamePage) -> str:
    """Return the script's part for all pages of a game."""
    return (
        f"const NETWORKS = {_json(page.networks)};\n"
        f"const VERIFIER = {_json(_packed(_program(f'{page.game}/worker.js')))};\n"
    )


def _parts(transcript: bytes, page: GamePage) -> dict[str, str]:
    encoded = base64.b64encode(transcript).decode("ascii")
    return {"transcript": encoded, "name": page.name, "mark": page.mark}


def build_index(
    games: Sequence[IndexedGame], texts: Texts, languages: Mapping[str, str]
) -> str:
    """Return the index of ``games``, the latest first; as for build_page."""
    listed = f"const GAMES = {_json([asdict(game) for game in games])};\n"
    script = _script(texts, languages, listed, "view/index.js")
    return _filled("view/index.html", _inside(script), texts, {})


def _script(texts: Texts, languages: Mapping[str, str], given: str, entry: str) -> str:
    """Return the one script of a page: its sentences, then ``given``, then the modules."""
    return _program(
        entry,
        f"const SENTENCES = {_json(texts)};\nconst LANGUAGES = {_json(languages)};\n{given}",
    )


def _program(entry: str, given: str = "") -> str:
    return f'"use strict";\n{given}{_bundle(entry)}\n'


def _packed(text: str) -> str:
    """Return ``text`` deflated and in letters, as view/packed.js reads it."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


@dataclass(frozen=True, slots=True)
class _Sources:
    """Where a page has its script and style: sources of its policy, and elements."""

    scripts: str
    styles: str
    script: str
    style: str


def _inside(script: str) -> _Sources:
    """Return the sources of a page that is whole in one file."""
    style = _style()
    return _Sources(
        f"'sha256-{_hash(script)}'",
        f"'sha256-{_hash(style)}'",
        f"<script>{script}</script>",
        f"<style>{style}</style>",
    )


def _filled(template: str, sources: _Sources, texts: Texts, parts: Mapping[str, str]) -> str:
    unchecked = "".join(
        f'<p lang="{language}">{html.escape(str(said["NOT_RUN"]))}</p>'
        for language, said in texts.items()
    )
    return Template(_read(template)).substitute(
        policy=_POLICY.format(script=sources.scripts, style=sources.styles),
        style=sources.style,
        unchecked=unchecked,
        script=sources.script,
        **parts,
    )


def _bundle(entry: str) -> str:
    """Return a script that runs ``entry`` and its imports, each module as a function.

    The modules are ours and keep to two forms. Imports stand at the beginning of a line, of
    names and from a path; exports are functions, classes and constants. Comments, which fill
    whole lines, and indentation are left out: a page gains room for a game of four more sets.
    """
    return "\n".join(_wrapped(path) for path in dict.fromkeys(_in_order(entry)))


def _in_order(path: str) -> Iterator[str]:
    """Yield the modules that ``path`` needs, and then ``path``."""
    for _, imported in _IMPORT.findall(_read(path)):
        yield from _in_order(_joined(path, imported))
    yield path


def _joined(path: str, imported: str) -> str:
    """Return the path of a module that ``path`` imports: ./x.js or ../folder/x.js."""
    parts = path.split("/")[:-1]
    for part in imported.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _wrapped(path: str) -> str:
    source = _read(path)
    exported = ", ".join(_EXPORT.findall(source))
    linked = _IMPORT.sub(
        lambda found: f"const {{{found[1]}}} = {_variable(_joined(path, found[2]))};", source
    )
    body = _INDENTATION.sub("", _COMMENT.sub("", _EXPORT.sub("", linked)))
    return f"const {_variable(path)} = (() => {{\n{body}return {{ {exported} }};\n}})();"


def _variable(path: str) -> str:
    return "module_" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _style() -> str:
    """Return the style of all pages, without comments and needless spaces."""
    return _BETWEEN_STYLES.sub("", _read("view/page.css"))


def _read(path: str) -> str:
    return _FOLDER.joinpath(*path.split("/")).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _json(value: object) -> str:
    """Return ``value`` as JavaScript that cannot end a script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
