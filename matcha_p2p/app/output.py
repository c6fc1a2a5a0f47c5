"""Where the words and the facts of a command go.

Without --json, words go to stdout. With it, stdout has one JSON object a line,
``{"v":1,"event":...}``, and the words go to stderr. Errors go to stderr in either case.
"""

import json
import sys
from typing import Final

from matcha_p2p.app.streams import complain, writing


class Output:
    """What a command says. facts: whether they are wanted (--json)."""

    def __init__(self, *, facts: bool) -> None:
        self.facts: Final = facts

    def say(self, sentence: str) -> None:
        """Say something to a person."""
        self.write(f"{sentence}\n")

    def murmur(self, sentence: str) -> None:
        """Say something to a person that is no part of what was asked for: to stderr."""
        complain(f"{sentence}\n")

    def write(self, text: str) -> None:
        """Show ``text`` to a person, as it is and at once."""
        if self.facts:
            complain(text)
            return
        with writing():
            sys.stdout.write(text)
            sys.stdout.flush()

    def fact(self, event: str, **fields: object) -> None:
        """Tell a program of ``event``, if there is one that listens."""
        if self.facts:
            line = json.dumps({"v": 1, "event": event, **fields}, separators=(",", ":"))
            with writing():
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()

    def warn(self, sentence: str) -> None:
        """Say what is amiss, though the command goes on."""
        complain(f"{sentence}\n")

    def fail(self, sentence: str, exit_code: int, code: str | None) -> None:
        """Say why the command ends with ``exit_code``. code: what --json calls that."""
        complain(f"{sentence}\n")
        self.fact("error", exit=exit_code, code=code, message=sentence)
