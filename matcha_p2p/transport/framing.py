"""Frames, cut out of a byte stream and put into it; no I/O (SPEC#frames).

On the wire and in a transcript file alike: length (2 bytes, big-endian) ‖ body. In clear, as
in a transcript, body = kind (1 byte) ‖ payload; on a link it is the ciphertext of just that.
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
    """What a frame carries (SPEC#frames)."""

    MSG = 1
    REC = 2
    CHAT = 3
    SYNC = 4
    PING = 5
    BYE = 6


@dataclass(frozen=True, slots=True)
class Frame:
    """One payload and what it is. payload: 0 .. FRAME_LIMIT - 1 bytes."""

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
        EncodingError: no bytes at all, or a kind that does not exist.
    """
    if not body:
        raise EncodingError(Check.ENCODING, "A frame is empty.")
    try:
        kind = Kind(body[0])
    except ValueError:
        raise EncodingError(Check.ENCODING, f"No frame is of kind {body[0]}.") from None
    return Frame(kind, body[1:])


def prefix_length(body: bytes) -> bytes:
    """Return ``body`` behind its length. body: at most 65,535 bytes."""
    return len(body).to_bytes(_LENGTH_SIZE, "big") + body


def encode_frame(frame: Frame) -> bytes:
    """Return ``frame`` in clear: length ‖ kind ‖ payload.

    Raises:
        EncodingError: the frame is larger than FRAME_LIMIT.
    """
    return prefix_length(encode_body(frame))


PADDED_SIZES: Final = (32, 512, 4096, 2 + FRAME_LIMIT)
"""Bytes of what is encrypted: so whoever counts bytes cannot tell a play from a pass, nor how
many cards are kept."""

_LARGEST_PADDED: Final = PADDED_SIZES[-1]


def pad_frame(frame: Frame) -> bytes:
    """Return what is encrypted for ``frame``: kind ‖ length ‖ payload ‖ zeros (SPEC#frames).

    Raises:
        EncodingError: the frame is larger than FRAME_LIMIT.
    """
    body = encode_body(frame)
    sized = body[:1] + prefix_length(body[1:])
    return sized.ljust(_padded_size(len(sized)), b"\0")


def unpad_frame(padded: bytes) -> Frame:
    """Read what was encrypted for a frame.

    Raises:
        EncodingError: a size that no frame is padded to, padding that is not zero or longer
            than need be, or a kind that does not exist.
    """
    sized = 3 + int.from_bytes(padded[1:3], "big")
    fits = sized <= len(padded) <= _LARGEST_PADDED and _padded_size(sized) == len(padded)
    if not fits or any(padded[sized:]):
        raise EncodingError(Check.ENCODING, "A frame is not padded as it has to be.")
    return decode_body(padded[:1] + padded[3:sized])


def _padded_size(size: int) -> int:
    return next(padded for padded in PADDED_SIZES if padded >= size)


class BodyDecoder:
    """Cut a stream of length-prefixed bodies, whatever pieces it arrives in.

    limit: most bytes of one body. A longer one is refused by its length alone, so no more than
    one body and one fed piece are ever held.
    """

    def __init__(self, limit: int) -> None:
        self._limit: Final = limit
        self._buffer: Final = bytearray()

    @property
    def pending(self) -> int:
        """Bytes fed and not yet part of a body that was handed out."""
        return len(self._buffer)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take ``data`` in at once; return an iterator over the bodies that are whole now.

        The bodies before a bad one come out first, however the stream was cut into pieces.

        Raises (from the iterator):
            EncodingError: the next body is over the limit. It stays so: the place of the next
            length is lost.
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
    """Cut a stream of frames in clear, whatever pieces it arrives in."""

    def __init__(self) -> None:
        self._bodies: Final = BodyDecoder(FRAME_LIMIT)

    @property
    def pending(self) -> int:
        """Bytes of a frame that is not whole yet; 0 where a file may end."""
        return self._bodies.pending

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Take ``data`` in at once; return an iterator over the frames that are whole now.

        Raises (from the iterator):
            EncodingError: the next frame is over the limit, empty, or of an unknown kind.
        """
        return map(decode_body, self._bodies.feed(data))
