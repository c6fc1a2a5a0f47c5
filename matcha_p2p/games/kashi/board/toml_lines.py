"""Finds the line of each value in a TOML file; ``tomllib`` does not tell the lines."""

import re
from typing import Final, NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys, and places in arrays."""

_TOKEN: Final = re.compile(
    r"(?P<skip>[ \t\r]+|#[^\n]*)|(?P<newline>\n)|(?P<mark>[\[\]{}=,.])"
    r'|(?P<word>"""(?:\\.|[^\\])*?"""+|\'\'\'.*?\'\'\'+|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
    r"""|[^\s\[\]{}=,."'#]+|.)""",
    re.DOTALL,
)


class _Open(NamedTuple):
    """An array or a table still open. place: the index of an array's next value."""

    path: Path
    place: int | None


class _Walk:
    """Follows the tokens of a file that ``tomllib`` has read."""

    def __init__(self) -> None:
        self.lines: dict[Path, int] = {}
        self._open = [_Open((), None)]
        self._key: Path | None = ()
        """The words of a key so far; None where a value is due or over."""
        self._due: Path = ()
        """The path of the last key."""

    def token(self, kind: str, text: str, line: int) -> None:
        if kind == "newline":
            if len(self._open) == 1:
                self._key = ()
        elif self._key is not None:
            self._in_key(text, line)
        elif text in "[{" or kind == "word":
            self._value(text, line)
        elif text == "," and (place := self._open[-1].place) is not None:
            self._open[-1] = self._open[-1]._replace(place=place + 1)
        elif text == ",":
            self._key = ()
        elif text in "]}" and len(self._open) > 1:
            self._open.pop()

    def _in_key(self, text: str, line: int) -> None:
        key = self._key or ()
        if text == "=":
            self._due = (*self._open[-1].path, *key)
            self.lines.setdefault(self._due, line)
            self._key = None
        elif text == "}" and len(self._open) > 1:  # of an empty table
            self._open.pop()
            self._key = None
        elif text == "]":  # the end of a table's heading
            self._open = [_Open(key, None)]
            self.lines.setdefault(key, line)
            self._key = None
        elif text not in "[.":
            self._key = (*key, text.strip("\"'"))

    def _value(self, text: str, line: int) -> None:
        inside = self._open[-1]
        path = self._due if inside.place is None else (*inside.path, inside.place)
        self.lines.setdefault(path, line)
        if text == "[":
            self._open.append(_Open(path, 0))
        elif text == "{":
            self._open.append(_Open(path, None))
            self._key = ()


def lines_of(text: str) -> dict[Path, int]:
    """Return the line of each value of ``text``, which is valid TOML."""
    walk, line = _Walk(), 1
    for token in _TOKEN.finditer(text):
        if token.lastgroup != "skip":
            walk.token(token.lastgroup or "", token[0], line)
        line += token[0].count("\n")
    return walk.lines


def line_of(lines: dict[Path, int], path: Path) -> int:
    """Return the line of a value, or of the nearest table or array around a missing value."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)
