"""What hatch runs before it packs the package, for an editable install too."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes the files that are not committed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile the translations; ``artifacts`` in pyproject.toml packs them."""
        root = Path(self.root)
        runpy.run_path(str(root / ".build" / "catalogues.py"))["compile_all"](root)
