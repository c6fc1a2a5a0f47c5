"""Frames, cut out of a byte stream and put into it; no I/O (PEER#frames).

On the wire and in a transcript file: length (2 bytes, big-endian) ‖ body. In a transcript,
body = kind (1 byte) ‖ payload, in clear. On a link, the body is the ciphertext of the padded
frame.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from matcha_p2p.errors import Check, EncodingError

FRAME_LIMIT: Final = 16 * 1024
"""Most bytes of kind and payload together."""

_LENGTH_SIZE: Final = 2


class Kind(enum.IntEnum):
    """The kind of a frame's payload (PEER#frames)."""

    MSG = 1
    REC = 2
    WAYS = 3
    SYNC = 4
    PING = 5
    BYE = 6
    ROSTER = 7
    LOBBY = 8
    ASK = 9
    HERE = 10
    AGAIN = 11
    TALK = 12
    OPEN = 13
    WATCH = 14
    WAY = 15
    COME = 16
    SIGHT = 17


@dataclass(frozen=True, slots=True)
class Frame:
    """A payload and its kind. payload: 0 .. FRAME_LIMIT - 1 bytes."""

    kind: Kind
    payload: bytes = b""


def encode_body(frame: Frame) -> bytes:
    """Return kind ‖ payload.

    Raises:
        EncodingError: the frame is larger than FRAME_LIMIT.
    """
    if len(frame.payload) >= FRAME_LIMIT:
        raise EncodingError(
            Check.LIMIT, f"A frame of {len(frame.payload) + 1} bytes is too large."
        )
    return bytes([frame.kind]) + frame.payload


def decode_body(body: bytes) -> Frame:
    """Read kind ‖ payload.

    Raises:
        EncodingError: ``body`` is empty, or the kind is unknown.
    """
    if not body:
        raise EncodingError(Check.ENCODING, "A frame is empty.")
    try:
        kind = Kind(body[0])
    except ValueError:
        raise EncodingError(Check.ENCODING, f"No frame is of kind {body[0]}.") from None
    return Frame(kind, body[1:])


def prefix_length(body: bytes) -> bytes:
    """Return ``body`` after its length. body: at most 65,535 bytes."""
    return len(body).to_bytes(_LENGTH_SIZE, "big") + body


def encode_frame(frame: Frame) -> bytes:
    """Return ``frame`` in clear: length ‖ kind ‖ payload.

    Raises:
        EncodingError: the frame is larger than FRAME_LIMIT.
    """
    return prefix_length(encode_body(frame))


PADDED_SIZES: Final = (32, 512, 4096, 2 + FRAME_LIMIT)
"""Sizes of a padded frame in bytes: an observer who counts bytes cannot tell a play from a
pass, nor the number of kept cards."""

_LARGEST_PADDED: Final = PADDED_SIZES[-1]


def pad_frame(frame: Frame) -> bytes:
    """Return the padded ``frame``: kind ‖ length ‖ payload ‖ zeros (PEER#frames).

    Raises:
        EncodingError: the frame is larger than FRAME_LIMIT.
    """
    body = encode_body(frame)
    sized = body[:1] + prefix_length(body[1:])
    return sized.ljust(_padded_size(len(sized)), b"\0")


def unpad_frame(padded: bytes) -> Frame:
    """Read a padded frame.

    Raises:
        EncodingError: the size is no padded size, the padding is not zero or too long, or the
            kind is unknown.
    """
    sized = 3 + int.from_bytes(padded[1:3], "big")
    fits = sized <= len(padded) <= _LARGEST_PADDED and _padded_size(sized) == len(padded)
    if not fits or any(padded[sized:]):
        raise EncodingError(Check.ENCODING, "A frame is not padded as it has to be.")
    return decode_body(padded[:1] + padded[3:sized])


def _padded_size(size: int) -> int:
    return next(padded for padded in PADDED_SIZES if padded >= size)


class BodyDecoder:
    """Cuts a stream, arriving in pieces of any size, into length-prefixed bodies.

    limit: most bytes of a body. A longer body is refused by its length alone. So the decoder
    holds at most one body and one fed piece.
    """

    def __init__(self, limit: int) -> None:
        self._limit: Final = limit
        self._buffer: Final = bytearray()

    @property
    def pending(self) -> int:
        """The number of fed bytes not yet handed out in a body."""
        return len(self._buffer)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take ``data`` in at once; return an iterator over the complete bodies.

        The bodies before a bad body come first, in any division of the stream into pieces.

        Raises (from the iterator):
            EncodingError: the next body is over the limit. The error is final: the place of the
            next length is lost.
        """
        self._buffer.extend(data)
        return self._whole_bodies()

    def _whole_bodies(self) -> Iterator[bytes]:
        while len(self._buffer) >= _LENGTH_SIZE:
            length = int.from_bytes(self._buffer[:_LENGTH_SIZE], "big")
            if length > self._limit:
                raise EncodingError(Check.LIMIT, f"A frame of {length} bytes is too large.")
            end = _LENGTH_SIZE + length
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_LENGTH_SIZE:end])
            del self._buffer[:end]
            yield body


class FrameDecoder:
    """Cuts a stream, arriving in pieces of any size, into frames in clear."""

    def __init__(self) -> None:
        self._bodies: Final = BodyDecoder(FRAME_LIMIT)

    @property
    def pending(self) -> int:
        """The number of bytes of an incomplete frame; 0 if a file may end here."""
        return self._bodies.pending

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Take ``data`` in at once; return an iterator over the complete frames.

        Raises (from the iterator):
            EncodingError: the next frame is over the limit, empty, or of an unknown kind.
        """
        return map(decode_body, self._bodies.feed(data))
