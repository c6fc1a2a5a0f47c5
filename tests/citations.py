"""Citations of the protocol's documents: ``FILE#anchor`` in code and data, links in Markdown.

``python -m tests.citations`` tells each citation whose anchor is unknown or stands in another
file; with ``--fix`` the program writes the right file before each known anchor. After an anchor
has moved, one such run mends all citations.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from os.path import normpath, relpath
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DOCUMENTS = {
    "SPEC": Path("SPEC.md"),
    "PEER": Path("protocol/PEER.md"),
    "SECURITY": Path("protocol/SECURITY.md"),
    "TOY": Path("protocol/vectors/toy/README.md"),
}
"""The file of each name that a citation can begin with, from the top of the checkout."""

ANCHOR = re.compile(r'<a id="([a-z0-9-]+)"></a>')
CITATION = re.compile(rf"\b(?:{'|'.join(DOCUMENTS)})#([a-z0-9-]+)")
LINK = re.compile(r"\]\(([\w./-]*)#([a-z0-9-]+)\)")
SUFFIXES = {".py", ".md", ".toml", ".json", ".cddl", ".js", ".c", ".h", ".pml"}


class Wrong(NamedTuple):
    """A citation of another file than its anchor's. right: None for an unknown anchor."""

    file: Path
    cited: str
    right: str | None


def texts() -> dict[Path, str]:
    """Return each tracked file that can cite a document, from the top of the checkout."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = (Path(name) for name in listed.stdout.split("\0") if Path(name).suffix in SUFFIXES)
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}


def anchors(documents: Mapping[str, str]) -> dict[str, str]:
    """Return the document of each anchor. documents: the text of each, by its name.

    Raises:
        ValueError: an anchor stands in two places.
    """
    found: dict[str, str] = {}
    for name, text in documents.items():
        for anchor in ANCHOR.findall(text):
            if anchor in found:
                raise ValueError(f"the anchor {anchor} stands in {found[anchor]} and in {name}")
            found[anchor] = name
    return found


def mended(file: Path, text: str, places: Mapping[str, str]) -> tuple[str, list[Wrong]]:
    """Return ``text`` with right citations, and the wrong ones. places: of ``anchors``."""
    wrong = list[Wrong]()

    def right(cited: re.Match[str], better: str | None) -> str:
        if better != cited[0]:
            wrong.append(Wrong(file, cited[0], better))
        return better or cited[0]

    def citation(cited: re.Match[str]) -> str:
        place = places.get(cited[1])
        return right(cited, place and f"{place}#{cited[1]}")

    def link(cited: re.Match[str]) -> str:
        path, anchor = cited.groups()
        if Path(normpath(file.parent / path) if path else file) not in DOCUMENTS.values():
            return cited[0]
        if anchor not in places:
            return right(cited, None)
        to = DOCUMENTS[places[anchor]]
        path = "" if to == file else Path(relpath(to, file.parent)).as_posix()
        return right(cited, f"]({path}#{anchor})")

    text = CITATION.sub(citation, text)
    return (LINK.sub(link, text) if file.suffix == ".md" else text), wrong


def main(arguments: list[str]) -> Iterator[str]:
    """Yield a line about each wrong citation."""
    found = texts()
    places = anchors({name: found[file] for name, file in DOCUMENTS.items()})
    for file, text in found.items():
        better, wrong = mended(file, text, places)
        if "--fix" in arguments:
            (ROOT / file).write_text(better, encoding="utf-8")
        for each in wrong:
            yield f"{file}: {each.cited} should be {each.right or 'an anchor that exists'}"


if __name__ == "__main__":
    lines = list(main(sys.argv[1:]))
    print("\n".join(lines))
    sys.exit(bool(lines) and "--fix" not in sys.argv)
