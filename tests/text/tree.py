"""The modules of the repository, each read and parsed once."""

import ast
from functools import cache
from pathlib import Path


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a module, which no test may change."""
    return ast.parse(path.read_text(encoding="utf-8"))
