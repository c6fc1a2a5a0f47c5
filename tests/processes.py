"""Real ``matcha`` processes, each with an own home."""

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

PATIENCE = 120
"""Seconds of silence after which a process has failed the test; a busy machine needs 30."""

_MOVE = re.compile(r"Your move, on mat ([a-f]).*?Hand: (\d):")
_KEEP = re.compile(r"Which cards do you keep .*?You have (\d):")


def environment(**more: str) -> dict[str, str]:
    """Return our environment with ``more``, without variables that change a command."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MATCHA_")}
    engine = os.environ.get("MATCHA_ENGINE")
    kept["MATCHA_LANG"] = "en"
    return kept | ({"MATCHA_ENGINE": engine} if engine else {}) | more


def _heed_sigint() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def peak_memory(pid: int) -> float:
    """Return the most memory that a process has held so far, in MB. Only Linux tells."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024


class Matcha:
    """A running command. With --json, ``until`` yields the facts in order.

    before: the words of a wrapping command, for example for another network. program: the
    command that runs ``matcha``.
    """

    before: tuple[str, ...] = ()
    program: tuple[str, ...] = (sys.executable, "-m", "matcha_p2p")

    def __init__(self, home: Path, *words: str, stdin: str | None = None, **env: str) -> None:
        self.home = home
        self.seen: list[dict[str, Any]] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.complaints: list[str] = []
        self._said = threading.Condition()
        self.process = subprocess.Popen(
            [*self.before, *self.program, *words, "--home", str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            encoding="utf-8",
            env=environment(**env),
            # Tests in the background ignore SIGINT, and would pass that on to their children.
            preexec_fn=None if sys.platform == "win32" else _heed_sigint,  # noqa: PLW1509
        )
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._complain, daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        if stdin is not None:
            self.type(stdin)
            self.process.stdin.close()

    def __enter__(self) -> "Matcha":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _complain(self) -> None:
        for line in self.process.stderr:
            with self._said:
                self.complaints.append(line)
                self._said.notify_all()

    def until_said(self, sentence: str) -> None:
        """Wait until a person would have read ``sentence``; with --json that is on stderr."""
        with self._said:
            assert self._said.wait_for(lambda: sentence in self.stderr, PATIENCE), self.stderr

    @property
    def stderr(self) -> str:
        return "".join(self.complaints)

    def type(self, text: str) -> None:
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def line(self) -> str | None:
        """Return the next line of stdout; None at the end."""
        line = self._lines.get(timeout=PATIENCE)
        if line is None:
            self._lines.put(None)  # the end stays the end
        return line

    def until(self, *events: str) -> dict[str, Any]:
        """Return the next fact of the given kinds."""
        while (line := self.line()) is not None:
            fact = json.loads(line)
            self.seen.append(fact)
            if fact["event"] in events:
                return fact
        raise AssertionError(f"no {events} but {self.seen[-3:]}, {self.stderr}")

    def catch_up(self) -> None:
        """Read all text printed so far."""
        while not self._lines.empty():
            line = self._lines.get()
            if line is None:
                self._lines.put(None)
                return
            self.seen.append(json.loads(line))

    def facts(self, event: str) -> list[dict[str, Any]]:
        """Return the facts of ``event`` seen so far."""
        return [fact for fact in self.seen if fact["event"] == event]

    def end(self) -> int:
        """Read the remaining output, and return the exit code."""
        while (line := self.line()) is not None:
            if line.startswith("{"):
                self.seen.append(json.loads(line))
        code = self.process.wait(timeout=PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        assert "Traceback" not in self.stderr
        return code

    @property
    def unfinished(self) -> list[Path]:
        return sorted(self.home.glob("unfinished/*/journal"))


def host(home: Path, *words: str, port: int = 0, stdin: str | None = None) -> Matcha:
    """Start a host that only this machine can reach."""
    where = ("--address", "127.0.0.1", "--port", str(port), "--json", "--name", "Mina")
    return Matcha(home, "host", *where, *words, stdin=stdin)


def join(home: Path, invite: str, *words: str, name: str = "Taro") -> Matcha:
    """Start a guest with a bot. name: at a table, all names differ."""
    seat = ("--json", "--play", "club", "--name", name)
    return Matcha(home, "join", "-", *seat, *words, stdin=invite)


def answer(text: str) -> str | None:
    """Return the answer of a simple player to ``text``; None if ``text`` asks nothing."""
    if "All players are still here" in text:
        return "leave"
    if "y: yes" in text:
        return "y"
    if keep := _KEEP.search(text):
        return keep[1]
    if move := _MOVE.search(text):
        return f"{move[2]} {move[1]}"
    return None


def clean_run(home: Path, *words: str, stdin: str = "", **env: str) -> tuple[int, str, str]:
    """Run a command to the end; return exit code, stdout and stderr.

    A traceback fails the test.
    """
    done = subprocess.run(
        [sys.executable, "-m", "matcha_p2p", *words, "--home", str(home)],
        input=stdin.encode(),
        capture_output=True,
        timeout=2 * PATIENCE,
        check=False,
        env=environment(**env),
    )
    stdout, stderr = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in stdout + stderr
    return done.returncode, stdout, stderr
