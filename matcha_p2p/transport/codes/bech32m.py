"""bech32m: bytes as letters for a chat, with a checksum against mistakes.

A *symbol* is the number 0..31 of a letter in ALPHABET. Source: BIP 350 and BIP 173, without
the limit of 90 letters.
"""

from collections.abc import Sequence
from typing import Final

ALPHABET: Final = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
CHECKSUM_SIZE: Final = 6
"""Letters of the checksum, the last of a string."""

_GENERATORS: Final = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_VALID: Final = 0x2BC830A3


def encoded_size(byte_count: int) -> int:
    """Return the number of letters for ``byte_count`` bytes, with the checksum."""
    return (8 * byte_count + 4) // 5 + CHECKSUM_SIZE


def encode(prefix: str, payload: bytes) -> str:
    """Return ``prefix``, the digit 1, and the letters of ``payload`` and of the checksum."""
    symbols = _to_symbols(payload)
    residue = _residue(prefix, [*symbols, *bytes(CHECKSUM_SIZE)]) ^ _VALID
    shifts = range(5 * (CHECKSUM_SIZE - 1), -1, -5)
    checksum = [residue >> shift & 31 for shift in shifts]
    return f"{prefix}1" + "".join(ALPHABET[symbol] for symbol in (*symbols, *checksum))


def is_valid(prefix: str, symbols: Sequence[int]) -> bool:
    """Tell whether the last six symbols are the checksum of ``prefix`` and the others."""
    return _residue(prefix, symbols) == _VALID


def wrong_place(prefix: str, symbols: Sequence[int]) -> int | None:
    """Return the place of the only wrong symbol, or None if several are wrong.

    symbols: symbols of a wrong checksum. The residue is linear: a single mistake appears in the
    residue, shifted by the later symbols.
    """
    mistake = _residue(prefix, symbols) ^ _VALID
    for place in reversed(range(len(symbols))):
        if mistake < 32:
            return place
        mistake = _unshift(mistake)
    return None


def decode(symbols: Sequence[int]) -> bytes:
    """Return the bytes of valid symbols.

    Raises:
        ValueError: the bits left over are not as few as can be, or not zero.
    """
    content = symbols[:-CHECKSUM_SIZE]
    number = 0
    for symbol in content:
        number = number << 5 | symbol
    size, padding = divmod(5 * len(content), 8)
    if padding >= 5 or number & (1 << padding) - 1:
        raise ValueError("bits left over")
    return (number >> padding).to_bytes(size, "big")


def _to_symbols(payload: bytes) -> list[int]:
    count = encoded_size(len(payload)) - CHECKSUM_SIZE
    number = int.from_bytes(payload, "big") << 5 * count - 8 * len(payload)
    return [number >> shift & 31 for shift in range(5 * (count - 1), -1, -5)]


def _residue(prefix: str, symbols: Sequence[int]) -> int:
    letters = prefix.encode("ascii")
    residue = 1
    for symbol in (
        *(code >> 5 for code in letters),
        0,
        *(code & 31 for code in letters),
        *symbols,
    ):
        residue = _shift(residue) ^ symbol
    return residue


def _shift(residue: int) -> int:
    """Return the residue after a further symbol 0."""
    top = residue >> 25
    residue = (residue & 0x1FFFFFF) << 5
    for bit, generator in enumerate(_GENERATORS):
        if top >> bit & 1:
            residue ^= generator
    return residue


_TOPS: Final = {_shift(top << 25) & 31: top for top in range(32)}


def _unshift(residue: int) -> int:
    """Return the residue before a further symbol 0."""
    top = _TOPS[residue & 31]
    return (residue ^ _shift(top << 25)) >> 5 | top << 25
