"""Compile what the package has in C: while it is installed, or by zig for a wheel.

Without a compiler the package is installed all the same, and three parts do without C. The
native or the pure engine computes (matcha_p2p/crypto/engine.py). The bot expert does not play
(matcha_p2p/games/matcha/bots/solving/native.py). The bots of Tichu think in Python
(matcha_p2p/games/tichu/bots/solving/core.py).
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from itertools import product
from pathlib import Path

from packaging.tags import sys_tags

# gcc and clang know unsigned __int128 and these options; what else is called cc may not.
COMPILERS = ("cc", "gcc", "clang")
OPTIONS = ("-std=c11", "-O3", "-fPIC", "-shared")
# What a compiler does not know of the vectors of the newest processors is left out.
VARIANTS = ((), ("-DONLY_PLAIN",))
SOURCES: dict[str, tuple[str, ...]] = {
    # Its limbs are written one by one and read by twos: vectors would make it wait.
    "matcha_p2p/crypto/fast.c": ("-fno-tree-vectorize",),
    # Every processor is to find the same moves, so that none joins a product with a sum.
    "matcha_p2p/games/matcha/bots/solving/round2.c": ("-ffp-contract=off",),
    "matcha_p2p/games/matcha/bots/solving/search.c": ("-ffp-contract=off", "-lm"),
    "matcha_p2p/games/tichu/bots/solving/core.c": (),
}
ZIG = "ziglang==0.17.1"
"""The compiler for other platforms, as the index has it; it brings their C libraries."""

TARGETS = {
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "musllinux_1_2_x86_64": "x86_64-linux-musl",
    "musllinux_1_2_aarch64": "aarch64-linux-musl",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "win_amd64": "x86_64-windows-gnu",
    "win_arm64": "aarch64-windows-gnu",
}
"""The platforms that get a wheel with C, as tags of wheels, and what zig calls each."""


def library_of(source: Path) -> Path:
    """Return where the library made from ``source`` lies."""
    return source.with_name(f"lib{source.stem}.so")


def compile_all(root: Path) -> list[Path]:
    """Compile each library beside its source, and return those that could be.

    root: the checkout.
    """
    found = []
    for name, options in SOURCES.items():
        source = root / name
        if compiled(source, library_of(source), *options):
            found.append(library_of(source))
    return found


def compile_for(root: Path, platform: str) -> dict[str, str]:
    """Compile all libraries for another platform by zig, which runs on any machine.

    root: the checkout, whose own libraries stay. platform: of ``TARGETS``. Return the path of
    each library, and its place in the wheel.

    Raises:
        ValueError: no platform has this name.
        CalledProcessError: zig is not installed, or cannot compile a file.
    """
    if platform not in TARGETS:
        known = ", ".join(["any", *TARGETS])
        raise ValueError(f"MATCHA_PLATFORM is {platform!r}; it may be one of {known}")
    folder = root / ".build" / "compiled" / platform
    folder.mkdir(parents=True, exist_ok=True)
    zig = (sys.executable, "-m", "ziglang", "cc", "-target", TARGETS[platform], "-s")
    places: dict[str, str] = {}
    for name, options in SOURCES.items():
        place = library_of(Path(name))
        library = folder / place.name
        arguments = _arguments(root / name, library)
        subprocess.run([*zig, *arguments, *options], check=True)  # noqa: S603 -- this Python's own ziglang, no shell
        places[str(library)] = place.as_posix()
    return places


def _arguments(source: Path, library: Path) -> list[str]:
    digest = int.from_bytes(hashlib.sha256(source.read_bytes()).digest()[:4]) >> 1
    return [*OPTIONS, f"-DSOURCE={digest}", "-o", str(library), str(source)]


def compiled(source: Path, library: Path, *options: str) -> bool:
    """Try every compiler, with ``options`` after ours; tell whether there is a library now."""
    if sys.platform == "win32" or sys.maxsize < 2**32:  # no compiler to count on; no __int128
        return False
    named = os.environ.get("CC", "")
    compilers = (shlex.split(named), *([name] for name in COMPILERS))
    for compiler, variant in product(compilers, VARIANTS):
        if compiler and shutil.which(compiler[0]):
            command = [*compiler, *_arguments(source, library), *variant, *options]
            with suppress(OSError, subprocess.TimeoutExpired):
                done = subprocess.run(  # noqa: S603 -- $CC or a usual compiler, no shell
                    command, capture_output=True, timeout=120, check=False
                )
                if done.returncode == 0:
                    return True
    with suppress(OSError):  # a checkout that cannot be written to installs as well
        library.unlink(missing_ok=True)
    return False


def platform() -> str:
    """Return the plain tag of this platform; that of manylinux would promise other machines."""
    names = (tag.platform for tag in sys_tags())
    return next(n for n in names if not n.startswith(("manylinux", "musllinux")))
