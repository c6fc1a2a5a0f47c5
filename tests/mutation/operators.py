"""Every small change that is made to a module: its mutants.

A mutant changes one place of the syntax tree: a comparison, an operator, a constant, a check's
name, a condition, the order of two arguments, a statement or a case that is left out. What
cannot change the outcome of a game is not touched: the texts of errors, docstrings,
annotations, decorators, imports, ``__all__``, and ``assert_never``.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.rewriting import BOUNDARY, PACKAGE, Place, places, with_own_names

OPPOSITE = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
FUNCTIONS = {"any": "all", "all": "any", "min": "max", "max": "min", "sorted": "list"}
UNORDERED = {"isinstance", "max", "min"}  # whose arguments are not swapped
CONDITIONS = {
    (ast.If, "test"),
    (ast.IfExp, "test"),
    (ast.While, "test"),
    (ast.match_case, "guard"),
    (ast.comprehension, "ifs"),
}
PARTS = ast.stmt | ast.match_case | ast.excepthandler


@dataclass(frozen=True)
class Mutant:
    """One change of one module.

    function: the qualified name of the outermost function around the change, or empty. lines:
    first and last line of the statement, or of the head of a compound statement. name: place
    and change in readable form, the same while the statement stays the same.
    """

    module: Path
    tree: ast.Module
    function: str
    lines: tuple[int, int]
    place: Place
    new: ast.AST
    name: str

    def changed(self) -> ast.Module:
        """Return the tree with the change made: in place, so once in the life of a process."""
        self.place.put(self.new)
        return ast.fix_missing_locations(self.tree)


def mutants_of(package: str) -> list[Mutant]:
    """Return the mutants of all modules of a package, in the order of the source."""
    modules = sorted((PACKAGE / package).rglob("*.py"))
    return with_own_names(mutant for module in modules for mutant in _mutants(module))


@dataclass(frozen=True)
class _Spot:
    """A node on the way down. statement: the statement around the node, or a case."""

    node: ast.AST
    place: Place
    function: str
    statement: ast.AST


def _mutants(module: Path) -> Iterator[Mutant]:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    for spot in _spots(tree, "", "", tree):
        for new in _replacements(spot.node, spot.place):
            yield Mutant(
                module,
                tree,
                spot.function,
                _lines(spot.statement),
                spot.place,
                new,
                f"{module.relative_to(PACKAGE)} {_name(spot, new)}",
            )


def _spots(parent: ast.AST, scope: str, function: str, statement: ast.AST) -> Iterator[_Spot]:
    """Yield every changeable node below ``parent``."""
    for place in places(parent):
        node = place.node
        if _is_untouched(node, parent):
            continue
        inner = node if isinstance(node, PARTS) else statement
        yield _Spot(node, place, function, inner)
        match node:
            case ast.FunctionDef(name):
                outermost = function or f"{scope}{name}"
                yield from _spots(node, scope, outermost, inner)
            case ast.ClassDef(name):
                yield from _spots(node, f"{scope}{name}.", function, inner)
            case _:
                yield from _spots(node, scope, function, inner)


def _is_untouched(node: ast.AST, parent: ast.AST) -> bool:
    match node:
        case ast.Expr(ast.Constant()):  # a docstring
            return True
        case ast.Expr(ast.Call(ast.Name("assert_never"))):
            return True
        case ast.FunctionDef("__str__" | "__repr__"):
            return True
        case (
            ast.Assign([ast.Name("__all__")]) | ast.AnnAssign(annotation=ast.Name("TypeAlias"))
        ):
            return True
        case ast.JoinedStr() | ast.Constant(str()) if _is_text(node) or _is_cast(parent):
            return True
        case _:
            return False


def _is_text(node: ast.JoinedStr | ast.Constant) -> bool:
    """Tell whether a string is for people: sentences have a space."""
    return " " in ast.unparse(node)


def _is_cast(parent: ast.AST) -> bool:
    match parent:
        case ast.Call(ast.Name("cast")):
            return True
        case _:
            return False


def _replacements(node: ast.AST, place: Place) -> Iterator[ast.AST]:
    """Yield the replacements of ``node``."""
    if (type(place.parent), place.field) in CONDITIONS and not _negates_itself(node):
        assert isinstance(node, ast.expr)
        yield ast.UnaryOp(ast.Not(), node)
    match node:
        case ast.expr():
            yield from _logic(node)
            if not _is_set(node, place) and not isinstance(place.parent, ast.Raise):
                yield from _values(node)
        case ast.Raise() | ast.Expr(ast.Call()) | ast.AugAssign() | ast.Delete():
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case ast.match_case(pattern, _, body) if not _is_last_resort(node):
            yield ast.match_case(pattern, ast.Constant(value=False), body)
        case ast.MatchSingleton(bool(value)):
            yield ast.MatchSingleton(not value)
        case _:
            pass
    if isinstance(node, ast.match_case) and node.guard is not None:
        yield ast.match_case(node.pattern, None, node.body)


def _is_set(node: ast.AST, place: Place) -> bool:
    """Tell whether the order of a tuple has no meaning: ``in (0, 1)``, ``except (A, B)``."""
    around = ast.Compare | ast.ExceptHandler
    return isinstance(node, ast.Tuple) and isinstance(place.parent, around)


def _negates_itself(node: ast.AST) -> bool:
    """Tell whether the opposite of a condition is among the mutants of the condition."""
    match node:
        case ast.UnaryOp(ast.Not()) | ast.Compare(ops=[_]):
            return True
        case _:
            return False


def _is_last_resort(case: ast.match_case) -> bool:
    return ast.unparse(case.pattern) == "_"


def _logic(node: ast.AST) -> Iterator[ast.expr]:
    """Yield other decisions."""
    match node:
        case ast.Compare(left, ops, comparators):
            for at, op in enumerate(ops):
                for other in (BOUNDARY.get(type(op)), OPPOSITE[type(op)]):
                    if other is not None:
                        others = [*ops[:at], other(), *ops[at + 1 :]]
                        yield ast.Compare(left, others, comparators)
        case ast.BoolOp(junction, values):
            other_one = ast.Or() if isinstance(junction, ast.And) else ast.And()
            yield ast.BoolOp(other_one, values)
            for at in range(len(values)):
                rest = [*values[:at], *values[at + 1 :]]
                yield ast.BoolOp(junction, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(_, operand):
            yield operand
        case ast.IfExp(_, body, orelse):
            yield body
            yield orelse
        case _:
            pass


def _values(node: ast.AST) -> Iterator[ast.expr]:
    """Yield other numbers, parts, orders."""
    match node:
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.Constant(value):
            yield from (ast.Constant(other) for other in _constants(value))
        case ast.Attribute(ast.Name("Check") as enum, name, ctx):
            yield ast.Attribute(enum, "STATE" if name == "CHAIN" else "CHAIN", ctx)
        case ast.Slice(lower, upper, step):
            if lower is not None:
                yield ast.Slice(None, upper, step)
            if upper is not None:
                yield ast.Slice(lower, None, step)
        case ast.Tuple([first, second], ast.Load()) if _differ(first, second):
            yield ast.Tuple([second, first], ast.Load())
        case ast.Call(func, args, keywords):
            yield from _calls(func, args, keywords)
        case _:
            pass


def _differ(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) != ast.dump(other)


def _calls(
    func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]
) -> Iterator[ast.expr]:
    match func:
        case ast.Name(name) if name in FUNCTIONS:
            yield ast.Call(ast.Name(FUNCTIONS[name], ast.Load()), args, keywords)
        case ast.Name("replace"):
            for at in range(len(keywords)):
                yield ast.Call(func, args, [*keywords[:at], *keywords[at + 1 :]])
        case _:
            pass
    if isinstance(func, ast.Name) and func.id in UNORDERED:
        return
    for at in range(len(args) - 1):
        swapped = [*args[:at], args[at + 1], args[at], *args[at + 2 :]]
        if not isinstance(args[at + 1], ast.Starred) and _differ(*args[at : at + 2]):
            yield ast.Call(func, swapped, keywords)


def _constants(value: object) -> Iterator[int | str | bytes]:
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
            if value > 0:
                yield value - 1
        case str():
            yield f"'{value}"
        case bytes():
            yield b"'" + value
        case _:
            pass


def _lines(statement: ast.AST) -> tuple[int, int]:
    """Return the lines of a statement, without the body."""
    match statement:
        case ast.match_case(pattern, guard):
            return pattern.lineno, (guard or pattern).end_lineno
        case (
            ast.stmt(lineno=first, end_lineno=last)
            | ast.excepthandler(lineno=first, end_lineno=last)
        ):
            body = getattr(statement, "body", None) or getattr(statement, "cases", None)
            if body:
                start = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
                last = max(first, start.lineno - 1)
            return first, last
        case _:
            raise TypeError(f"no statement: {statement}")


def _name(spot: _Spot, new: ast.AST) -> str:
    """Return place and change: the head of the statement, and in brackets old and new code."""
    where = f"{spot.function}: " if spot.function else ""
    if isinstance(spot.node, ast.stmt | ast.match_case):
        return f"{where}[{_head(spot.node)} => {_head(new)}]"
    hole: ast.AST = ast.Name("HOLE", ast.Load())
    match spot.node:
        case ast.pattern():
            hole = ast.MatchAs(name="HOLE")
        case ast.Slice():
            hole = ast.Slice(ast.Name("HOLE", ast.Load()))
        case _:
            pass
    spot.place.put(hole)
    around = _head(spot.statement)
    spot.place.put(spot.node)
    change = f"[{ast.unparse(spot.node)} => {ast.unparse(new)}]"
    marked = "HOLE:" if isinstance(spot.node, ast.Slice) else "HOLE"
    return where + around.replace(marked, change)


def _head(node: ast.AST) -> str:
    """Write a statement, or the head of a compound statement, in one line."""
    lines = [line.strip() for line in ast.unparse(node).splitlines()]
    if isinstance(node, ast.Match) or getattr(node, "body", None):
        return next(line for line in lines if not line.startswith("@"))
    return " ".join(lines)
