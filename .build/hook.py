"""What hatch runs before it packs the package, for an editable install too."""

from __future__ import annotations  # for Pythons that are too old, see below

import os
import runpy
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLATFORM = "MATCHA_PLATFORM"
"""The variable that names the platform of a wheel for others, ``any`` for all, without C."""


class Hook(BuildHookInterface):
    """Makes the files that are not committed."""

    def dependencies(self) -> list[str]:
        """Return what a build for another platform needs: the compiler for all of them."""
        wanted = os.environ.get(PLATFORM, "any")
        return [] if wanted == "any" else [_run(Path(self.root), "libraries")["ZIG"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 -- overrides hatch's method
        """Compile translations and libraries, and write pages for man; pack them."""
        python = ".".join(map(str, sys.version_info[:3]))
        if python not in self.metadata.core.python_constraint:
            return  # pip reads requires-python of the built package, and refuses that
        root = Path(self.root)
        _run(root, "catalogues")["compile_all"](root)
        build_data["shared_data"] = _run(root, "manual")["write_all"](root)
        wanted = os.environ.get(PLATFORM)
        if wanted == "any":
            return
        libraries = _run(root, "libraries")
        if wanted:
            build_data["force_include"] = libraries["compile_for"](root, wanted)
        elif libraries["compile_all"](root):
            build_data["artifacts"] = ["*.so"]  # git ignores them
            wanted = libraries["platform"]()
        if wanted:
            # A library has nothing of Python in it: any 3 on this platform will do.
            build_data["tag"] = f"py3-none-{wanted}"
            build_data["pure_python"] = False


def _run(root: Path, name: str) -> dict[str, Any]:
    return runpy.run_path(str(root / ".build" / f"{name}.py"))
