"""A table of keys: the effect of a key, the word in the bar, the help, and the button.

Each game has a table of keys, and so has the frame. The keys that work, the bar at the bottom,
the page of help and the buttons for the mouse are all read from the table, so they cannot
disagree.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

from matcha_p2p.console.terminal import cells
from matcha_p2p.language import Sentence

S = TypeVar("S")
KeyEffect: TypeAlias = tuple[S, Any]

_SIGNS: Final = {
    "enter": Sentence("Enter"),
    "escape": Sentence("Esc"),
    "space": Sentence("Space"),
    "left": Sentence("left"),
    "right": Sentence("right"),
}
_NAMED: Final = {"space": " "}


def _always(_: object) -> bool:
    return True


def _never(_: object) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Key(Generic[S]):
    """A key, or several with one meaning.

    on: the names of the keys, with spaces between; "card*" is every name that begins with card.
    do: the scene and the pressed key in, a scene and perhaps a choice out. label: a word for
    the bar, perhaps by the scene; None for a key that the bar does not show. help: a sentence;
    None for a key that another line of the help tells. when: whether the key has an effect now;
    a key without effect is neither obeyed nor shown. sign: the key in words, if not ``on``.
    rank: a bar without room for all leaves those of the highest rank out. unless: why the key
    cannot be used now, or ""; the bar does not show such a key, and the key itself says why.
    """

    on: str
    do: Callable[[S, str], KeyEffect[S]]
    label: "Sentence | Callable[[S], str] | None" = None
    help: Sentence | None = None
    when: Callable[[S], bool] = _always
    sign: Sentence | None = None
    rank: int = 1
    unless: Callable[[S], str] = _never

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the keys."""
        return tuple(_NAMED.get(name, name) for name in self.on.split())

    @property
    def shown(self) -> str:
        """The key as the bar and the help write the key."""
        first = self.on.split()[0]
        sign = self.sign or _SIGNS.get(first)
        return first if sign is None else sign()

    def takes(self, pressed: str) -> bool:
        """Tell whether ``pressed`` is the key."""
        return any(
            pressed == name or (name[-1] == "*" and pressed.startswith(name[:-1]))
            for name in self.names
        )

    def called(self, scene: S) -> str:
        """Return the word of the bar, or "" for a key absent from the bar now."""
        if self.label is None or not self.when(scene) or self.unless(scene):
            return ""
        return self.label() if isinstance(self.label, Sentence) else self.label(scene)


KeyTable: TypeAlias = tuple[Key[S], ...]


def obey(
    table: KeyTable[S], scene: S, pressed: str, told: Callable[[S, str], S]
) -> KeyEffect[S] | None:
    """Return the scene and the choice after a key; None if the table has no such key now.

    told: takes the reason why a key cannot be used now.
    """
    for key in table:
        if key.takes(pressed) and key.when(scene):
            reason = key.unless(scene)
            return (told(scene, reason), None) if reason else key.do(scene, pressed)
    return None


def shown(table: KeyTable[S], scene: S) -> KeyTable[S]:
    """Return the keys in the bar now."""
    return tuple(key for key in table if key.called(scene))


def bar(table: KeyTable[S], scene: S, columns: int) -> cells.Line:
    """Return a line with the keys at work now, in the order of the table.

    A click on a key presses the key. Where not all have room, those of the highest rank are
    left out, the last first: the page of help has them all.
    """
    kept = list(shown(table, scene))
    while len(kept) > 1 and sum(_cells(key, scene) for key in kept) > columns:
        last = max(range(len(kept)), key=lambda at: (kept[at].rank, at))
        del kept[last]
    line: cells.Line = []
    for key in kept:
        click = cells.clicked(key.names[0])
        line += [(f"class:keys {click}", " "), (f"class:letter {click}", key.shown)]
        line.append((f"class:keys {click}", f" {key.called(scene)} "))
    return cells.fit_line([*line, ("class:keys", " " * columns)], columns)


def _cells(key: Key[S], scene: S) -> int:
    return 3 + cells.width(key.shown) + cells.width(key.called(scene))


def help_lines(tables: Iterable[KeyTable[Any]], columns: int) -> list[str]:
    """Return the help of all keys, each once in a column at the left."""
    told: dict[str, list[str]] = {}
    for key in (key for table in tables for key in table):
        if key.help is not None:
            told.setdefault(key.shown, []).append(key.help())
    left = max(map(cells.width, told), default=0)
    lines: list[str] = []
    for sign, texts in told.items():
        whole = [
            line for it in texts for line in cells.wrapped(it, max(20, columns - left - 2))
        ]
        signs = [sign, *[""] * (len(whole) - 1)]
        lines += [
            f"{cells.fit(at, left)}  {line}" for at, line in zip(signs, whole, strict=True)
        ]
    return lines
