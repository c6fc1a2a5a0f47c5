"""The invite, a string for a guest: endpoints, a punch port and a secret (PEER#invite).

``matcha1`` and the bech32m of: version (1 byte), length of all bytes (1), port (2, big-endian),
punch port (2, 0 for none), the endpoints, secret (16). An invite with ``matchawatch1`` lets
people watch only (PEER#watching).
"""

import enum
from dataclasses import dataclass, field
from io import BytesIO
from itertools import accumulate
from typing import Final, Self

from matcha_p2p.errors import InviteError
from matcha_p2p.transport.codes import bech32m
from matcha_p2p.transport.codes.reply import is_reply
from matcha_p2p.transport.endpoints import MOST_ENDPOINTS, Endpoint, EndpointList
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.noise import (
    psk_from_secret,
)

VERSION: Final = 2
SECRET_SIZE: Final = 16
TEXT_LIMIT: Final = 4096
"""The most characters of a text for ``Invite.parse``."""

_SIZING_LETTERS: Final = 4  # hold version and length
_HEAD_SIZE: Final = 6  # version, length, port, punch port
_MOST_LETTERS: Final = bech32m.encoded_size(255)  # all that the length can say

_CUT_EARLY: Final = (
    "The invite is cut short: {arrived} characters arrived. Copy it again, whole; it may span "
    "two lines."
)
_CUT_SHORT: Final = (
    "The invite is cut short: {arrived} of {whole} characters arrived. Copy it again, whole; "
    "it may span two lines."
)
_TOO_LONG: Final = "The invite has {extra} characters too many. Copy only the invite again."
_MALFORMED: Final = (
    "This program never makes such an invite. Copy it again, or ask for a new one."
)
_OTHER_VERSION: Final = (
    "The invite is of version {version}, and this program reads version {ours}. Both of you "
    "need the same matcha: install the latest one."
)
_TO_WATCH: Final = (
    "This invite lets you watch a game, not play. To play, ask the host for the invite that "
    'begins with "matcha1".'
)
_TO_PLAY: Final = (
    "This invite is for the guest who plays. To watch, ask the host for the invite that "
    'begins with "matchawatch1".'
)


class InviteKind(enum.Enum):
    """The purpose of an invite. The value is the prefix of the string, before the 1."""

    PLAY = "matcha"
    WATCH = "matchawatch"

    @property
    def start(self) -> str:
        """The first letters of an invite of this kind."""
        return f"{self.value}1"

    @property
    def other(self) -> "InviteKind":
        """The other kind."""
        return InviteKind.PLAY if self is InviteKind.WATCH else InviteKind.WATCH

    @property
    def info(self) -> bytes:
        """A label that gives each kind a different psk (PEER#invite, PEER#watching)."""
        return b"matcha/v1 invite psk" if self is InviteKind.PLAY else b"matcha/v1 watch psk"


@dataclass(frozen=True, slots=True)
class Invite:
    """The addresses of a host, and the secret of host and guest.

    endpoints: 1 to 7. secret: 16 random bytes for a single game, shown only in the string.
    punch_port: if nobody can dial the host, the port from which the host dials (PEER#invite),
    1 .. 65535; None if the host does not dial. An invite to play is good for a guest at each
    other seat.
    """

    endpoints: tuple[Endpoint, ...]
    secret: bytes = field(repr=False)
    punch_port: int | None = None
    kind: InviteKind = InviteKind.PLAY

    def __post_init__(self) -> None:
        """Refuse fields that do not fit in an invite.

        Raises:
            InviteError: a field is out of its range.
        """
        if not 1 <= len(self.endpoints) <= MOST_ENDPOINTS:
            raise InviteError(
                "An invite has 1 to {most} addresses, not {count}.",
                code="invite-address",
                most=MOST_ENDPOINTS,
                count=len(self.endpoints),
            )
        if len(self.secret) != SECRET_SIZE:
            raise InviteError(
                "An invite's secret has {size} bytes.", code="invite-secret", size=SECRET_SIZE
            )

    @property
    def psk(self) -> Psk:
        """The 32-byte key of the channel to the host."""
        return psk_from_secret(self.secret, self.kind.info)

    def encode(self) -> str:
        """Return the string to hand out, 58 to 255 letters and digits."""
        listed = EndpointList(self.endpoints)
        body = b"".join(
            (
                listed.port.to_bytes(2, "big"),
                (self.punch_port or 0).to_bytes(2, "big"),
                listed.encode(),
                self.secret,
            )
        )
        return bech32m.encode(self.kind.value, bytes([VERSION, 2 + len(body)]) + body)

    @classmethod
    def parse(cls, text: str, kind: InviteKind = InviteKind.PLAY) -> Self:
        """Find the invite of ``kind`` in ``text``, and return the invite.

        Chat around the invite, spaces, line breaks, quotes, dashes and capitals do no harm. A
        wrong letter is named but never corrected.

        Raises:
            InviteError: ``text`` holds no invite, or the invite is cut or altered.
        """
        payload = _checked_payload(kind, *_letters(text, kind))
        if not payload or payload[0] != VERSION:
            raise InviteError(
                _OTHER_VERSION,
                code="invite-version",
                version=payload[0] if payload else 0,
                ours=VERSION,
            )
        content = BytesIO(payload)
        head = content.read(_HEAD_SIZE)
        port, punch_port = int.from_bytes(head[2:4], "big"), int.from_bytes(head[4:], "big")
        try:
            listed = EndpointList.decode(port, content)
        except ValueError:
            raise InviteError(_MALFORMED, code="invite-malformed") from None
        secret = content.read()
        if len(secret) != SECRET_SIZE:
            raise InviteError(_MALFORMED, code="invite-malformed")
        return cls(listed.endpoints, secret, punch_port or None, kind)


def _letters(text: str, kind: InviteKind) -> tuple[str, frozenset[int]]:
    """Return the letters of ``text`` from the start of an invite of ``kind`` to the end.

    The set has the places among the letters at which a word of ``text`` ends.
    """
    if len(text) > TEXT_LIMIT:
        raise InviteError(
            "A text of {count} characters is no invite.", code="invite-long", count=len(text)
        )
    words = "".join(char if char.isalnum() else " " for char in text.lower()).split()
    joined = "".join(words)
    start = joined.rfind(kind.start)
    if start < 0 and kind.other.start in joined:
        if kind is InviteKind.PLAY:
            raise InviteError(_TO_WATCH, code="invite-watch")
        raise InviteError(_TO_PLAY, code="invite-play")
    if start < 0 and is_reply(joined):
        raise InviteError(
            "This is an answer code, which only the host can use. Paste the invite.",
            code="reply-invite",
        )
    if start < 0:
        raise InviteError(
            'This is no invite: an invite begins with "{start}".',
            code="invite-prefix",
            start=kind.start,
        )
    return joined[start:], frozenset(end - start for end in accumulate(map(len, words)))


def _checked_payload(kind: InviteKind, letters: str, ends: frozenset[int]) -> bytes:
    """Return the bytes of the invite at the beginning of ``letters``.

    If a word ends where the invite ends, later letters are chat. Otherwise they are a mistake.
    """
    before = len(kind.start)
    sizing = _symbols(letters[: before + _SIZING_LETTERS], before)
    if len(sizing) < _SIZING_LETTERS:
        raise InviteError(_CUT_EARLY, code="invite-cut", arrived=len(letters))
    size = (sizing[1] << 10 | sizing[2] << 5 | sizing[3]) >> 4 & 0xFF
    whole = before + bech32m.encoded_size(size)
    arrived = whole if whole in ends else len(letters)
    if arrived > before + _MOST_LETTERS:
        raise InviteError(_TOO_LONG, code="invite-long", extra=arrived - whole)
    symbols = _symbols(letters[:arrived], before)
    if arrived != whole or not bech32m.is_valid(kind.value, symbols):
        raise _diagnose(kind, letters[:arrived], symbols, whole)
    try:
        return bech32m.decode(symbols)
    except ValueError:
        raise InviteError(_MALFORMED, code="invite-malformed") from None


def _symbols(letters: str, before: int) -> list[int]:
    """Return the symbols of ``letters`` after the first ``before`` letters.

    Raises:
        InviteError: a letter occurs in no invite; the error names the first such letter.
    """
    symbols = [bech32m.ALPHABET.find(letter) for letter in letters[before:]]
    if -1 in symbols:
        raise _wrong_letter(letters, before + symbols.index(-1))
    return symbols


def _diagnose(kind: InviteKind, letters: str, symbols: list[int], whole: int) -> InviteError:
    """Return the error for invalid letters. whole: the expected number of letters."""
    place = bech32m.wrong_place(kind.value, symbols)
    if place is not None:
        return _wrong_letter(letters, len(kind.start) + place)
    if len(letters) < whole:
        return InviteError(_CUT_SHORT, code="invite-cut", arrived=len(letters), whole=whole)
    if len(letters) > whole:
        return InviteError(_TOO_LONG, code="invite-long", extra=len(letters) - whole)
    return InviteError(
        "The invite has several wrong letters. Copy it again.", code="invite-letter"
    )


def _wrong_letter(letters: str, index: int) -> InviteError:
    return InviteError(
        'The invite has a wrong letter, "{letter}" at place {place}. Compare it with the '
        "original, or copy it again.",
        code="invite-letter",
        letter=letters[index],
        place=index + 1,
    )
