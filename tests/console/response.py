"""The response times of a real ``matcha`` on a real pseudo-terminal."""

import os
import select
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import pexpect

from tests.processes import peak_memory

PATIENCE = 15
SETS = 3  # whose deals are watched, the first one excepted
IDLE = 5  # keys typed after each deal
LETTERS = (
    "αβγδεζηθικλμνξοπρςστυφχψωбвгдежзийклмнопрстуфхцчшщъыьэюя"
    "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ"
    "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ"
)
"""Letters missing on all screens of the game; each appears only after typing."""

LAYS = ("1a", "2c", "3e")
SHOWN = 40  # keys typed while the end of a round is shown
PAUSE = 0.03

FIRST = b" leave"  # in the last line of the first screen
MENU = b"Settings"
INVITED = b"matcha1"
TURN = b": your move\x07"  # the title, anew for each move that is due
LEAVING = b"Leave?"
OVER = b"Enter closes"
WHERE = b"\x1b[6n"  # how wide does this terminal draw?

BEGINNINGS = (
    ("menu", (), MENU),
    ("tutorial", ("tutorial",), FIRST),
    ("host", ("host", "--address", "127.0.0.1", "--port", "0"), INVITED),
)
"""Commands besides practice: name, words, and the first bytes of a working screen."""


@dataclass
class Response:
    """Times of a game: ms from the start to the first screen and to the first question.

    cpu: ms of CPU up to the first screen. memory: the highest use, in MB.
    shuffling: ms from each key to its drawing, while cards are shuffled with all proofs of both
    seats. idle: the same, afterwards.
    """

    first: float = 0.0
    asked: float = 0.0
    cpu: float = 0.0
    memory: float = 0.0
    shuffling: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)


class _Screen:
    """The bytes drawn by a command, and the ms since the start."""

    def __init__(self, home: str, *words: str, speed: str = "off") -> None:
        kept = {n: v for n, v in os.environ.items() if n in ("PATH", "MATCHA_ENGINE", "TMPDIR")}
        self.start = time.perf_counter()
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "matcha_p2p", *words, "--home", home],
            dimensions=(24, 80),
            env=kept | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "MATCHA_SPEED": speed},
            cwd=str(Path(__file__).parent.parent.parent),
        )
        self.drawn = b""

    def until(self, *wanted: bytes) -> float:
        """Read until one of ``wanted`` was drawn; return the ms since the start."""
        deadline = time.monotonic() + PATIENCE
        fd = self.process.child_fd
        while not any(words in self.drawn for words in wanted):
            ready, _, _ = select.select([fd], [], [], deadline - time.monotonic())
            if not ready:
                raise TimeoutError(f"no {wanted!r} in {self.drawn[-3000:]!r}")
            self.drawn += os.read(fd, 65_536)
        return (time.perf_counter() - self.start) * 1000

    def first(self, wanted: bytes) -> float:
        """Answer the question about the terminal's width, then read as ``until``."""
        self.until(WHERE)
        self.type("\x1b[1;2R")
        return self.until(wanted)

    def type(self, keys: str) -> float:
        """Type; return the ms since the start."""
        os.write(self.process.child_fd, keys.encode())
        return (time.perf_counter() - self.start) * 1000

    def cpu(self) -> float:
        """Return the ms of CPU used by the command."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = stat.rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) * 1000 / os.sysconf("SC_CLK_TCK")


def response() -> Response:
    """Pass through a practice game, and type into the line of talk while cards are dealt."""
    measured = Response()
    with tempfile.TemporaryDirectory() as home:
        screen = _Screen(home, "practice", "--bot", "uniform")
        measured.first = screen.first(FIRST)
        measured.cpu = screen.cpu()
        measured.asked = screen.until(TURN)
        for _ in range(SETS):
            if _pass_through(screen):
                _type_on(screen, measured)
        measured.memory = peak_memory(screen.process.pid)
        _leave(screen)
    return measured


def revealing() -> list[float]:
    """Return the ms from keys to their drawing while lays and reveals are shown in time."""
    measured: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        words = ("practice", "--bot", "casual", "--edition", "2015", "--seed", "1")
        screen = _Screen(home, *words, speed="normal")
        screen.first(FIRST)
        for lay in LAYS:
            screen.until(TURN)
            screen.drawn = b""
            screen.type(f"{lay}\r")
            screen.until(TURN)
            screen.drawn = b""
            screen.type("p\r/")
            screen.until(b"Say:")
            for letter in LETTERS[:SHOWN]:
                typed = screen.type(letter)
                measured.append(screen.until(letter.encode()) - typed)
                time.sleep(PAUSE)
            screen.type("\x15\r")
        screen.process.close(force=True)
    return measured


def beginnings() -> dict[str, tuple[float, float]]:
    """For each other command, return the ms and the ms of CPU to the first screen."""
    measured = {}
    for name, words, wanted in BEGINNINGS:
        with tempfile.TemporaryDirectory() as home:
            (Path(home) / "config.toml").touch()  # or the menu would begin with a welcome
            screen = _Screen(home, *words)
            measured[name] = screen.first(wanted), screen.cpu()
            screen.process.close(force=True)
    return measured


def _pass_through(screen: _Screen) -> bool:
    """Pass three times and keep no card; return whether another deal follows."""
    for _ in range(4):
        screen.until(TURN, OVER)
        if OVER in screen.drawn:
            return False
        screen.drawn = b""
        screen.type("p\r")
    return True


def _type_on(screen: _Screen, measured: Response) -> None:
    """Type until the cards are dealt, and a little longer."""
    screen.type("/")
    screen.until(b"Say:")
    idle = 0
    for letter in LETTERS:
        typed = screen.type(letter)
        shown = screen.until(letter.encode(), OVER) - typed
        if OVER in screen.drawn:
            return
        if TURN in screen.drawn:
            idle += 1
        (measured.idle if idle > 1 else measured.shuffling).append(shown)
        if idle > IDLE:
            break
    screen.type("\x15\r")


def _leave(screen: _Screen) -> None:
    """Close the page at the end, or leave at the next question."""
    screen.until(TURN, OVER)
    if OVER not in screen.drawn:
        screen.type("\x03")
        screen.until(LEAVING)
        screen.type("1")
    screen.type("\r")
    screen.process.expect(pexpect.EOF)
    screen.process.close()
