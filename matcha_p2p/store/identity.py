"""The key by which other players recognise this player, made when first needed.

In each game, the identity key signs only the keys made for the game (SECURITY#long-term). Every
function here that takes a home blocks.
"""

import stat
import sys
from secrets import token_bytes
from typing import Final

from matcha_p2p.errors import HomeError
from matcha_p2p.session.storage.files import read_file
from matcha_p2p.store.home import Home, home_errors

KEY_SIZE: Final = 32
WORDS: Final = 6
_CONSONANTS: Final = "bdfghjklmnprstvz"
_VOWELS: Final = "aiou"


def own_identity(home: Home) -> bytes:
    """Return the 32-byte seed of this player's identity; make a seed if the home has none.

    Raises:
        HomeError: the file cannot be used, is damaged, or is not for the owner's eyes only.
    """
    path = home.identity
    with home_errors(path):
        try:
            seed = read_file(path, KEY_SIZE + 1, follow=False)
        except FileNotFoundError:
            home.keep_identity(token_bytes(KEY_SIZE))
            seed = read_file(path, KEY_SIZE + 1, follow=False)
        if sys.platform != "win32" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise HomeError(
                "Other users can read {path}. If the file is yours: chmod go= {path}",
                code="identity-open",
                path=path,
            )
    if len(seed) != KEY_SIZE:
        raise HomeError(
            "{path} is damaged. Restore the file from a backup, or remove it: then you are a "
            "new player to others.",
            code="identity-damaged",
            path=path,
        )
    return seed


def key_words(key: bytes) -> str:
    """Return six words that stand for ``key``, the same in every language.

    Each word encodes 16 of the first 96 bits, as a proquint (D. S. Wilkerson, arXiv 0901.4016).
    """
    return " ".join(_word(int.from_bytes(key[2 * n : 2 * n + 2], "big")) for n in range(WORDS))


def _word(number: int) -> str:
    """Return 16 bits as a word: 4 bits for each consonant, 2 for each vowel."""
    parts = ((12, _CONSONANTS), (10, _VOWELS), (6, _CONSONANTS), (4, _VOWELS), (0, _CONSONANTS))
    return "".join(letters[number >> shift & len(letters) - 1] for shift, letters in parts)
