"""Reads texts from the XML of a router."""

from typing import Final
from xml.parsers import expat

from matcha_p2p.transport.router.lease import RouterError

_DEEPEST: Final = 32


class _Reader:
    """Collects the texts inside each element called ``group``."""

    def __init__(self, group: str) -> None:
        self._group: Final = group
        self._path: list[str] = []
        self.found: Final[list[dict[str, str]]] = []

    def start(self, name: str, _: dict[str, str]) -> None:
        self._path.append(_local(name))
        if len(self._path) > _DEEPEST:
            raise RouterError("too deep an answer")
        if self._path[-1] == self._group:
            self.found.append({})

    def text(self, piece: str) -> None:
        if self._group in self._path:
            texts = self.found[-1]
            texts[self._path[-1]] = texts.get(self._path[-1], "") + piece

    def end(self, _: str) -> None:
        self._path.pop()

    def refuse(self, *_: object) -> None:
        raise RouterError("an answer with a document type")


def texts_in(document: bytes, group: str) -> list[dict[str, str]]:
    """Return for each element named ``group`` the inner texts, by the names of elements.

    Prefixes of namespaces are left out, and so are spaces around texts.

    Raises:
        RouterError: ``document`` is no XML, has a document type, or is nested too deeply.
    """
    reader = _Reader(group)
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = reader.refuse
    try:
        parser.Parse(document, True)  # noqa: FBT003 -- as the standard library has it
    except (
        expat.ExpatError,
        ValueError,
        LookupError,
    ):  # of no known encoding, too
        raise RouterError("an answer that is no XML") from None
    return [{name: text.strip() for name, text in each.items()} for each in reader.found]


def _local(name: str) -> str:
    return name.rpartition(":")[2]
