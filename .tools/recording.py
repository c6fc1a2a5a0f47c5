"""A set played at a real terminal, as a moving picture: ``python -m recording FILE.svg``.

The program plays against a bot, whose choices the seed makes repeatable; the cards are new each
time. The picture needs no script: what changes is shown and hidden by SMIL.
"""

import argparse
import re
import tempfile
import time
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from xml.sax.saxutils import escape

import pyte
from pyte.screens import Char

from tests.console.pseudo_terminal import Terminal

COLUMNS, ROWS = 80, 24
CELL_WIDTH, CELL_HEIGHT, BASE = 9, 18, 14
SHORTEST, LONGEST = 0.4, 2.5
"""The fewest and the most seconds that the picture shows a screen."""

GROUND, TEXT = "141a16", "d4d8ce"

Runs = tuple[str, ...]


def run_of(row: int, cells: list[tuple[int, Char]]) -> str:
    """Return the SVG of neighbouring cells that look alike, "" for empty ground."""
    (first, look), text = cells[0], "".join(char.data for _, char in cells)
    ink, ground = (
        default if colour == "default" else colour
        for colour, default in ((look.fg, TEXT), (look.bg, GROUND))
    )
    if look.reverse:
        ink, ground = ground, ink
    x, y, width = first * CELL_WIDTH, row * CELL_HEIGHT, len(text) * CELL_WIDTH
    made = ""
    if ground != GROUND:
        made = (
            f'<rect x="{x}" y="{y}" width="{width}" height="{CELL_HEIGHT}" fill="#{ground}"/>'
        )
    bare = text.strip()
    if bare:
        x += (len(text) - len(text.lstrip())) * CELL_WIDTH
        places = f'x="{x}" textLength="{len(bare) * CELL_WIDTH}"'
        if (
            not bare.isascii()
        ):  # another font may have other widths: each character has its place
            places = f'x="{" ".join(str(x + at * CELL_WIDTH) for at in range(len(bare)))}"'
        bold = ' class="b"' if look.bold else ""
        made += f'<text y="{y + BASE}" {places} fill="#{ink}"{bold}>{escape(bare)}</text>'
    return made


def drawn(screen: pyte.Screen) -> Runs:
    """Return the SVG of each run of cells that look alike."""
    return tuple(
        run_of(row, list(cells))
        for row in range(ROWS)
        for _, cells in groupby(
            [(at, screen.buffer[row][at]) for at in range(COLUMNS)],
            key=lambda cell: (cell[1].fg, cell[1].bg, cell[1].bold, cell[1].reverse),
        )
    )


class Recorder:
    """Plays, and keeps each screen with the time at which it came."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.frames: list[tuple[float, Runs]] = []

    def watch(self, pattern: str, seconds: float = 0) -> None:
        """Record until the screen shows ``pattern``, and for some seconds more."""
        until = None
        while until is None or time.monotonic() < until:
            self.terminal.look(SHORTEST)
            runs = drawn(self.terminal.screen)
            now = time.monotonic()
            if self.frames and now - self.frames[-1][0] < SHORTEST:
                self.frames[-1] = (self.frames[-1][0], runs)
            elif not self.frames or self.frames[-1][1] != runs:
                self.frames.append((now, runs))
            if until is None and re.search(pattern, self.terminal.text):
                until = time.monotonic() + seconds
            assert not self.terminal.ended, self.terminal.text

    def pass_turn(self) -> None:
        """Pass, and wait for another question or none."""
        asked = self.terminal.prompt
        self.terminal.type("p")
        self.terminal.until_true(lambda: self.terminal.prompt != asked, "answer")

    def play_set(self) -> None:
        """Lay cards until the set is over."""
        ends = "Keep which|Enter closes|set 2"
        self.frames.clear()
        while True:
            self.watch(f"Your move|{ends}", 1.5)
            if re.search(ends, self.terminal.text):
                return
            slot = re.search(r"> (\d) <", self.terminal.text)
            mat = re.search(r"then mat ([a-f])", self.terminal.prompt)
            if slot is None or mat is None:
                self.pass_turn()
            else:
                self.terminal.type(slot[1])
                self.watch("Which mat|Lay ", 2)
                if "Which mat" in self.terminal.prompt:
                    self.terminal.type(mat[1])
                self.watch("(?m)^> Lay", 1)
                self.terminal.type("\r")
            self.watch("(?m)^> (?!Lay)", 0.5)


def film(frames: list[tuple[float, Runs]]) -> str:
    """Return an SVG that shows the frames one after the other, for ever."""
    times = [at for at, _ in frames]
    lasting = [min(max(b - a, SHORTEST), LONGEST) for a, b in pairwise(times)] + [2 * LONGEST]
    starts = [at / sum(lasting) for at in accumulate(lasting, initial=0)][:-1]
    shown: dict[str, list[bool]] = {}
    for number, (_, runs) in enumerate(frames):
        for run in runs:
            shown.setdefault(run, [False] * len(frames))[number] = True
    groups: dict[tuple[bool, ...], str] = {}
    for run, when in shown.items():
        groups[tuple(when)] = groups.get(tuple(when), "") + run
    width, height = COLUMNS * CELL_WIDTH, ROWS * CELL_HEIGHT
    body = "\n".join(
        group(inside, list(zip(starts, when, strict=True)), sum(lasting))
        for when, inside in groups.items()
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" \
width="{width}" height="{height}"><title>A set of Matcha against a bot</title>
<style>text{{font:15px "DejaVu Sans Mono",Menlo,Consolas,monospace;white-space:pre}}
.b{{font-weight:bold}}</style>
<rect width="{width}" height="{height}" fill="#{GROUND}"/>
{body}
</svg>
"""


def group(inside: str, when: list[tuple[float, bool]], seconds: float) -> str:
    """Return ``inside``, shown or hidden from each time on. Where nothing moves: the first."""
    changes = [when[0], *(now for before, now in pairwise(when) if before[1] != now[1])]
    values = ["visible" if visible else "hidden" for _, visible in changes]
    if len(changes) == 1:
        return inside
    times = ";".join(f"{at:.4g}" for at, _ in changes)
    return (
        f'<g visibility="{values[0]}">{inside}<animate attributeName="visibility" '
        f'calcMode="discrete" dur="{seconds:.1f}s" repeatCount="indefinite" '
        f'keyTimes="{times}" values="{";".join(values)}"/></g>'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    words = ("practice", "--seed", asked.seed, "--name", "Mina", "--icons", "plain")
    with (
        tempfile.TemporaryDirectory() as home,
        Terminal(Path(home), *words, MATCHA_SPEED="normal", COLORTERM="truecolor") as terminal,
    ):
        terminal.until("Your move|club .*thinks|leads")
        recorder = Recorder(terminal)
        recorder.play_set()
    asked.file.parent.mkdir(parents=True, exist_ok=True)
    asked.file.write_text(film(recorder.frames), encoding="utf-8")


if __name__ == "__main__":
    main()
