"""The numbered checks of the protocol, and the exceptions that the package raises on purpose.

The class of an exception tells whose fault the failure is. Any other exception that escapes is
a bug.
"""

import enum
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath, PureWindowsPath
from typing import Final, cast


class Check(enum.Enum):
    """The checks of a message, a record or a transcript (SPEC#checks).

    The value is the code on the wire, in evidence and in reports; the order of definition is
    the number of the check.
    """

    LIMIT = "E_LIMIT"
    ENCODING = "E_ENCODING"
    CHAIN = "E_CHAIN"
    SIG = "E_SIG"
    FORK = "E_FORK"
    TURN = "E_TURN"
    GRAMMAR = "E_GRAMMAR"
    POINT = "E_POINT"
    SCALAR = "E_SCALAR"
    VERSION = "E_VERSION"
    GAME = "E_GAME"
    TEXT = "E_TEXT"
    KEY = "E_KEY"
    POP = "E_POP"
    CERT = "E_CERT"
    COIN = "E_COIN"
    SHUFFLE = "E_SHUFFLE"
    SHARE = "E_SHARE"
    CARD = "E_CARD"
    BACK = "E_BACK"
    RULE = "E_RULE"
    SEAL = "E_SEAL"
    RESULT = "E_RESULT"
    STATE = "E_STATE"
    RECORD = "E_RECORD"
    EXPOSE = "E_EXPOSE"
    RESIGN = "E_RESIGN"
    SYNC = "E_SYNC"
    ROSTER = "E_ROSTER"


class MatchaError(Exception):
    """Base of every exception raised on purpose; its text is a sentence for a person.

    sentence: in English, possibly with places for ``fields``: "{path} is damaged." Front ends
    translate the sentence by ``sentence_of``; ``str`` is English. code: the name of the failure
    in --json.
    """

    def __init__(self, sentence: str, *, code: str | None = None, **fields: object) -> None:
        super().__init__(sentence)
        self.code: Final = code
        self.sentence: Final = sentence
        self.fields: Final = fields

    def __str__(self) -> str:
        return self.said(str)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def said(self, translated: Callable[[str], str]) -> str:
        """Return the sentence, ``translated``, with its fields."""
        sentence = translated(self.sentence)
        return filled(sentence, self.fields, translated) if self.fields else sentence


class BotError(MatchaError):
    """A bot in a program of its own has died, is late, or answers without a legal move."""

    def __reduce__(self) -> tuple[Callable[[], "BotError"], tuple[()]]:
        """Let the error pass between processes, with its fields."""
        return partial(type(self), self.sentence, code=self.code, **self.fields), ()


class NotPlainError(OSError):
    """A path leads to a folder, a pipe or a device instead of a plain file."""


def shown(path: PurePath) -> str:
    """Return ``path`` fit for a terminal: one line, quoted unless it is plain.

    A stranger may have chosen the file's name. Unprintable characters are escaped, and so are
    spaces in a row: by many spaces a name could reach the next line of a terminal. The quotes
    are a shell's, because people copy paths into commands.
    """
    return shown_word(str(path), windows=isinstance(path, PureWindowsPath))


def shown_word(word: str, *, windows: bool) -> str:
    """Return ``word`` of a command line fit for a terminal, as ``shown``."""
    plain = "/._-~+@,=:\\" if windows else "/._-~+@,=:"
    if word and all(character.isalnum() or character in plain for character in word):
        return word
    text = re.sub("(?<= ) ", r"\\x20", word)
    text = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
    return f'"{text}"' if windows else "'" + text.replace("'", r"'\''") + "'"


def filled(text: str, fields: Mapping[str, object], translated: Callable[[str], str]) -> str:
    """Return ``text`` with its ``fields``: paths fit for a terminal, errors translated."""
    return text.format_map({name: _fit(value, translated) for name, value in fields.items()})


def _fit(value: object, translated: Callable[[str], str]) -> object:
    match value:
        case PurePath():
            return shown(value)
        case MatchaError():
            return value.said(translated)
        case tuple():
            parts = cast("tuple[object, ...]", value)
            return ", ".join(str(_fit(part, translated)) for part in parts)
        case _:
            return value


class CheckError(MatchaError):
    """Bytes or a proof fail ``check``; only a caller who knows the author can blame anybody.

    The text is in English, for developers; players read a sentence about the check instead.
    """

    def __init__(self, check: Check, message: str) -> None:
        super().__init__(message)
        self.check: Final = check


class EncodingError(CheckError):
    """Bytes are not the canonical encoding of a value (E_ENCODING, E_POINT ...)."""


class ProofError(CheckError):
    """A well-formed proof or signature does not hold for its statement."""


class IllegalMoveError(CheckError):
    """The rules of a game forbid a move. rule: the number of the rule, "R7" for example."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(Check.RULE, f"{rule}: {why}")
        self.rule: Final = rule
        self._english: Final = why

    def reason(self) -> str:
        """Return the reason; in the spoken language, if the game has words for it."""
        return self._english


class ProtocolViolationError(CheckError):
    """An entry or record breaks ``check``.

    seat: the signer, whose breach convinces any holder of the chain before; None if no valid
    signature proves an author. entry: place among the items of the transcript, from 0.
    """

    def __init__(self, check: Check, seat: int | None, entry: int, message: str) -> None:
        super().__init__(check, message)
        self.seat: Final = seat
        self.entry: Final = entry


class LinkError(MatchaError):
    """The connection ended early or never came about; no evidence about honesty."""


class ProxyError(LinkError):
    """The proxy cannot be used; nobody was dialled."""


class HandshakeError(MatchaError):
    """The other end does not hold the invite's secret, or does not speak this protocol."""


class InviteError(MatchaError):
    """A string is not a whole, unaltered invite."""


class LobbyError(MatchaError):
    """A table cannot do as the host or a guest asks."""


class UnwantedGameError(LobbyError):
    """The host waits with another game or edition than the guest wants."""


class JournalError(MatchaError):
    """The journal cannot be read, locked or written."""


class OlderJournalError(JournalError):
    """A journal is an older copy; playing on would sign later entries a second time."""


class HomeError(MatchaError):
    """A player's file other than a journal cannot be written or removed."""


class SettingsError(MatchaError):
    """The file of the settings is not used, or a part of the file."""


class TranscriptError(MatchaError):
    """A file is not a transcript at all, or ends in the middle of an item."""


class ClockError(MatchaError):
    """The clock of this machine shows an impossible time."""


class OutputError(MatchaError):
    """The program cannot write to stdout. number: the errno of the reason."""

    def __init__(self, sentence: str, *, number: int | None, **fields: object) -> None:
        super().__init__(sentence, code="output-lost", **fields)
        self.number: Final = number


class MissingPartError(MatchaError):
    """A game lacks a part that is needed."""


class UnknownGameError(MatchaError, KeyError):
    """No game here has the name, or the game of another package cannot be used."""


class EngineError(MatchaError):
    """MATCHA_ENGINE names no engine, or an engine that does not work here."""
