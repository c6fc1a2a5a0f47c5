"""A bot in a process of its own, asked over its standard streams (protocol/bots.md).

An engine has a limit of time, ends with this program, and never stops this program: every
failure of an engine is a BotError here.
"""

import json
import queue
import random
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final

from matcha_p2p import programs
from matcha_p2p.errors import BotError, IllegalMoveError
from matcha_p2p.games.bots.bot import Seen
from matcha_p2p.games.exchange import AnyExchange
from matcha_p2p.games.game import Move
from matcha_p2p.games.json_values import LINE_LIMIT, VERSION, JsonObject, as_list, message_of
from matcha_p2p.language import reason_of
from matcha_p2p.wire.text import clean

_STARTING: Final = 10.0
"""Seconds for an engine's greeting."""
_GRACE: Final = 1.0
"""Seconds for an engine's move after the message to stop, and for its last words."""
_UNREAD: Final = 1000
"""Lines that may wait to be read; an engine with more lines waits."""

_NOT_STARTED: Final = "The bot {name} cannot be started: {why}."
_DIED: Final = "The bot {name} ended without an answer."
_DIED_SAYING: Final = "The bot {name} ended without an answer, after these words: “{words}”."
_LATE: Final = "The bot {name} gave no answer within {seconds:g} s."
_MALFORMED: Final = (
    "The bot {name} sent a line that is no message of the bot protocol: {line!r}"
)
_UNANSWERED: Final = "The bot {name} answered with an error: “{words}”."
_EDITION: Final = "The bot {name} does not play edition {edition}."
_ILLEGAL: Final = "The bot {name} answered {move!r}, which is no legal move."
_FORBIDDEN: Final = "The bot {name} answered {move!r}, which rule {rule} forbids."
_LAST_LINES: Final = 3
"""The most lines of an engine's standard error that are shown."""
_SHOWN: Final = 80
"""The most characters of a wrong line that are shown."""


class Engine:
    """A bot played by the program ``command``. The first question starts the program.

    protocol: of the game that the bot plays.
    """

    def __init__(
        self, protocol: AnyExchange, name: str, command: Sequence[str], limit: float
    ) -> None:
        """Take the command. limit: seconds for a move."""
        self._protocol: Final = protocol
        self._name: Final = name
        self._command: Final = tuple(command)
        self._limit: Final = limit
        self._asking: Final = threading.Lock()
        self._running: _Process | None = None
        self._asked = 0

    @property
    def name(self) -> str:
        """Return the name by which people chose the engine."""
        return self._name

    def choose(self, observation: Seen, rng: random.Random) -> Move:
        """Return the engine's move; wait until the engine answers.

        Raises:
            BotError: the engine does not start, has died, is late, or answers no legal move.
        """
        with self._asking:
            try:
                return self._choose(observation, rng.getrandbits(32))
            except BotError:
                self.close()
                raise

    def start(self) -> None:
        """Start the engine now, so that the engine is ready for the first question.

        Raises:
            BotError: the engine does not start.
        """
        with self._asking:
            self._process(*self._protocol.editions)

    def close(self) -> None:
        """End the process. The next question starts a new process."""
        if self._running is not None:
            self._running.end()
            self._running = None

    def _choose(self, observation: Seen, seed: int) -> Move:
        described = self._protocol.described(observation)
        process = self._process(str(described["edition"]))
        self._asked += 1
        question = {
            "do": "choose",
            "id": self._asked,
            "limit_ms": round(self._limit * 1000),
            "seed": seed,
            "observation": described,
        }
        process.write(question)
        answer = process.read_answer(self._asked, self._limit)
        if answer is None:
            process.write({"do": "stop", "id": self._asked})
            answer = process.read_answer(self._asked, _GRACE)
        if answer is None:
            raise BotError(_LATE, code="bot", name=self._name, seconds=self._limit)
        return self._chosen(observation, str(answer.get("move")))

    def _chosen(self, observation: Seen, text: str) -> Move:
        """Return the legal move that the engine has named by ``text``."""
        shown = text[:_SHOWN]
        try:
            return self._protocol.notation.read(observation, text)
        except IllegalMoveError as error:
            raise BotError(
                _FORBIDDEN, code="bot", name=self._name, move=shown, rule=error.rule
            ) from error
        except ValueError as error:
            raise BotError(_ILLEGAL, code="bot", name=self._name, move=shown) from error

    def _process(self, *editions: str) -> "_Process":
        """Return the process, started and greeted; the engine plays one of ``editions``."""
        if self._running is None:
            self._running = _Process(self._name, self._command)
        process = self._running
        if process.editions is None:
            process.write({"do": "hello", "v": VERSION})
            process.greet(_STARTING)
        if not any(edition in (process.editions or ()) for edition in editions):
            wanted = ", ".join(editions)
            raise BotError(_EDITION, code="bot", name=self._name, edition=wanted)
        return process


class _Process:
    """A running engine. editions: the editions in the greeting, None before the greeting."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self._name: Final = name
        self.editions: Sequence[object] | None = None
        try:
            self._child: Final = subprocess.Popen(  # noqa: S603 -- --play cmd: names it, no shell
                [programs.of_user(command[0]), *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                **programs.apart(),  # Ctrl-C is for the game
            )
        except (OSError, ValueError) as error:
            why = reason_of(error) if isinstance(error, OSError) else str(error)
            raise BotError(_NOT_STARTED, code="bot", name=name, why=why) from error
        self._lines: Final[queue.Queue[bytes]] = queue.Queue(_UNREAD)
        weakref.finalize(self, _end, self._child)
        self._words: Final[deque[bytes]] = deque(maxlen=_LAST_LINES)
        if self._child.stdout is None or self._child.stderr is None:
            raise RuntimeError("its outputs are pipes")
        reading = (self._child.stdout, self._lines)
        threading.Thread(target=_read, args=reading, daemon=True).start()
        hearing = (self._child.stderr, self._words)
        self._hearing: Final = threading.Thread(target=_hear, args=hearing, daemon=True)
        self._hearing.start()

    def write(self, message: JsonObject) -> None:
        """Send a message. If the engine has died, the next read shows the death."""
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        if self._child.stdin is not None:
            with suppress(OSError, ValueError):
                self._child.stdin.write(line)
                self._child.stdin.flush()

    def greet(self, limit: float) -> None:
        """Read the greeting."""
        message = self._read(time.monotonic() + limit)
        if message is None:
            raise BotError(_LATE, code="bot", name=self._name, seconds=limit)
        try:
            editions = as_list(message.get("editions"))
        except TypeError:
            editions = None
        if message.get("v") != VERSION or editions is None:
            raise self._malformed(str(message))
        self.editions = editions

    def read_answer(self, number: int, limit: float) -> JsonObject | None:
        """Return the answer to question ``number``. If no answer comes in time, return None.

        Other messages, and late answers to earlier questions, are skipped.
        """
        until = time.monotonic() + limit
        while (message := self._read(until)) is not None:
            if "error" in message:
                words = clean(str(message["error"]))
                raise BotError(_UNANSWERED, code="bot", name=self._name, words=words)
            if message.get("id") == number and "move" in message:
                return message
        return None

    def end(self) -> None:
        """Tell the engine to quit; after a while end the process by force."""
        self.write({"do": "quit"})
        _end(self._child)

    def _read(self, until: float) -> JsonObject | None:
        try:
            line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None
        if not line:
            raise self._died()
        try:
            return message_of(line.decode())
        except (BotError, UnicodeDecodeError):
            text = line[:_SHOWN].decode(errors="replace").strip()
            raise self._malformed(text) from None

    def _died(self) -> BotError:
        """Return the error, with the last words on standard error, fit for a terminal."""
        self._hearing.join(_GRACE)
        words = [clean(line.decode(errors="replace").strip()) for line in [*self._words]]
        if not words:
            return BotError(_DIED, code="bot", name=self._name)
        return BotError(_DIED_SAYING, code="bot", name=self._name, words=" / ".join(words))

    def _malformed(self, text: str) -> BotError:
        return BotError(_MALFORMED, code="bot", name=self._name, line=text[:_SHOWN])


def _read(output: IO[bytes], lines: "queue.Queue[bytes]") -> None:
    """Put each line into the queue, and b"" at the end. A line that is too long is cut."""
    with output:
        while line := output.readline(LINE_LIMIT):
            lines.put(line)
    lines.put(b"")


def _hear(errors: IO[bytes], words: "deque[bytes]") -> None:
    """Keep the last lines but empty lines. A line that is too long is cut."""
    with errors:
        while line := errors.readline(LINE_LIMIT):
            if line.strip():
                words.append(line)


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End the process. If the process does not end by itself, kill the process."""
    if child.stdin is not None:
        with suppress(OSError):
            child.stdin.close()
    try:
        child.wait(timeout=0.2)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
