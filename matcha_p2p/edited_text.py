"""Reads the text files that people edit: boards, settings and logs.

Such a file is UTF-8. Some editors of Windows write a byte order mark first and end a line by CR
and LF; both are accepted.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Final

from matcha_p2p.errors import MatchaError
from matcha_p2p.language import Sentence

_LINE: Final = Sentence("Line {line}: {fault}")
_NO_TEXT: Final = Sentence("This is no UTF-8 text.")
_NO_TOML: Final = Sentence("This is no TOML: {error}.")
_LONG_NUMBER: Final = Sentence("A number has too many digits.")
_DEEP: Final = Sentence("Too many brackets are open.")

_UNCLOSED: Final = """Expected "'\""""
"""An error of ``tomllib`` at the end of the text, for a quotation mark without a second one."""
_TOO_DEEP: Final = "RecursionError"


class FaultyLineError(MatchaError):
    """A text is not as it has to be in ``line``, a number from 1."""

    def __init__(self, line: int, fault: Sentence, **fields: object) -> None:
        why = MatchaError(fault.english, code=None, **fields)
        super().__init__(_LINE.english, line=line, fault=why)
        self.line: Final = line


class FaultyTextError(MatchaError):
    """A text has ``faults``, in the order of its lines."""

    def __init__(self, faults: Iterable[FaultyLineError]) -> None:
        self.faults: Final = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__("\n".join(map(str, self.faults)), code="faulty-text")


def lines_in(lines: Iterable[bytes]) -> Iterator[str]:
    r"""Yield the lines of a file as text; each line ends in "\n".

    Raises (from the iterator):
        FaultyLineError: a line is not UTF-8.
    """
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise FaultyLineError(number, _NO_TEXT) from None
        yield text.removesuffix("\r\n") + "\n" if text.endswith("\r\n") else text


def text_in(content: bytes) -> str:
    """Return the text of a file.

    Raises:
        FaultyLineError: a line is not UTF-8.
    """
    return "".join(lines_in(BytesIO(content)))


def toml_in(text: str) -> dict[str, object]:
    """Return the table of a text in TOML.

    Raises:
        FaultyLineError: the text is not TOML, or has values that Python cannot read.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        why, _, place = str(error).partition(" (at ")
        if found := re.match(r"line (\d+)", place):
            line = int(found[1])
        elif why == _UNCLOSED:
            line = _first_line(text, str(error))
        else:
            line = text.rstrip().count("\n") + 1
        plain = why.encode("ascii", "backslashreplace").decode()
        raise FaultyLineError(line, _NO_TOML, error=plain) from None
    except ValueError as error:
        raise FaultyLineError(_first_line(text, repr(error)), _LONG_NUMBER) from None
    except RecursionError:
        raise FaultyLineError(_first_line(text, _TOO_DEEP), _DEEP) from None


def _first_line(text: str, failure: str) -> int:
    """Return the line at which reading fails by ``failure``, an error that names no line.

    The reader of TOML never goes back: a beginning of the text fails in the same way exactly
    if the beginning has the line.
    """
    lines = text.split("\n")

    def fails(line: int) -> bool:
        return _failure("\n".join(lines[:line])) == failure

    return bisect_left(range(1, len(lines)), 1, key=fails) + 1


def _failure(text: str) -> str | None:
    import tomllib

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    except ValueError as error:
        return repr(error)
    except RecursionError:
        return _TOO_DEEP
    return None
