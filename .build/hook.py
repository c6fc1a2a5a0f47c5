"""What hatch runs before it packs the package, for an editable install too."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    """Makes the files that are not committed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 -- overrides hatch's method
        """Compile translations and the fast engine beside their sources, and pack them."""
        root = Path(self.root)
        _run(root, "catalogues")["compile_all"](root)
        folder = root / "matcha_p2p" / "crypto"
        engine = _run(root, "engine")
        if engine["compiled"](folder / "fast.c", folder / "libfast.so"):
            # The library has nothing of Python in it: any 3 on this platform will do.
            build_data["tag"] = f"py3-none-{engine['platform']()}"
            build_data["pure_python"] = False


def _run(root: Path, name: str) -> dict[str, Any]:
    return runpy.run_path(str(root / ".build" / f"{name}.py"))
