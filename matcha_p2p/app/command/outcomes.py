"""How a command ends: the exit code and the sentence of each exception and each ending."""

import enum
import errno
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from matcha_p2p import errors
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.command.streams import complain, fall_silent
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.store.home import Home, store_trace_anywhere

if TYPE_CHECKING:
    from matcha_p2p.games.installed import InstalledGame
    from matcha_p2p.session.news import Ending


class Exit(enum.IntEnum):
    """The exit codes of the commands. After a signal: SIGNALLED and the signal's number."""

    DONE = 0  # won or lost alike; all transcripts valid
    INVALID = 1  # a transcript is not valid
    USAGE = 2
    UNREACHED = 3  # no connection
    REFUSED = 4  # wrong secret, other version
    VIOLATED = 5  # the other side broke the protocol
    INTERRUPTED = 6  # the game is unfinished
    DECLINED = 7  # declined, or left before the game began
    UNREADABLE = 8  # data unreadable, locked, or the disk full
    BUG = 70
    OUTPUT = 74  # stdout is closed or full


_BUG: Final = Sentence("matcha failed because of a bug ({kind}). {where}")
_BUG_OF_GAME: Final = Sentence(
    "The game {game} of {package} {version} failed because of a bug ({kind}). {where}"
)
_REPORTED: Final = Sentence("Please report the contents of {path}")
_UNREPORTED: Final = Sentence("The report of the failure could not be saved: {why}")

SIGNALLED: Final = 128
_SIGHUP: Final = 1
_SIGINT: Final = 2
_SIGPIPE: Final = 13

CANCELLED: Final = SIGNALLED + _SIGINT
"""Exit code when the person stops waiting: by a key, or by Ctrl-C where there is no key."""


class CommandError(errors.MatchaError):
    """A command ends with ``exit_code``; the text gives the reason."""

    def __init__(
        self, exit_code: int, sentence: str, *, code: str | None = None, **fields: object
    ) -> None:
        super().__init__(sentence, code=code, **fields)
        self.exit_code: Final = exit_code


class NotBegunError(CommandError):
    """A game has ended before all had greeted each other, and the lobby may open again.

    next_game: whether the same players have ended a game before.
    """

    def __init__(
        self, exit_code: int, sentence: str, *, code: str | None, next_game: bool
    ) -> None:
        super().__init__(exit_code, sentence, code=code)
        self.next_game: Final = next_game


def exit_of(error: errors.MatchaError) -> int:
    """Return the exit code of a command that ends with ``error``."""
    match error:
        case CommandError(exit_code=exit_code):
            return exit_code
        case (
            errors.InviteError()
            | errors.EngineError()
            | errors.BotError()
            | errors.MissingPartError()
        ):
            return Exit.USAGE
        case errors.UnwantedGameError():
            return Exit.DECLINED
        case errors.LinkError():
            return Exit.UNREACHED
        case errors.HandshakeError() | errors.LobbyError():
            return Exit.REFUSED
        case (
            errors.JournalError()
            | errors.HomeError()
            | errors.TranscriptError()
            | errors.ClockError()
            | errors.UnknownGameError()
        ):
            return Exit.UNREADABLE
        case errors.OutputError(number=errno.EPIPE):  # nobody reads stdout any more
            return SIGNALLED + _SIGPIPE
        case errors.OutputError(number=errno.EIO):  # the terminal has gone
            return SIGNALLED + _SIGHUP
        case errors.OutputError():
            return Exit.OUTPUT
        case _:
            return Exit.BUG


def exit_of_ending(ending: "Ending", *, begun: bool) -> int:
    """Return the exit code for a game's ending. begun: whether both had greeted each other."""
    # Imported here so that a failing import is explained too.
    from matcha_p2p.session.news import DiskFailed, Finished, Interrupted, Violated

    match ending:
        case Finished():
            return Exit.DONE
        case Violated():
            return Exit.VIOLATED
        case DiskFailed():
            return Exit.UNREADABLE
        case Interrupted():
            return Exit.INTERRUPTED if begun else Exit.DECLINED


def perform(out: Output, home: Home | None, work: Callable[[], int]) -> int:
    """Run ``work``, a whole command; return the exit code and never raise.

    home: None while the home is unknown; see ``explain``.
    """
    try:
        return work()
    except BaseException as error:  # noqa: BLE001 -- whatever escapes is explained here
        return explain(out, home, error)


def alone(error: BaseException) -> BaseException:
    """Return the only exception in the groups of nurseries; else ``error`` unchanged."""
    match error:
        case BaseExceptionGroup(exceptions=(only,)):
            return alone(only)
        case _:
            return error


def explain(out: Output, home: Home | None, error: BaseException) -> int:
    """Say why a command ends with ``error``; return the exit code.

    An expected error is printed as a sentence. Any other error is a fault of this program: the
    traceback is stored in ``home``, or without a home in the system's folder for such files.
    """
    error = alone(error)
    match error:
        case KeyboardInterrupt():
            return SIGNALLED + _SIGINT
        case OSError(errno=errno.EIO):  # the terminal has gone, under a full screen
            fall_silent(sys.stdout)
            return SIGNALLED + _SIGHUP
        case errors.OutputError():
            return tell_lost(error)
        case errors.MatchaError():
            exit_code, code, sentence = exit_of(error), error.code, out.sentence_of(error)
        case _:
            exit_code, code, sentence = Exit.BUG, "bug", _own_failure(home, error)
    with suppress(errors.OutputError):  # the person has read the sentence already
        out.fail(sentence, exit_code, code)
    return exit_code


def tell_lost(error: errors.OutputError) -> int:
    """Return the exit code of ``error``; if stdout is full or closed, explain on stderr.

    If the reader of stdout or the terminal has gone, say nothing.
    """
    code = exit_of(error)
    if code == Exit.OUTPUT:
        complain(f"{sentence_of(error)}\n")
    return code


def _own_failure(home: Home | None, error: BaseException) -> str:
    trace = "".join(traceback.format_exception(error))
    try:
        path = store_trace_anywhere(trace) if home is None else home.store_trace(trace)
        where = _REPORTED(path=path)
    except errors.MatchaError as refused:
        where = _UNREPORTED(why=refused)
    kind, game = type(error).__name__, _game_in(error)
    if game is None:
        return _BUG(kind=kind, where=where)
    told = {"game": game.name, "package": game.package, "version": game.version}
    return _BUG_OF_GAME(**told, kind=kind, where=where)


def _game_in(error: BaseException) -> "InstalledGame | None":
    """Return the game of another package whose code ran when the error was raised."""
    from matcha_p2p.games.installed import installed  # looks through all packages

    ran = {
        frame.f_globals.get("__name__", "").partition(".")[0]
        for frame, _ in traceback.walk_tb(error.__traceback__)
    }
    return next((found for found in installed() if found.folder in ran), None)
