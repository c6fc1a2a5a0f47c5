"""The output of a command: sentences for a person, facts for a program.

Without --json, sentences go to stdout. With --json, stdout has a JSON object a line,
``{"v":1,"event":...}``, and sentences go to stderr. Errors always go to stderr.
"""

import json
import sys
import warnings
from typing import TYPE_CHECKING, Final

from matcha_p2p.app.command.in_menu import sentence_in_menu
from matcha_p2p.app.command.streams import complain, fitted, writing
from matcha_p2p.errors import MatchaError
from matcha_p2p.language import sentence_of

if TYPE_CHECKING:
    from matcha_p2p.games.front import CommandOutput


class Output:
    """The output of a command.

    facts: whether --json is given. before_menu: whether the menu follows. Then sentences name
    entries of the menu instead of commands.
    """

    def __init__(self, *, facts: bool, before_menu: bool = False) -> None:
        self.facts: Final = facts
        self.before_menu: Final = before_menu

    def say(self, sentence: str) -> None:
        """Say something to a person."""
        self.show(f"{sentence}\n")

    def sentence_of(self, error: MatchaError) -> str:
        """Return what ``error`` says here."""
        return sentence_in_menu(error) if self.before_menu else sentence_of(error)

    def murmur(self, sentence: str) -> None:
        """Write a remark to stderr, outside the result."""
        complain(f"{sentence}\n")

    def show(self, text: str) -> None:
        """Show ``text`` to a person at once; on a terminal, lines break between words."""
        self.write(fitted(text, sys.stdout))

    def write(self, text: str) -> None:
        """Show ``text`` to a person, unchanged and at once."""
        if self.facts:
            complain(text)
            return
        with writing():
            sys.stdout.write(text)
            sys.stdout.flush()

    def fact(self, event: str, **fields: object) -> None:
        """Print ``event`` as JSON, if --json is given."""
        if self.facts:
            line = json.dumps({"v": 1, "event": event, **fields}, separators=(",", ":"))
            with writing():
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()

    def warn(self, sentence: str) -> None:
        """Write a warning to stderr; the command goes on."""
        complain(f"{sentence}\n")
        self.fact("warning", message=sentence)

    def tell(self, told: "CommandOutput") -> None:
        """Print a fact and what people read about it."""
        if told.event:
            self.fact(told.event, **told.fields)
        if told.said:
            self.say(told.said)
        for warning in told.warnings:
            self.warn(warning)

    def fail(self, sentence: str, exit_code: int, code: str | None) -> None:
        """Say why the command ends with ``exit_code``. code: the failure's name in --json."""
        complain(f"{sentence}\n")
        self.fact("error", exit=exit_code, code=code, message=sentence)


class SilentOutput(Output):
    """No output, for callers of the library; a warning goes to Python's ``warnings``."""

    def __init__(self) -> None:
        super().__init__(facts=False)

    def murmur(self, sentence: str) -> None:
        """Drop a remark."""

    def show(self, text: str) -> None:
        """Drop a text for a person."""

    def warn(self, sentence: str) -> None:
        """Warn the caller; the work goes on."""
        warnings.warn(sentence, RuntimeWarning, stacklevel=2)
