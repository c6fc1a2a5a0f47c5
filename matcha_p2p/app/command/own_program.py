"""The command that starts this program again: no other code starts a Python process.

By default, Python looks for modules in the current folder first. People run commands in folders
where they download files of strangers.
"""

import sys
from pathlib import PurePath
from typing import Final

_RUN: Final = "import sys; sys.path[:] = {places!a}; from matcha_p2p.cli import main; main()"


def own_program(*words: str) -> list[str]:
    """Return the command that runs ``matcha`` with ``words`` in another process.

    The other process finds modules in the same places as this process, for example in the
    folder of an unpacked zipapp. A bundle such as PyInstaller's has no interpreter, so the
    bundle is started.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, *words]
    # A relative place, such as "", leads to the current folder.
    places = [place for place in sys.path if PurePath(place).is_absolute()]
    return [sys.executable, "-P", "-c", _RUN.format(places=places), *words]
