"""Libraries in C for work too slow in Python, compiled when the package was installed.

The libraries are plain shared libraries, not extension modules: they need no headers of
Python, and are the same for every version of Python. Each library lies beside its source.
"""

import functools
from ctypes import CDLL
from hashlib import sha256
from pathlib import Path
from typing import Final

from matcha_p2p.errors import BotError

FOLDER: Final = Path(__file__).parent
SOURCES: Final = ("round2", "search")

_MISSING: Final = (
    "The bot expert needs a library, which is compiled when matcha_p2p is installed. The "
    "library cannot be loaded: {why}. Install a C compiler and install matcha_p2p again, or "
    "choose the bot strong."
)
_OTHER: Final = "it was compiled from another source"


@functools.cache
def library(name: str) -> CDLL:
    """Load the library compiled from ``name``.c in this folder.

    Raises:
        BotError: the library is missing, cannot be loaded, or was compiled from another
            source.
    """
    try:
        found = CDLL(str(FOLDER / f"lib{name}.so"))
        made_of = getattr(found, f"{name}_source")()
    except (OSError, AttributeError) as error:
        raise BotError(_MISSING, why=error) from error
    digest = sha256((FOLDER / f"{name}.c").read_bytes()).digest()
    if made_of != int.from_bytes(digest[:4]) >> 1:
        raise BotError(_MISSING, why=_OTHER)
    return found


def see_all_load() -> None:
    """Load all libraries.

    Raises:
        BotError: a library cannot be loaded.
    """
    for name in SOURCES:
        library(name)
