"""An append-only file that survives crashes and tells damage; bytes only (SPEC#journal).

    file    = MAGIC (16 bytes) ‖ salt (16) ‖ commit ...
    commit  = MARK (4) ‖ sequence (4) ‖ size (4) ‖ records ‖ crc (4) ‖ chain (16)
    record  = kind (1) ‖ size (4) ‖ body

Integers are big-endian. ``size`` counts the bytes of all records, and of the body. A commit is
what one ``append`` makes durable; it survives whole or not at all. Commit 0 holds one record,
the header. ``crc`` covers salt, sequence, size and records: the salt, which a peer never
learns, keeps bytes that he sent from passing for a commit. ``chain`` is the SHA-256 of the
chain before and of this commit up to ``crc``, its first 16 bytes; the first follows the salt.

Every function here blocks; an event loop calls them in a thread.
"""

import hashlib
import os
import secrets
import stat
import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from matcha_p2p.errors import JournalError

MAGIC: Final = b"matcha journal 1"
MARK: Final = b"\xf0MJ\n"
HEADER_KIND: Final = 0

_SALT_SIZE: Final = 16
_START_SIZE: Final = len(MAGIC) + _SALT_SIZE
_HEAD: Final = struct.Struct(">4sII")
_TAIL: Final = struct.Struct(">I16s")
_RECORD: Final = struct.Struct(">BI")

_POSIX: Final = sys.platform != "win32"
_OPEN_FLAGS: Final = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)


@dataclass(frozen=True, slots=True)
class Record:
    """One thing to remember. kind: 1 .. 255, the caller's to choose; body: any bytes."""

    kind: int
    body: bytes


@dataclass(frozen=True, slots=True)
class _Position:
    """Where the next commit goes in the chain."""

    salt: bytes
    sequence: int
    chain: bytes

    def encode(self, records: Sequence[Record]) -> tuple[bytes, "_Position"]:
        """Return the commit of ``records`` and the position after it."""
        payload = b"".join(
            _RECORD.pack(record.kind, len(record.body)) + record.body for record in records
        )
        content = _HEAD.pack(MARK, self.sequence, len(payload)) + payload
        chain = self._chain_after(content)
        return content + _TAIL.pack(_crc(self.salt, content), chain), self._next(chain)
    ...
