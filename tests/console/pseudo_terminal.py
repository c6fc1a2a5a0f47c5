"""A real ``matcha`` on a real pseudo-terminal, and the screen drawn there."""

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte

PATIENCE = 30
ROOT = Path(__file__).parent.parent.parent


class Terminal:
    """A command on a terminal of its own. ``screen`` shows the picture for a person."""

    def __init__(
        self,
        home: Path,
        *words: str,
        columns: int = 80,
        rows: int = 24,
        wrapper: Sequence[str] = (),
        **env: str,
    ):
        kept = {n: v for n, v in os.environ.items() if not n.startswith("MATCHA_")}
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            kept.pop(name, None)
        kept |= {
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "PYTHONUTF8": "1",
            "MATCHA_SPEED": "off",
        } | env
        self.screen = pyte.Screen(columns, rows)
        vars(self.screen)["write_process_input"] = self.type  # answers to what the program asks
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        command = [*wrapper, sys.executable, "-m", "matcha_p2p", *words, "--home", str(home)]
        self.process: pexpect.spawn[bytes] = pexpect.spawn(
            command[0],
            command[1:],
            dimensions=(rows, columns),
            env=kept,
            cwd=str(ROOT),
            timeout=PATIENCE,
        )
        self.process.delaybeforesend = None
        self.ended = False

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.close(force=True)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def look(self, seconds: float = 0.02) -> bool:
        """Draw the bytes that have come; return whether any came."""
        try:
            piece = self.process.read_nonblocking(65_536, seconds)
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            self.ended = True
            return False
        self.raw += piece
        self._stream.feed(piece)
        return True

    def until(self, pattern: str) -> str:
        """Draw until the screen shows the pattern; return the whole screen."""
        return self.until_true(lambda: re.search(pattern, self.text) is not None, pattern)

    def until_true(self, shown: Callable[[], bool], what: str) -> str:
        deadline = time.monotonic() + PATIENCE
        while not shown():
            assert time.monotonic() < deadline, f"no {what} in\n{self.text}"
            assert not self.ended, f"ended without {what}:\n{self.text}"
            self.look()
        while self.look():
            pass  # a screen may come in pieces
        return self.text

    @property
    def pane(self) -> str:
        """The text at the right of Matcha's table, with its lines joined."""
        beside = [line[53:] for line in self.screen.display]
        return " ".join(" ".join(beside).split())

    @property
    def prompt(self) -> str:
        """The question to the person: its line begins with the mark, unlike any chosen card."""
        return next(
            (line[2:].rstrip() for line in self.screen.display if line.startswith("> ")), ""
        )

    def type(self, keys: str) -> None:
        self.process.send(keys)

    def click(self, column: int, row: int) -> None:
        """Press and release the left button; the upper left cell is 1, 1."""
        self.type(f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m")

    def resize(self, columns: int, rows: int) -> None:
        self.process.setwinsize(rows, columns)
        self.screen.resize(rows, columns)

    def signal(self, number: signal.Signals) -> None:
        self.process.kill(number)

    def hang_up(self) -> int:
        """Close the terminal under the command; return the exit code."""
        vars(self.process)["ptyproc"].fileobj.close()
        deadline = time.monotonic() + PATIENCE
        while self.process.isalive():
            assert time.monotonic() < deadline
        return self._code()

    def _code(self) -> int:
        code = self.process.exitstatus
        return 128 + self.process.signalstatus if code is None else code

    def end(self) -> int:
        """Draw the rest; return the exit code."""
        deadline = time.monotonic() + PATIENCE
        while not self.ended:
            assert time.monotonic() < deadline, self.text
            self.look(0.1)
        self.process.wait()
        return self._code()

    def assert_restored(self) -> None:
        """Check that the alternate screen is left, cursor, pasting and mouse as before."""
        modes = (b"?1049", b"?2004", b"?1000", b"?1006")
        for on, off in [(mode + b"h", mode + b"l") for mode in modes] + [(b"?25l", b"?25h")]:
            assert self.raw.rfind(on) < self.raw.rfind(off), off
