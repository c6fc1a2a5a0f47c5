"""The command that starts this program again: nothing else starts a Python process.

Python puts the current folder first among the places of modules, unless it is told otherwise.
People run commands in folders to which they download what strangers send.
"""

import sys
from pathlib import PurePath
from typing import Final

_RUN: Final = "import sys; sys.path[:] = {places!a}; from matcha_p2p.cli import main; main()"


def own_program(*words: str) -> list[str]:
    """Return the command that runs ``matcha`` with ``words`` in another process.

    The other process takes modules from the places where this one finds them, for example the
    folder of an unpacked zipapp. A bundle such as PyInstaller's holds no interpreter and is
    started itself.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, *words]
    # A place that is relative, such as "", leads to the current folder.
    places = [place for place in sys.path if PurePath(place).is_absolute()]
    return [sys.executable, "-P", "-c", _RUN.format(places=places), *words]
