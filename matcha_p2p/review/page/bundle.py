"""JavaScript modules as one script, in which each is a function of its own.

The modules are ours and keep to two forms: imports stand at the beginning of a line, of names
and from a path; exports are functions, classes and constants. Comments, which fill whole lines,
and indentation are left out: that makes room in a page for a game of four more sets.
"""

import re
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from typing import Final

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:function|class|const) (\w+))", re.MULTILINE)
_COMMENT: Final = re.compile(
    r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL
)

_INDENTATION: Final = re.compile(r"^ +", re.MULTILINE)


def bundle(folder: Traversable, entry: str) -> str:
    """Return a script that runs the module ``entry`` of ``folder`` and what it imports.

    entry: its path inside the folder.
    """
    return "\n".join(_wrapped(folder, path) for path in dict.fromkeys(_in_order(folder, entry)))


def _in_order(folder: Traversable, path: str) -> Iterator[str]:
    """Yield the modules that ``path`` needs, and then itself."""
    for _, imported in _IMPORT.findall(_source(folder, path)):
        yield from _in_order(folder, _joined(path, imported))
    yield path


def _source(folder: Traversable, path: str) -> str:
    return folder.joinpath(*path.split("/")).read_text(encoding="utf-8")


def _joined(path: str, imported: str) -> str:
    """Return the path of a module that ``path`` imports: ./x.js or ../folder/x.js."""
    parts = path.split("/")[:-1]
    for part in imported.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _wrapped(folder: Traversable, path: str) -> str:
    source = _source(folder, path)
    exported = ", ".join(_EXPORT.findall(source))
    linked = _IMPORT.sub(
        lambda found: f"const {{{found[1]}}} = {_variable(_joined(path, found[2]))};", source
    )
    body = _INDENTATION.sub("", _COMMENT.sub("", _EXPORT.sub("", linked)))
    return f"const {_variable(path)} = (() => {{\n{body}return {{ {exported} }};\n}})();"


def _variable(path: str) -> str:
    return "module_" + re.sub(r"\W", "_", path.removesuffix(".js"))
