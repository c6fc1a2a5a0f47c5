"""The file of a game: a magic line, the roster, the entries in order, the records.

    file = MAGIC ‖ frame ...                                          (SPEC#transcript)

The file has frames as on the wire, in clear: kind ROSTER for the roster, MSG for an entry, REC
for a record.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from matcha_p2p.errors import Check, EncodingError, TranscriptError
from matcha_p2p.transport.framing import Frame, FrameDecoder, Kind, encode_frame
from matcha_p2p.wire.roster import Roster

MAGIC: Final = b"matcha transcript 1\n"

_MARK: Final = b"\xef\xbb\xbf"
"""A byte order mark, which some editors write before a text."""

SIZE_LIMIT: Final = 64 * 2**20
"""Most bytes of a file."""

ITEM_LIMIT: Final = 65_536
"""Most entries and records of a file together."""

_AFTER: Final = {
    Kind.ROSTER: (Kind.MSG, Kind.REC),
    Kind.MSG: (Kind.MSG, Kind.REC),
    Kind.REC: (Kind.REC,),
}


def encode_archive(entries: Sequence[bytes], records: Sequence[bytes], roster: Roster) -> bytes:
    """Return the file of a game: ``roster``, ``entries`` as in the chain, then ``records``.

    Raises:
        EncodingError: an item, the number of items or the file is over a limit (E_LIMIT).
    """
    frames = [
        Frame(Kind.ROSTER, roster.encoded),
        *(Frame(Kind.MSG, entry) for entry in entries),
        *(Frame(Kind.REC, record) for record in records),
    ]
    data = MAGIC + b"".join(map(encode_frame, frames))
    _check_size(len(data))
    _check_number(len(entries) + len(records))
    return data


def parse_archive(data: bytes) -> Iterator[Frame]:
    """Yield the roster, the entries and the records of a file, without decoding them.

    The items before a flaw come first, so the caller can still judge these items.

    Raises (from the iterator):
        TranscriptError: the file is no transcript of this version, or ends inside an item.
        EncodingError: a limit is broken (E_LIMIT), a frame is of another kind, the roster is
            not first, or an entry follows a record (E_ENCODING).
    """
    _check_magic(data)
    _check_size(len(data))
    decoder = FrameDecoder()
    follows: tuple[Kind, ...] = (Kind.ROSTER,)
    for items, frame in enumerate(decoder.feed(data[len(MAGIC) :])):  # the roster is no item
        if frame.kind <= Kind.LOBBY:  # a kind above 8 is refused as such (SPEC#transcript)
            _check_number(items)
        if frame.kind not in follows:
            raise EncodingError(
                Check.ENCODING, "A transcript holds a roster, entries, records, in this order."
            )
        follows = _AFTER[frame.kind]
        yield frame
    if Kind.ROSTER in follows:
        raise TranscriptError("The file is cut short: the file ends before the roster.")
    if decoder.pending:
        raise TranscriptError("The file is cut short: the file ends inside an entry or record.")


def _check_magic(data: bytes) -> None:
    if data.startswith(MAGIC):
        return
    if data and MAGIC.startswith(data):
        raise TranscriptError("The file is cut short: the file ends before the roster.")
    if data.removeprefix(_MARK).startswith((MAGIC, MAGIC[:-1] + b"\r")):
        raise TranscriptError(
            "A program has changed this transcript as if it were text, for example its line "
            "ends (CRLF). Copy the file again, as binary data."
        )
    if data.startswith(MAGIC[:-2]):
        raise TranscriptError(
            "This matcha transcript has another version than 1. Install the matcha that "
            "wrote it."
        )
    raise TranscriptError("This is not a matcha transcript.")


def _check_size(size: int) -> None:
    if size > SIZE_LIMIT:
        raise EncodingError(Check.LIMIT, f"A transcript has at most {SIZE_LIMIT} bytes.")


def _check_number(number: int) -> None:
    if number > ITEM_LIMIT:
        raise EncodingError(Check.LIMIT, f"A transcript holds at most {ITEM_LIMIT} items.")
