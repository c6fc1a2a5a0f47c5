"""The answer code: the addresses of a guest who cannot reach the host (PEER#answer).

``matchareply1`` and the bech32m of: version (1 byte), length of all bytes (1), port (2), the
endpoints, tag (8). The port is the punch port, as shown by the guest's router. Only a holder of
the invite's secret can make the tag. The code itself is not secret.
"""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from itertools import accumulate
from typing import Final, Self

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from matcha_p2p.errors import InviteError
from matcha_p2p.transport.codes import bech32m
from matcha_p2p.transport.endpoints import Endpoint, EndpointList, Scope

PREFIX: Final = "matchareply"
VERSION: Final = 1
TAG_SIZE: Final = 8
LEAST_PORT: Final = 1024
"""The lowest port to dial: lower ports belong to well-known services."""

_HEAD_SIZE: Final = 4  # version, length, port
_MOST_LETTERS: Final = bech32m.encoded_size(255)  # all that the length can say
_TEXT_LIMIT: Final = 4096

_MALFORMED: Final = "This answer code is incomplete. Copy it again, from matchareply1 on."
_OTHER: Final = (
    "This answer code is for another invite. Ask for the code that your friend's program "
    "shows now."
)
_NOWHERE: Final = (
    "This answer code has no internet address that may be dialled; no connection was tried."
)


def is_reply(text: str) -> bool:
    """Tell whether ``text`` contains the beginning of an answer code."""
    return f"{PREFIX}1" in text.lower()


def dialable(endpoints: Iterable[Endpoint], own: Iterable[Endpoint]) -> tuple[Endpoint, ...]:
    """Return the endpoints of a code that we may dial.

    Global unicast addresses pass, except at well-known ports and except our ``own``: a code
    must not make us dial into our own network.
    """
    mine = {endpoint.address for endpoint in own}
    return tuple(
        endpoint
        for endpoint in dict.fromkeys(endpoints)
        if endpoint.scope is Scope.INTERNET
        and endpoint.port >= LEAST_PORT
        and endpoint.address not in mine
    )


@dataclass(frozen=True, slots=True)
class Reply:
    """Where the guest of an invite dials from. endpoints: 1 to 7."""

    endpoints: tuple[Endpoint, ...]

    def encode(self, secret: bytes) -> str:
        """Return the code for the host. secret: of the host's invite."""
        listed = EndpointList(self.endpoints)
        body = listed.port.to_bytes(2, "big") + listed.encode()
        message = bytes([VERSION, 2 + len(body) + TAG_SIZE]) + body
        return bech32m.encode(PREFIX, message + _tag(secret, message))

    @classmethod
    def parse(cls, text: str, secret: bytes) -> Self:
        """Find the answer code in ``text``, and return the reply.

        secret: of the answered invite.

        Raises:
            InviteError: ``text`` holds no code, or the code is cut, or for another invite.
        """
        payload = _payload(text)
        message, tag = payload[:-TAG_SIZE], payload[-TAG_SIZE:]
        if len(message) < _HEAD_SIZE or (payload[0], payload[1]) != (VERSION, len(payload)):
            raise InviteError(_MALFORMED, code="reply-malformed")
        if not hmac.compare_digest(tag, _tag(secret, message)):
            raise InviteError(_OTHER, code="reply-other")
        content = BytesIO(message)
        port = int.from_bytes(content.read(_HEAD_SIZE)[2:], "big")
        try:
            listed = EndpointList.decode(port, content)
        except ValueError:
            raise InviteError(_MALFORMED, code="reply-malformed") from None
        if content.read():
            raise InviteError(_MALFORMED, code="reply-malformed")
        return cls(listed.endpoints)

    def targets(self, own: Iterable[Endpoint]) -> tuple[Endpoint, ...]:
        """Return the endpoints that we may dial. own: our endpoints.

        Raises:
            InviteError: we may dial no endpoint of the code.
        """
        found = dialable(self.endpoints, own)
        if not found:
            raise InviteError(_NOWHERE, code="reply-address")
        return found


def _payload(text: str) -> bytes:
    """Return the bytes of the code in ``text``, after a check of the checksum."""
    words = "".join(
        char if char.isalnum() else " " for char in text[:_TEXT_LIMIT].lower()
    ).split()
    start = f"{PREFIX}1"
    letters = "".join(words).rpartition(start)[2]
    whole = [bech32m.ALPHABET.find(letter) for letter in letters]
    ends = _ends(words, len(letters))
    for size in ends:
        symbols = whole[:size]
        if -1 not in symbols and bech32m.is_valid(PREFIX, symbols):
            try:
                return bech32m.decode(symbols)
            except ValueError:
                break
    raise InviteError(_MALFORMED, code="reply-malformed")


def _ends(words: list[str], length: int) -> list[int]:
    """Return where words end among the last ``length`` letters: chat may follow the code."""
    before = sum(map(len, words)) - length
    ends = (end - before for end in accumulate(map(len, words)))
    return [end for end in ends if 0 < end <= _MOST_LETTERS]


def _tag(secret: bytes, message: bytes) -> bytes:
    key = HKDF(SHA256(), 32, salt=None, info=b"matcha/v1 reply key").derive(secret)
    return hmac.digest(key, message, sha256)[:TAG_SIZE]
