"""The string that lets one guest in: addresses, a port and a secret (SPEC#invite).

``matcha1`` and the bech32m of: version (1 byte), length of all these bytes (1), port (2,
big-endian), families (1), the addresses (4 or 16 bytes each), secret (16). ``families`` is in
binary a 1 and then a digit for each address, 0 for IPv4 and 1 for IPv6.
"""

from dataclasses import dataclass, field
from io import BytesIO
from ipaddress import IPv4Address, IPv6Address, ip_address
from itertools import accumulate
from typing import Final, Self, TypeAlias

from matcha_p2p.errors import InviteError
from matcha_p2p.transport import bech32m
from matcha_p2p.transport.noise import psk_from_secret

Address: TypeAlias = IPv4Address | IPv6Address

PREFIX: Final = "matcha"
VERSION: Final = 1
SECRET_SIZE: Final = 16
MOST_ADDRESSES: Final = 7
TEXT_LIMIT: Final = 4096
"""Most characters of a text that ``Invite.parse`` looks into."""

_START: Final = f"{PREFIX}1"
_SIZING_LETTERS: Final = 4  # hold version and length
_HEAD_SIZE: Final = 5  # version, length, port, families
_LONGEST: Final = len(_START) + bech32m.encoded_size(255)  # all that the length can say

_CUT_EARLY: Final = (
    "The invite is cut short: {arrived} characters arrived. Copy it again, whole; it may span "
    "two lines."
)
_CUT_SHORT: Final = (
    "The invite is cut short: {arrived} of {whole} characters arrived. Copy it again, whole; "
    "it may span two lines."
)
_TOO_LONG: Final = (
    "The invite has {extra} characters too many. Copy it again, and nothing else."
)
_MALFORMED: Final = "The invite is not one that this program makes."


@dataclass(frozen=True, slots=True)
class Invite:
    """The addresses of a host, and the secret that host and guest share.

    addresses: 1 to 7, without IPv6 zones. port: 1 .. 65535. secret: 16 random bytes, for one
    game; never shown except in the string.
    """

    addresses: tuple[Address, ...]
    port: int
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse what an invite cannot hold.

        Raises:
            InviteError: a field is out of its range.
        """
        if not 1 <= len(self.addresses) <= MOST_ADDRESSES:
            raise InviteError(
                "An invite has 1 to {most} addresses, not {count}.",
                code="invite-address",
                most=MOST_ADDRESSES,
                count=len(self.addresses),
            )
        if any(getattr(address, "scope_id", None) for address in self.addresses):
            raise InviteError(
                "An invite cannot name a network interface.", code="invite-address"
            )
        if not 1 <= self.port <= 65535:
            raise InviteError(
                "No invite leads to port {port}.", code="invite-port", port=self.port
            )
        if len(self.secret) != SECRET_SIZE:
            raise InviteError(
                "An invite's secret has {size} bytes.", code="invite-secret", size=SECRET_SIZE
            )

    @property
    def psk(self) -> bytes:
        """The 32-byte key of the channel that this invite opens."""
        return psk_from_secret(self.secret)

    def encode(self) -> str:
        """Return the string to hand to the guest, 53 to 226 letters and digits."""
        families = "1" + "".join("01"[address.version == 6] for address in self.addresses)
        body = b"".join(
            (
                self.port.to_bytes(2, "big"),
                bytes([int(families, 2)]),
                *(address.packed for address in self.addresses),
                self.secret,
            )
        )
        return bech32m.encode(PREFIX, bytes([VERSION, 2 + len(body)]) + body)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Find the one invite in ``text`` and read it.

        Chat around it, spaces, line breaks, quotes, dashes and capitals do no harm; a wrong
        letter is named and never put right.

        Raises:
            InviteError: there is none, or it is not whole and unaltered.
        """
        payload = _checked_payload(*_letters(text))
        if len(payload) < _HEAD_SIZE or payload[0] == 0:
            raise InviteError(_MALFORMED, code="invite-malformed")
        version, _, high, low, families = payload[:_HEAD_SIZE]
        if version > VERSION:
            raise InviteError(
                "The invite is of version {version}, and this program reads version {ours}. "
                "Update with: pipx upgrade matcha-p2p",
                code="invite-version",
                version=version,
                ours=VERSION,
            )
        sizes = [16 if family == "1" else 4 for family in f"{families:b}"[1:]]
        if len(payload) != _HEAD_SIZE + sum(sizes) + SECRET_SIZE:
            raise InviteError(_MALFORMED, code="invite-malformed")
        fields = BytesIO(payload[_HEAD_SIZE:])
        addresses = tuple(ip_address(fields.read(size)) for size in sizes)
        return cls(addresses, high << 8 | low, fields.read())


def _letters(text: str) -> tuple[str, frozenset[int]]:
    """Return the letters from "matcha1" on, and where among them a word of ``text`` ends."""
    if len(text) > TEXT_LIMIT:
        raise InviteError(
            "A text of {count} characters is no invite.", code="invite-long", count=len(text)
        )
    words = "".join(char if char.isalnum() else " " for char in text.lower()).split()
    joined = "".join(words)
    start = joined.rfind(_START)
    if start < 0:
        raise InviteError(
            'This is no invite: an invite begins with "{start}".',
            code="invite-prefix",
            start=_START,
        )
    return joined[start:], frozenset(end - start for end in accumulate(map(len, words)))


def _checked_payload(letters: str, ends: frozenset[int]) -> bytes:
    """Return the bytes that ``letters`` begin with, if they are whole and unaltered.

    What follows them is chat if a word ends where they end, and a mistake if not.
    """
    sizing = _symbols(letters[: len(_START) + _SIZING_LETTERS])
    if len(sizing) < _SIZING_LETTERS:
        raise InviteError(_CUT_EARLY, code="invite-cut", arrived=len(letters))
    size = (sizing[1] << 10 | sizing[2] << 5 | sizing[3]) >> 4 & 0xFF
    whole = len(_START) + bech32m.encoded_size(size)
    arrived = whole if whole in ends else len(letters)
    if arrived > _LONGEST:
        raise InviteError(_TOO_LONG, code="invite-long", extra=arrived - whole)
    symbols = _symbols(letters[:arrived])
    if arrived != whole or not bech32m.is_valid(PREFIX, symbols):
        raise _diagnose(letters[:arrived], symbols, whole)
    try:
        return bech32m.decode(symbols)
    except ValueError:
        raise InviteError(_MALFORMED, code="invite-malformed") from None


def _symbols(letters: str) -> list[int]:
    """Return the symbols of what follows "matcha1".

    Raises:
        InviteError: some letters occur in no invite; it names the first.
    """
    symbols = [bech32m.ALPHABET.find(letter) for letter in letters[len(_START) :]]
    if -1 in symbols:
        raise _wrong_letter(letters, len(_START) + symbols.index(-1))
    return symbols


def _diagnose(letters: str, symbols: list[int], whole: int) -> InviteError:
    """Say what has happened to letters that are not valid. whole: how many there should be."""
    place = bech32m.wrong_place(PREFIX, symbols)
    if place is not None:
        return _wrong_letter(letters, len(_START) + place)
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
