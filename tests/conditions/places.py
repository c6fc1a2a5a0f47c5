"""Every condition of the independent verifier, and its replacements.

A *condition* is a part of the verifier's code:

* an operand of ``and``, ``or`` and ``not``, or a comparison (each link of a chain by itself)

* an argument of ``require`` and ``any`` or ``all``

* the test of an ``if``, or a pattern of a ``match``

Each condition is replaced by True and by False. A comparison by size is also replaced by the
comparison that differs for equal values. A pattern is also replaced by patterns for any value
and for longer lists. The lower or higher of two numbers is replaced by either.

In the files that transcribe boxes each *statement* is also left out; a return of None
or False becomes an error.
"""

import ast
import copy
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.judges import FOLDER, VERIFIER
from tests.rewriting import BOUNDARY, Place, places, with_own_names

# Functions that print a verdict are no part of the verifier.
REPORTS = {
    "main",
    "Verdict",
    "_as_json",
    "_as_text",
    "_conviction_as_json",
    "_conviction_as_text",
}


# Files whose numbered comments are the lines of boxes.
BOXES = ("matcha", "kashi", "kashi_turn", "tichu", "tichu_rules")


@dataclass(frozen=True)
class Change:
    """A condition or a statement, and a replacement.

    place: the number of the condition among all. differs: the value in a trial for which the
    change makes a difference: False, True, "equal", or None if unknown. wider: the replacement
    accepts more and refuses nothing more. line: of the source; 0 if unknown.
    """

    name: str
    place: int
    differs: bool | str | None
    make: Callable[[], None]
    undo: Callable[[], None]
    wider: bool = False
    line: int = 0


class Chains(ast.NodeTransformer):
    """Write ``a < b < c`` as ``a < b and b < c``, and match each pair as a pair."""

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        self.generic_visit(node)
        for case in node.cases:
            pattern = case.pattern
            for either in pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]:
                vars(either)["is_pair"] = isinstance(node.subject, ast.Tuple)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        terms = [node.left, *node.comparators]
        links = zip(terms, node.ops, terms[1:], strict=False)
        compared: list[ast.expr] = [
            ast.Compare(a, [op], [copy.deepcopy(b)]) for a, op, b in links
        ]
        return ast.BoolOp(ast.And(), compared)


@dataclass
class Function:
    """A function of the verifier, and how to give the function other code."""

    module: ModuleType
    name: str
    tree: ast.FunctionDef

    @cached_property
    def live(self) -> Any:  # a function; a FunctionType would be bound as a method
        owner, _, name = self.name.rpartition(".")
        holder = vars(getattr(self.module, owner)) if owner else vars(self.module)
        found = holder[name]
        for wrapper in ("fget", "func", "__wrapped__"):
            found = getattr(found, wrapper, found)
        return found

    @cached_property
    def code(self) -> CodeType:
        return self.live.__code__

    def compiled(self) -> CodeType:
        """Return the code of the current tree."""
        tree = copy.deepcopy(self.tree)
        tree.decorator_list = []
        namespace: dict[str, FunctionType] = {}
        module = ast.fix_missing_locations(ast.Module([tree], []))
        exec(compile(module, self.module.__name__, "exec"), vars(self.module), namespace)
        return namespace[tree.name].__code__

    def put(self, code: CodeType) -> None:
        self.live.__code__ = code
        for cached in ("decode_key", "hash_to_group"):
            getattr(VERIFIER["group"], cached).cache_clear()


@dataclass(frozen=True)
class Condition(Place):
    """A condition of a function, and its place."""

    function: Function

    def code_with(self, new: ast.AST) -> CodeType:
        """Return the code of the function with ``new`` in the place."""
        old = self.node
        self.put(new)
        try:
            return self.function.compiled()
        finally:
            self.put(old)


def functions() -> Iterator[Function]:
    """Yield the functions of the verifier; inner functions come with their outer function."""
    for name in sorted(VERIFIER):
        module = VERIFIER[name]
        file = FOLDER / f"{'__main__' if name == 'main' else name}.py"
        tree = Chains().visit(ast.parse(file.read_text(encoding="utf-8")))
        for node in tree.body:
            match node:
                case ast.FunctionDef(called) if name != "main" or called not in REPORTS:
                    yield Function(module, called, node)
                case ast.ClassDef(called, body=body) if called not in REPORTS:
                    methods = (item for item in body if isinstance(item, ast.FunctionDef))
                    yield from (Function(module, f"{called}.{m.name}", m) for m in methods)


def conditions() -> Iterator[Condition]:
    """Yield the conditions, in the order of the source."""
    for function in functions():
        yield from _conditions(function, function.tree)


def _conditions(function: Function, parent: ast.AST) -> Iterator[Condition]:
    for place in places(parent):
        node = place.node
        if _is_condition(place) or (function.module.__name__ in BOXES and _is_left_out(node)):
            yield Condition(parent, place.field, place.index, function)
        yield from _conditions(function, node)
        match node:
            case ast.Call(ast.Name("any" | "all"), [ast.GeneratorExp(elt) as each]):
                if not isinstance(elt, ast.Compare | ast.BoolOp):
                    yield Condition(each, "elt", None, function)


def _is_condition(place: Place) -> bool:
    match node := place.node:
        case ast.Compare():
            return True
        case ast.pattern():
            return bool(list(_wider(node)))
        case ast.BoolOp() | ast.UnaryOp(ast.Not()) | ast.GeneratorExp():
            return False
        case ast.expr_context() | ast.operator():
            return False
        case ast.Call(ast.Name("min" | "max"), [_, _], []):
            return True
    match place.parent, place.field:
        case (ast.BoolOp(), "values") | (ast.UnaryOp(ast.Not()), "operand"):
            return True
        case (ast.If() | ast.IfExp(), "test") | (ast.match_case(), "guard"):
            return True
        case ast.comprehension(), "ifs":
            return True
        case ast.Call(ast.Name("require")), "args":
            return place.index == 0
    return False


def _is_left_out(node: ast.AST) -> bool:
    match node:
        case ast.Expr(ast.Constant() | ast.Call(ast.Name("require"))):
            return False  # says what the function does, or is a condition
        case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Return():
            return True
    return False


def lines_of_boxes() -> Iterator[tuple[str, range]]:
    """Yield the name and the lines of source of each numbered line of a box.

    A comment numbers the line of the box that begins there.
    """
    for function in functions():
        if (module := function.module.__name__) not in BOXES:
            continue
        tree = function.tree
        source = (FOLDER / f"{module}.py").read_text(encoding="utf-8").splitlines()
        end = (tree.end_lineno or 0) + 1
        for line in range(end - 1, tree.lineno, -1):
            if found := re.search(r"# (\d)", source[line - 1]):
                yield f"{module}.py {function.name} {found[1]}", range(line, end)
                end = line


def changes() -> list[Change]:
    """Return all changes; the name of a change stays the same while the line does."""
    made = (change for n, place in enumerate(conditions()) for change in _changes(n, place))
    return with_own_names(made)


def _changes(number: int, place: Condition) -> Iterator[Change]:
    for differs, new in _replacements(place):
        old = ast.unparse(place.node)
        module = "__main__" if place.function.module is VERIFIER["main"] else None
        file = f"{module or place.function.module.__name__}.py"
        name = f"{file} {place.function.name}: {old} => {ast.unparse(new)}"
        wider = isinstance(new, ast.pattern)
        if wider and not _compiles(place, new):
            continue  # it leaves nothing for the cases behind it
        line = getattr(place.node, "lineno", 0)
        yield Change(name, number, differs, *_switch(place, new), wider, line)


def _compiles(place: Condition, new: ast.AST) -> bool:
    try:
        place.code_with(new)
    except SyntaxError:
        return False
    return True


def _switch(place: Condition, new: ast.AST) -> tuple[Callable[[], None], Callable[[], None]]:
    original = place.function.code

    def make() -> None:
        place.function.put(place.code_with(new))

    return make, lambda: place.function.put(original)


def _replacements(place: Condition) -> Iterator[tuple[bool | str | None, ast.AST]]:
    """Yield the replacements of a place, and the values for which each makes a difference."""
    node = place.node
    if isinstance(node, ast.pattern):
        yield from ((None, pattern) for pattern in _wider(node))
        return
    match node:
        case ast.Call(ast.Name("min" | "max"), [one, other]):
            yield None, one
            yield None, other
            return
        case ast.Return(None | ast.Constant(None | False)):
            yield True, ast.Raise()
            return
        case ast.stmt():
            yield True, ast.Pass()
            return
    yield False, ast.Constant(True)
    yield True, ast.Constant(False)
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in BOUNDARY:
            yield "equal", ast.Compare(left, [BOUNDARY[type(op)]()], [right])


def _wider(node: ast.pattern) -> Iterator[ast.pattern]:
    """Yield patterns that match more values."""
    match node:
        case ast.MatchClass(patterns=[]):
            yield ast.MatchAs()
        case ast.MatchClass(patterns=[pattern]):
            yield pattern
        case ast.MatchOr() | ast.MatchValue():
            yield ast.MatchAs()
        case ast.MatchSequence(patterns) if not getattr(node, "is_pair", False) and not any(
            isinstance(pattern, ast.MatchStar) for pattern in patterns
        ):
            yield ast.MatchSequence([*patterns, ast.MatchStar()])


# --- what is met ---------------------------------------------------------------------------

ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}


class Observed:
    """The verifier with each condition noting its values.

    met: pairs of a condition's number and True, False or "equal"; a pattern notes "met".
    """

    def __init__(self) -> None:
        self.met: set[tuple[int, bool | str | None]] = set()

    def __enter__(self) -> "Observed":
        found = list(conditions())
        by_function: dict[str, list[tuple[int, Condition]]] = {}
        for number, place in enumerate(found):
            key = f"{place.function.module.__name__} {place.function.name}"
            by_function.setdefault(key, []).append((number, place))
        self._changed = []
        for numbered in by_function.values():
            function = numbered[0][1].function
            # From the inside out: inner places are wrapped before the outer place.
            for number, place in reversed(numbered):
                if not isinstance(place.node, ast.pattern):
                    place.put(_noting(number, place.node))
            patterns = [n for n, place in numbered if isinstance(place.node, ast.pattern)]
            notes = [_call("observed", ast.Constant(n)) for n in patterns]
            function.tree.body[:0] = map(ast.Expr, notes)
            vars(function.module).update(self._noting())
            function.code  # noqa: B018 -- remembered before it is replaced
            function.put(function.compiled())
            self._changed.append(function)
        return self

    def __exit__(self, *_: object) -> None:
        for function in self._changed:
            function.put(function.code)
            for name in self._noting():
                vars(function.module).pop(name, None)

    def _noting(self) -> dict[str, Callable[..., object]]:
        """Return what the changed functions call, by names that no function has."""
        return {
            "observed": self._met,
            "observed_value": self._note,
            "observed_order": self._order,
        }

    def _met(self, number: int) -> None:
        self.met.add((number, "met"))

    def _note(self, number: int, value: object) -> object:
        self.met.add((number, bool(value)))
        return value

    def _order(self, number: int, left: object, right: object, order: str) -> object:
        if left == right:
            self.met.add((number, "equal"))
        return self._note(number, ORDERS[order](left, right))


def _noting(number: int, node: ast.AST) -> ast.AST:
    match node:
        case ast.stmt():
            return ast.If(
                _call("observed_value", *map(ast.Constant, (number, True))), [node], []
            )
        case ast.Compare(left, [op], [right]) if type(op) in BOUNDARY:
            order = ast.Constant(type(op).__name__)
            return _call("observed_order", ast.Constant(number), left, right, order)
        case ast.expr():
            return _call("observed_value", ast.Constant(number), node)
    raise TypeError(f"no condition: {ast.dump(node)}")


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
