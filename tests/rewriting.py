"""Change code as a syntax tree, and import the package changed; no file is touched."""

import ast
import importlib.abc
import importlib.machinery
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar

PACKAGE = Path(__file__).parent.parent / "matcha_p2p"

Change = Callable[[Path], ast.Module | None]
Named = TypeVar("Named", bound=Any)  # a dataclass with a name

BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
UNTOUCHED = {"annotation", "returns", "decorator_list", "type_params", "type_comment"}


@dataclass(frozen=True)
class Place:
    """Where a node stands: in the field of its parent, at an index if the field is a list."""

    parent: ast.AST
    field: str
    index: int | None

    @property
    def node(self) -> ast.AST:
        held = getattr(self.parent, self.field)
        return held if self.index is None else held[self.index]

    def put(self, node: ast.AST) -> None:
        """Put ``node`` there instead."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def places(parent: ast.AST) -> Iterator[Place]:
    """Yield where the nodes right below ``parent`` stand, annotations and decorators aside."""
    for field, value in ast.iter_fields(parent):
        if field in UNTOUCHED:
            continue
        if isinstance(value, ast.AST):
            yield Place(parent, field, None)
        elif isinstance(value, list):
            for index, node in enumerate(value):
                if isinstance(node, ast.AST):
                    yield Place(parent, field, index)


def with_own_names(changes: Iterable[Named]) -> list[Named]:
    """Return changes of which no two have one name."""
    met = Counter[str]()
    found = []
    for change in changes:
        met[change.name] += 1
        again = f" ({met[change.name]})" if met[change.name] > 1 else ""
        found.append(replace(change, name=change.name + again))
    return found


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
