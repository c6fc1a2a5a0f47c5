"""Text measured in terminal cells: wide and combining characters take two cells or none.

A line is a list of fragments, each a style and a text. Styles are names; markup in a text is
not interpreted.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from prompt_toolkit.utils import get_cwidth

from matcha_p2p.language import Counted
from matcha_p2p.narration.signs import by_letters

Fragment: TypeAlias = tuple[str, str]
Line: TypeAlias = list[Fragment]

_KEY: Final = re.compile(r"class:key-(\S+)")

_ITEM: Final = "- "

_ALONE: Final = 10
"""Cells of the longest word that looks lost in a line of its own."""

# Japanese has no spaces. A line may end at the end of a phrase: after the kana that follow
# other characters, or after a mark. The kana of politeness before an ideograph belongs to the
# ideograph. Both patterns are compiled at their first use, which takes as long as drawing a
# screen.
_IDEOGRAPH: Final = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
_SPACELESS: Final = "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60]"
_OPENS: Final = "「『（【〈《［(["
_CLOSES: Final = "」』）】〉》］)]"
_MARKS: Final = "、。，．：；！？・…"
_POLITE: Final = f"[おご](?={_IDEOGRAPH})"
_KANA: Final = "[\u3041-\u309f][ー\u0300-\u036f]*"
_PHRASE: Final = (
    "(?!$)"
    f"[{re.escape(_OPENS)}]*"
    f"(?:{_POLITE}|[^\u3041-\u309f{re.escape(_OPENS + _CLOSES)}{_MARKS}])*"
    f"[{re.escape(_CLOSES)}]*"
    f"(?:(?!{_POLITE}){_KANA})*"
    f"[{re.escape(_CLOSES)}{_MARKS}]*"
)

FIELD: Final = "[field]"
"""In the style of a fragment: here a text is written."""

_BELOW: Final = Counted("Down, PgDn: {count} more line", "Down, PgDn: {count} more lines")

CUT: Final = "~"
"""Marks the cut in a text too long for its room; one cell in every terminal."""


@dataclass(frozen=True, slots=True)
class TerminalFrame:
    """The content of a terminal. The body scrolls between the head and the foot, which stay.

    at: the line of the body to keep in sight; None where the person scrolls. page: the name of
    the body; a new page is shown from its top, or from its end. field_cells: the cells for the
    text written in the body, at its ``field``.
    """

    body: tuple[Line, ...]
    head: tuple[Line, ...] = ()
    foot: tuple[Line, ...] = ()
    at: int | None = None
    page: str = ""
    from_end: bool = False
    field_cells: int = 0

    @property
    def scrolls(self) -> bool:
        """Whether keys scroll the body."""
        return bool(self.page) and self.at is None

    def by_letters(self) -> "TerminalFrame":
        """Return the frame with letters in the place of the signs of cards."""
        head, body, foot = (
            tuple([(style, by_letters(text)) for style, text in line] for line in lines)
            for lines in (self.head, self.body, self.foot)
        )
        return replace(self, head=head, body=body, foot=foot)

    def cropped(self, columns: int, rows: int, above: int = 0) -> "TerminalFrame":
        """Return the frame cut to the terminal's size, with the room of the written text.

        above: how many lines of the body are scrolled away. If keys scroll the body, the foot
        says how many lines are below.
        """
        head, foot = self.head[:rows], self.foot
        room = rows - len(head) - len(foot) - 1
        if self.scrolls and len(self.body) > room + 1:
            foot = (_more(len(self.body) - above - room), *foot)
        foot = foot[: max(0, rows - len(head) - 1)]
        cells = 0
        for line in self.body:
            for place, (style, _) in enumerate(line):
                if FIELD in style:
                    cells = columns - line_width(line[:place]) - 1
        return replace(self, head=head, foot=foot, field_cells=max(1, cells))


def _more(count: int) -> Line:
    """Return the line that counts the lines below; a click on the line scrolls."""
    return [(f"class:faint {clicked('pagedown')}", f" {_BELOW(count)}" if count > 0 else "")]


def field(style: str) -> Fragment:
    """Return the fragment before a written text, where the terminal's cursor stands."""
    return f"{FIELD} {style}".rstrip(), ""


def field_of(lines: Iterable[Line]) -> str:
    """Return the style of the text written in ``lines``, or ""."""
    styles = (style for line in lines for style, _ in line if FIELD in style)
    return next(styles, "").replace(FIELD, "")


def clicked(key: str) -> str:
    """Return the style that makes a click mean ``key``."""
    return f"class:key-{'space' if key == ' ' else key}"


def key_of(style: str) -> str | None:
    """Return the key that a click on a text of this style means, or None."""
    found = _KEY.search(style)
    return None if found is None else " " if found[1] == "space" else found[1]


def width(text: str) -> int:
    """Return the cells of ``text``, character by character, as drawn."""
    if text.isascii() and text.isprintable():  # most of what is drawn
        return len(text)
    return sum(map(get_cwidth, text))


def line_width(line: Iterable[Fragment]) -> int:
    """Return the cells of a line."""
    return sum(width(text) for _, text in line)


def cut(text: str, cells: int) -> str:
    """Return ``text``. If ``text`` is too wide, return the beginning that fits and a mark."""
    if width(text) <= cells:
        return text
    return _head(text, cells - width(CUT)) + CUT if cells > 0 else ""


def _head(text: str, cells: int) -> str:
    taken = 0
    for place, character in enumerate(text):
        taken += get_cwidth(character)
        if taken > cells:
            return text[:place]
    return text


def fit(text: str, cells: int) -> str:
    """Return ``text`` in exactly ``cells`` cells: cut, or with spaces at the end."""
    short = cut(text, cells)
    return short + " " * (cells - width(short))


def centred(text: str, cells: int) -> str:
    """Return ``text`` in exactly ``cells`` cells, in the middle."""
    short = cut(text, cells)
    before = (cells - width(short)) // 2
    return fit(" " * before + short, cells)


def fit_line(line: Iterable[Fragment], cells: int) -> Line:
    """Return a line in exactly ``cells`` cells: cut, or with spaces at the end.

    A mark stands where words are cut off; spaces are dropped without a mark.
    """
    fitted: Line = []
    left = cells
    fragments = [*line]
    while fragments and left:
        style, text = fragments.pop(0)
        taken = width(text)
        if taken > left or (taken == left and any(after.strip() for _, after in fragments)):
            rest = "".join(after for _, after in fragments)
            text = cut(text + rest, left) if (text + rest).strip() else " " * left
            taken = width(text)
        fitted.append((style, text))
        left -= taken
    if left:
        fitted.append(("", " " * left))
    return fitted


def on(ground: str, line: Iterable[Fragment]) -> Line:
    """Return ``line`` on the ground of a style; a fragment keeps a ground of its own."""
    return [(f"class:{ground} {style}", text) for style, text in line]


def wrapped(text: str, cells: int, *, splits: bool = True) -> list[str]:
    """Return ``text`` as lines of at most ``cells`` cells.

    Lines are broken at spaces, and in Japanese between phrases. splits: whether a word longer
    than a line is split; else the word has a longer line. The further lines of an item, "- ",
    are indented. If the line before has a word to spare, no short word stands alone in the
    last line.
    """
    hang = " " * len(_ITEM) if text.startswith(_ITEM) and cells > 2 * len(_ITEM) else ""
    lines: list[list[tuple[str, str]]] = []
    taken = 0
    for gap, piece in _pieces(text, cells - len(hang) if splits else None):
        room = width(piece)
        if not lines or taken + len(gap) + room > cells:
            taken = (len(hang) if lines else 0) + room
            lines.append([(gap, piece)])
        else:
            taken += len(gap) + room
            lines[-1].append((gap, piece))
    _keep_company(lines, cells - len(hang))
    return [(hang if number else "") + _joined(line) for number, line in enumerate(lines)]


def _joined(line: list[tuple[str, str]]) -> str:
    """Return the pieces of a line, each after its space, except the first."""
    return "".join(gap + piece for gap, piece in line)[len(line[0][0]) :]


def _keep_company(lines: list[list[tuple[str, str]]], cells: int) -> None:
    """If a word would stand alone in the last line, move the word before down."""
    match lines:
        case [*_, [_, _, *_, (" ", _) as before], [(_, last) as alone]]:
            if width(last) <= _ALONE and width(_joined([before, alone])) <= cells:
                lines[-2:] = [lines[-2][:-1], [before, alone]]
        case _:
            pass


def _pieces(text: str, cells: int | None) -> Iterator[tuple[str, str]]:
    """Yield the pieces between which a line may end, each with the space before, or "".

    Unless ``cells`` is None, a piece longer than a line comes in several.
    """
    gap = ""
    for word in text.split(" "):
        for piece in re.findall(_PHRASE, word) if re.search(_SPACELESS, word) else [word]:
            rest = piece
            while cells is not None and width(rest) > cells:
                head = _head(rest, cells) or rest[0]
                yield gap, head
                gap, rest = "", rest[len(head) :]
            yield gap, rest
            gap = ""
        gap = " "
