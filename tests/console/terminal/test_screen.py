"""The adapter between states and prompt_toolkit, on a keyboard that a test types on."""

import random
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO, cast

import pyte
import pytest
import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from matcha_p2p.console.terminal import screen as screen_module
from matcha_p2p.console.terminal.cells import TerminalFrame, clicked, field
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.screen import Status, open_screen
from matcha_p2p.console.terminal.skins import SYMBOLS

COLUMNS, ROWS = 30, 6
GROUND = "141a16"  # of the dark table


class Glass:
    """A terminal of prompt_toolkit with a readable screen."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.Stream(self.screen)
        self.output = Vt100_Output(
            cast("TextIO", self),
            lambda: Size(ROWS, COLUMNS),
            default_color_depth=ColorDepth.DEPTH_24_BIT,
        )
        self._token = trio.lowlevel.current_trio_token()
        self.drawn = trio.Event()

    def write(self, text: str) -> None:
        self._stream.feed(text)

    def flush(self) -> None:
        self._token.run_sync_soon(self._draw)

    def _draw(self) -> None:
        self.drawn.set()
        self.drawn = trio.Event()

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return -1

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]


@dataclass(frozen=True)
class Note:
    """A page of 20 lines, or a text being written."""

    draft: str | None = None
    listens: bool = True
    pressed: str = ""
    page: str = "page"


class NoteView:
    def by(self, state: Note, _now: float) -> tuple[Note, str | None]:
        return (replace(state, pressed=""), "waited") if state.pressed == "w" else (state, None)

    def draw(self, state: Note, _columns: int, _rows: int, _now: float) -> TerminalFrame:
        if state.draft is not None:
            line = [("", "Say: "), field("class:due"), ("", state.draft[:4])]
            return TerminalFrame((line,), foot=([("", "keys")],))
        body = tuple([("", f"line {number}")] for number in range(20))
        head = ([("class:title", state.pressed)],)
        return TerminalFrame(
            body, head, ([("", "keys")],), page=state.page, from_end="end" in state.page
        )

    def status(self, state: Note, _now: float) -> Status:
        return Status(title="note", draft=state.draft, listens=state.listens)

    def press(self, state: Note, key: str, _now: float) -> tuple[Note, str | None]:
        match key:
            case "/" | "escape":
                return replace(state, draft="" if key == "/" else None), None
            case "e" | "b":
                return replace(state, page={"e": "end", "b": "page"}[key]), None
            case "enter":
                return replace(state, draft=None), state.draft
            case _:
                return replace(state, pressed=state.pressed + key), key

    def paste(self, state: Note, text: str) -> tuple[Note, str | None]:
        return state, f"pasted {text}"

    def write(self, state: Note, text: str) -> Note:
        return replace(state, draft=text.replace("\n", " ").replace("x", ""))


class Desk:
    def __init__(self, keyboard, glass, screen) -> None:
        self.keyboard, self.glass, self.screen = keyboard, glass, screen

    async def type(self, text: str) -> None:
        self.keyboard.send_text(text)

    async def until(self, shown) -> None:
        with trio.fail_after(10):
            while not shown(self.glass.lines):
                await self.glass.drawn.wait()

    async def came(self) -> str:
        with trio.fail_after(10):
            return await self.screen.emitted.receive()


@asynccontextmanager
async def open_desk(view):
    glass = Glass()
    with create_pipe_input() as keyboard, create_app_session(keyboard, glass.output):
        async with open_screen(view, Note(), Look(SYMBOLS)) as screen:
            yield Desk(keyboard, glass, screen)


@pytest.fixture
async def desk():
    async with open_desk(NoteView()) as desk:
        yield desk


LEFT, UP, DOWN, HOME, END, PAGE_DOWN = (
    "\x1b[D", "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F", "\x1b[6~",
)  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("ac" + LEFT + "b", "abc"),
        ("abc\x7f", "ab"),
        ("abc" + HOME + "\x0b", ""),
        ("one two\x17", "one "),
        ("bc\x01a", "abc"),
        ("abc\x15", ""),
        ("\x1b[200~a\nb\x1b[201~c", "a bc"),
        ("axbxc" + LEFT + "d", "abdc"),
        ("茶" + LEFT + "お", "お茶"),
        ("2b q", "2b q"),
    ],
)
async def test_a_text_is_edited_with_all_keys_of_a_line(desk, keys, text):
    await desk.type(f"/{keys}\r")
    assert await desk.came() == text


async def test_long_text_scrolls(desk):
    await desk.type("/" + "abcdefghij" * 5)
    await desk.until(lambda lines: lines[0].endswith("hij"))
    assert desk.glass.lines[0].startswith("Say: ")
    await desk.type(HOME)
    await desk.until(lambda lines: lines[0].startswith("Say: abcdefg"))
    assert desk.glass.screen.cursor.x == len("Say: ")


async def test_paste_outside_a_text_presses_no_keys(desk):
    await desk.type("\x1b[200~zz\x1b[201~q")
    assert await desk.came() == "pasted zz"
    assert await desk.came() == "q"


async def test_what_time_brings_about_is_emitted(desk):
    await desk.type("w")
    assert [await desk.came(), await desk.came()] == ["w", "waited"]


async def test_page_says_how_much_of_it_is_below(desk):
    for keys, first, below in (
        ("", 0, " Down, PgDn: 17 more lines"),
        (PAGE_DOWN, 10, " Down, PgDn: 7 more lines"),
        (END + UP, 16, " Down, PgDn: 1 more line"),
        (DOWN, 17, ""),
    ):
        await desk.type(keys)
        seen = [*(f"line {first + n}" for n in range(3)), below, "keys"]
        await desk.until(lambda lines, seen=seen: lines[1:] == seen)


async def test_click_below_scrolls_down(desk):
    await desk.until(lambda lines: "17 more lines" in lines[4])
    await desk.type("\x1b[<0;5;5M\x1b[<0;5;5m")
    await desk.until(lambda lines: lines[1] == "line 10")


async def test_a_page_scrolls_no_further_than_it_goes(desk):
    await desk.until(lambda lines: lines[1] == "line 0")
    for keys, first in (
        (DOWN, 1),
        (PAGE_DOWN, 11),
        (END, 17),
        (DOWN, 17),
        (UP, 16),
        (HOME, 0),
        ("\x1b[<65;3;3M", 1),  # the wheel
        ("\x1b[<64;3;3M", 0),
    ):
        await desk.type(keys)
        await desk.until(lambda lines, first=first: lines[1] == f"line {first}")


async def test_another_page_begins_at_its_top_or_at_its_end(desk):
    await desk.type(DOWN)
    await desk.until(lambda lines: lines[1] == "line 1")
    await desk.type("e")
    await desk.until(lambda lines: lines[3] == "line 19")
    await desk.type("b")
    await desk.until(lambda lines: lines[1] == "line 0")


async def test_keys_are_kept_until_somebody_listens(desk):
    desk.screen.change(lambda state, _: replace(state, listens=False))
    await desk.type("a/bc\r")
    await desk.until(lambda lines: lines[0] == "")
    desk.screen.change(lambda state, _: replace(state, listens=True))
    assert await desk.came() == "a"
    assert await desk.came() == "bc"


async def test_hundreds_of_keys_can_be_typed_ahead():
    glass = Glass()
    with create_pipe_input() as keyboard, create_app_session(keyboard, glass.output):
        keyboard.send_text("a" * 900)
        async with open_screen(NoteView(), Note(), Look(SYMBOLS)) as screen:
            with trio.fail_after(10):
                assert [await screen.emitted.receive() for _ in range(900)] == ["a"] * 900


@dataclass(frozen=True)
class PageView(NoteView):
    """Lines, and below them a word; a click on the word is the key p."""

    lines: tuple[str, ...]

    def draw(self, state: Note, _columns: int, _rows: int, _now: float) -> TerminalFrame:
        body = [[("", line)] for line in self.lines]
        last = [("", "茶: "), (clicked("p"), "play")]
        return TerminalFrame((*body, last), foot=([("", state.pressed)],), page="page")


async def test_the_whole_table_has_its_ground():
    async with open_desk(PageView(("one",))) as desk:
        await desk.until(lambda lines: "play" in lines[1])
        rows = desk.glass.screen.buffer
        assert {rows[y][x].bg for y in range(ROWS) for x in range(COLUMNS)} == {GROUND}


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("茶a", ["茶", "", "a", " "]),
        ("e\u0301茶\u0301a", ["\u00e9", "茶", "\u0301", "a"]),
        ("\u0301a", ["a", " "]),
        ("x" * (COLUMNS - 1) + "茶", ["x"] * (COLUMNS - 1) + ["~"]),
    ],
)
async def test_wide_and_combining_characters_stand_in_their_cells(text, cells):
    async with open_desk(PageView((text,))) as desk:
        await desk.until(lambda lines: "play" in lines[1])
        row = desk.glass.screen.buffer[0]
        assert [row[x].data for x in range(len(cells))] == cells


@dataclass(frozen=True)
class ChangingView(NoteView):
    """A single line, and the next line after each key."""

    lines: tuple[str, ...]

    def draw(self, state: Note, _columns: int, _rows: int, _now: float) -> TerminalFrame:
        return TerminalFrame(([("", self.lines[len(state.pressed)])],))


async def test_a_wide_character_at_the_edge_takes_the_place_of_narrow_ones():
    narrow = "x" * COLUMNS
    async with open_desk(ChangingView((narrow, narrow[:-2] + "茶"))) as desk:
        await desk.until(lambda lines: lines[0] == narrow)
        await desk.type("n")
        await desk.until(lambda lines: "茶" in lines[0])
        row = desk.glass.screen.buffer[0]
        assert [row[x].data for x in (COLUMNS - 2, COLUMNS - 1)] == ["茶", ""]


async def test_a_click_on_a_word_is_its_key_and_the_wheel_scrolls_there():
    async with open_desk(PageView(tuple(map(str, range(9))))) as desk:
        await desk.type(END)
        await desk.until(lambda lines: lines[3] == "茶: play")
        for column in (5, 8):
            await desk.type(f"\x1b[<0;{column};4M\x1b[<0;{column};4m")
            assert await desk.came() == "p"
        await desk.type("\x1b[<0;4;4M\x1b[<0;4;4m\x1b[<0;9;4M\x1b[<0;9;4m")
        await desk.type("\x1b[<64;5;4M")
        await desk.until(lambda lines: lines[3] == "8")
        await desk.type("q")
        assert await desk.came() == "q"


COORDINATES = (b"!!", b"\x80\xff", b"\xc3\xa9")
OLD_MOUSE = [b"\x1b[M" + bytes([code]) + place for code in range(256) for place in COORDINATES]
LONG = b"9" * 5000  # more digits than Python takes for a number
NEW_MOUSE = [
    *(
        b"\x1b[%b%d;2;3%c" % (form, code, end)
        for form in (b"<", b"")
        for code in range(130)
        for end in b"mM"
    ),
    *(
        b"\x1b[%b%bM" % (form, rest.encode())
        for form in (b"<", b"")
        for rest in (
            "0;0;0",
            "0;70000;70000",
            "1000000;1;1",
            "0;3",
            "0",
            "",
            "0;2;3;4",
            ";;",
            "٣;٣;٣",
        )
    ),
    *(
        b"\x1b[%b%bM" % (form, rest)
        for form in (b"<", b"")
        for rest in (LONG + b";1;1", b"0;1;" + LONG)
    ),
]
BROKEN = [
    *(b"\x1b" + bytes([byte]) for byte in range(256)),
    *(b"\x1b[" + bytes([byte, byte]) for byte in range(256)),
    *(b"\x1bO" + bytes([byte]) for byte in range(256)),
    *(b"\x1b[%d%c" % (number, end) for number in (0, 1, 29, 999) for end in b"ABCDFHRZn~^@u"),
    *(b"\x1b[" + LONG + end for end in (b";1R", b";" + LONG + b"R")),
    *(b"\x1b[?1;2c", b"\x1b[I", b"\x1b[O", b"\x1b]11;rgb:0/0/0\x07", b"\x1bP1$r\x1b\\"),
]
BYTES = [
    *(bytes([byte]) for byte in range(256)),
    *(
        bytes([byte, other])
        for byte in range(0x80, 0x100)
        for other in (0x20, 0x80, 0xC3, 0xFF)
    ),
    *(b"\x18" + bytes([byte]) for byte in range(256)),  # Emacs' commands in a text
    *(b"\x1b" + number + bytes([byte]) for number in (b"-", b"9" * 50) for byte in range(128)),
]
PASTES = [
    *(b"\x1b[200~" + text + b"\x1b[201~" for text in (b"", b"\x1b[M$!!", bytes(range(256)))),
    b"\x1b[201~",
    b"\x1b[200~\x1b[200~\x1b[201~\x1b[201~",
]


def at_random(seed: int) -> list[bytes]:
    """Return bytes without sense, and parts of all other inputs in any order."""
    source = random.Random(seed)
    known = [*OLD_MOUSE, *NEW_MOUSE, *BROKEN, *BYTES, *PASTES]
    cut = [each[: source.randrange(8)] for each in source.sample(known, 200)]
    return [*cut, *(source.randbytes(source.randrange(1, 9)) for _ in range(200))]


@pytest.mark.parametrize("sent", [b"\x1b[M$!!", b"\x1b[M\xff!!", b"\x1b[;;M", b"\x1b[<0;3M"])
async def test_mouse_event_that_the_library_does_not_know_is_ignored(desk, sent):
    desk.keyboard.send_bytes(sent + b"q")
    assert await desk.came() == "q"


@pytest.mark.slow
@pytest.mark.parametrize("typing", ["", "/"])
@pytest.mark.parametrize(
    "sent",
    [OLD_MOUSE, NEW_MOUSE, BROKEN, BYTES, PASTES, *map(at_random, range(5))],
    ids=["old mouse", "new mouse", "broken", "bytes", "pastes", *map(str, range(5))],
)
async def test_no_bytes_from_a_terminal_end_a_screen(sent, typing):
    """Here a paste outside a text reaches the view, after the end of any earlier paste."""
    async with open_desk(NoteView()) as desk:
        for each in sent:
            desk.keyboard.send_bytes(typing.encode() + each)
        for _ in range(3):  # an unfinished sequence may swallow the first
            desk.keyboard.send_bytes(b"\x1b[201~\r\r\x1b[200~alive\x1b[201~")
        while await desk.came() != "pasted alive":
            pass


def test_every_full_screen_is_this_screen():
    """So no other part of the program reads the bytes of a terminal."""
    package = Path(screen_module.__file__).parents[2]
    found = [
        file.name for file in package.rglob("*.py") if "Application[None](" in file.read_text()
    ]
    assert found == ["screen.py"]
