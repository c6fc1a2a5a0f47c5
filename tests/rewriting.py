"""Import the package with its source changed on the way in; no file is touched."""

import ast
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, ModuleType

PACKAGE = Path(__file__).parent.parent / "matcha_p2p"

Change = Callable[[Path], ast.Module | None]


class ChangedLoader(importlib.machinery.SourceFileLoader):
    """Load a module of the package from ``tree``, never from a cache."""

    tree: ast.Module

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 -- the inherited form
        return compile(ast.fix_missing_locations(self.tree), self.path, "exec")


class ChangingFinder(importlib.abc.MetaPathFinder):
    """Find the modules of the package, and give those to change to the other loader."""

    def __init__(self, change: Change) -> None:
        self.change = change

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] != PACKAGE.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            tree = self.change(Path(spec.loader.path))
            if tree is not None:
                spec.loader = ChangedLoader(spec.loader.name, spec.loader.path)
                spec.loader.tree = tree
        return spec


def import_changed(change: Change) -> None:
    """Let every module of the package that is imported from now on be what ``change`` returns.

    change: gets the path of a module, returns its syntax tree, or None to leave it as it is.
    """
    sys.meta_path.insert(0, ChangingFinder(change))
