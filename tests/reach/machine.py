"""The needs of networks of namespaces, and their making."""

import os
import shutil
import subprocess
import sys
from pathlib import Path


def lacking(*devices: str) -> str | None:
    """Return a missing need of namespaces and ``devices`` on this machine, or None."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "Linux and root"
    missing = [tool for tool in ("ip", "nft") if shutil.which(tool) is None]
    missing += [device for device in devices if not Path(device).exists()]
    if missing:
        return missing[0]
    probe = f"m{os.getpid()}-probe"
    try:
        run(f"ip netns add {probe}")
        run(f"ip netns del {probe}")
    except subprocess.CalledProcessError:
        return "network namespaces"
    return None


def run(words: str, text: str | None = None) -> None:
    """Run a command, which must not fail. text: what it reads."""
    subprocess.run(words.split(), input=text, text=True, check=True, capture_output=True)
