"""Values as JSON has them, and back again: the plain form of a value follows from its type.

A record (a named tuple or a dataclass) is an object with the record's fields, a tuple is a
list, a set an ascending list, an enum member its value. One of several records is an object
whose "kind" is the class in words: ``TurnPassed`` is {"kind": "turn-passed", ...}. A mark in
the type says more: ``Annotated[int, number(0, 14)]``.

A value from another program is hostile: ``Form.read`` returns a value of the type, or says
where the plain value is wrong.
"""

import dataclasses
import enum
import inspect
import re
import reprlib
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    NewType,
    TypeAlias,
    TypeGuard,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from matcha_p2p.errors import CheckError
from matcha_p2p.seats import MOST_SEATS, Seat

T = TypeVar("T")
Plain: TypeAlias = Any
"""A bool, a number, a text, None, or lists and objects of them."""
Schema: TypeAlias = dict[str, Any]
"""A JSON Schema. A schema with a title is worth a definition of its own."""

MOST: Final = 1 << 20
"""More than any count in a game."""


class PlainError(ValueError):
    """A plain value is not of the form. place: of the fault, ``state.held[2]`` for example."""

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(f"{place}: {reason}".removeprefix(": ").removeprefix("."))
        self.reason: Final = reason
        self.place: Final = place


def _wrong(expected: str, found: Plain) -> PlainError:
    return PlainError(f"{expected} is expected, not {reprlib.repr(found)}")


def _list_in(plain: object, count: int | None = None) -> list[Plain]:
    if not _is_list(plain):
        raise _wrong("a list", plain)
    if count is not None and len(plain) != count:
        raise _wrong(f"a list of {count}", plain)
    return plain


def _is_list(plain: object) -> TypeGuard[list[Plain]]:
    return type(plain) is list


def _within(step: str, error: ValueError | CheckError) -> PlainError:
    """Return ``error`` as the reader of the whole sees the error. step: down to the value."""
    if isinstance(error, PlainError):
        return PlainError(error.reason, step + error.place)
    return PlainError(str(error), step)


@dataclasses.dataclass(frozen=True, eq=False)
class Form(Generic[T]):
    """The plain form of a type. schema: describes the plain values to other programs.

    ``read`` raises a ValueError or CheckError for a plain value of another form.
    """

    write: Callable[[T], Plain]
    read: Callable[[Plain], T]
    schema: Schema

    def __call__(self, _: object) -> "Form[T]":
        """Take the place of the form that the type has: a form in a type is a mark."""
        return self


Leaves: TypeAlias = Mapping[Any, Form[Any]]
"""Forms that do not follow from the type: by the type."""
_NONE: Final[Leaves] = {}


def _same(value: T) -> T:
    return value


def _if(fits: Callable[[Plain], bool], expected: str, schema: Schema) -> Form[Any]:
    """Return the form of values that are plain already."""

    def read(plain: Plain) -> Any:  # noqa: ANN401 -- a value of the type
        if not fits(plain):
            raise _wrong(expected, plain)
        return plain

    return Form(_same, read, schema)


def number(least: int, most: int) -> Form[int]:
    """Return the form of the numbers from ``least`` to ``most``; true is no number."""
    return _if(
        lambda plain: type(plain) is int and least <= plain <= most,
        f"a number from {least} to {most}",
        {"type": "integer", "minimum": least, "maximum": most},
    )


def choice(values: Mapping[Any, T], title: str = "") -> Form[T]:
    """Return the form of one of several values. values: by the plain value of each."""
    plains = {value: plain for plain, value in values.items()}
    expected = f"one of {reprlib.repr([*values])}"

    def read(plain: Plain) -> T:
        if type(plain) not in (str, int) or plain not in values:
            raise _wrong(expected, plain)
        return values[plain]

    return Form(plains.__getitem__, read, {"enum": [*values], **_titled(title)})


def _titled(title: str) -> Schema:
    return {"title": title} if title else {}


def sized(count: int) -> Callable[[Form[T]], Form[T]]:
    """Return the mark of a list with ``count`` items."""

    def mark(form: Form[T]) -> Form[T]:
        def read(plain: Plain) -> T:
            return form.read(_list_in(plain, count))

        return Form(form.write, read, {**form.schema, "minItems": count, "maxItems": count})

    return mark


Natural: TypeAlias = Annotated[int, number(0, MOST)]
"""The number of some things."""


def form_of(kind: Any, leaves: Leaves = _NONE) -> Form[Any]:  # noqa: ANN401 -- any type
    """Return the form of the type ``kind``. leaves: take the place of what the types say.

    Raises:
        TypeError: a part of the type has no form.
    """
    if kind in leaves:
        return leaves[kind]
    base, args = get_origin(kind), get_args(kind)
    if base is Annotated:
        form: Form[Any] = form_of(args[0], leaves)
        for mark in args[1:]:
            form = mark(form)
        return form
    if base in (Union, types.UnionType):
        return _one_of([it for it in args if it is not types.NoneType], args, leaves)
    if base is tuple and args[-1] is not Ellipsis:
        return _row([form_of(it, leaves) for it in args])
    if base in (tuple, frozenset):
        return _list(base, form_of(args[0], leaves))
    return _SIMPLE[kind] if kind in _SIMPLE else _class(kind, leaves)


def _class(kind: object, leaves: Leaves) -> Form[Any]:
    if isinstance(kind, NewType):
        return form_of(kind.__supertype__, leaves)
    if hasattr(kind, "_fields") or hasattr(kind, "__dataclass_fields__"):
        return _record(cast("type", kind), leaves)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return choice({member.value: member for member in kind}, kind.__name__)
    raise TypeError(f"{kind} has no plain form")


def word_of(kind: type) -> str:
    """Return the class in words: "turn-passed" for ``TurnPassed``."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


def _read_hex(plain: Plain) -> bytes:
    try:
        return bytes.fromhex(plain)
    except (TypeError, ValueError):
        raise _wrong("bytes in hex", plain) from None


_SIMPLE: Final[Leaves] = {
    bool: _if(lambda it: type(it) is bool, "true or false", {"type": "boolean"}),
    int: number(-MOST, MOST),
    str: _if(lambda it: type(it) is str, "a text", {"type": "string"}),
    Seat: number(0, MOST_SEATS - 1),
    bytes: Form(bytes.hex, _read_hex, {"type": "string", "pattern": "^([0-9a-f]{2})*$"}),
}


def _list(kind: Callable[[list[Any]], Any], item: Form[Any]) -> Form[Any]:
    def write(values: Any) -> Plain:  # noqa: ANN401 -- a value of ``kind``
        return [item.write(it) for it in (sorted(values) if kind is frozenset else values)]

    def read(plain: Plain) -> Any:  # noqa: ANN401 -- a value of ``kind``
        items = _list_in(plain)
        return kind(_items(items, [item.read] * len(items)))

    return Form(write, read, {"type": "array", "items": item.schema})


def _row(items: Sequence[Form[Any]]) -> Form[Any]:
    writers, readers = [it.write for it in items], [it.read for it in items]
    row: Form[Any] = Form(
        lambda values: [write(it) for write, it in zip(writers, values, strict=True)],
        lambda plain: tuple(_items(plain, readers)),
        {"type": "array", "prefixItems": [it.schema for it in items]},
    )
    return sized(len(items))(row)


def _items(plains: list[Plain], readers: Sequence[Callable[[Plain], Any]]) -> list[Any]:
    found: list[Any] = []
    try:
        for read, plain in zip(readers, plains, strict=True):
            found.append(read(plain))
    except (ValueError, CheckError) as error:
        raise _within(f"[{len(found)}]", error) from None
    return found


def _record(kind: type, leaves: Leaves, word: str = "") -> Form[Any]:
    """Return the form of a record. word: the kind of the record, "" without other kinds."""
    hints = get_type_hints(kind, include_extras=True)
    names: Iterable[str] = getattr(kind, "_fields", getattr(kind, "__dataclass_fields__", ()))
    forms = {name: form_of(hints[name], leaves) for name in names}
    tag = {"kind": word} if word else {}
    if tag.keys() & forms.keys():
        raise TypeError(f"{kind} has a field with the name kind")
    writers = [(name, form.write) for name, form in forms.items()]
    readers = [(name, form.read) for name, form in forms.items()]

    def write(value: Any) -> Plain:  # noqa: ANN401 -- a value of ``kind``
        return {**tag, **{name: write(getattr(value, name)) for name, write in writers}}

    def read(plain: Plain) -> Any:  # noqa: ANN401 -- a value of ``kind``
        given = cast("dict[str, Plain]", plain) if type(plain) is dict else {}
        if not given.keys() >= forms.keys():
            raise _wrong(f"an object with {', '.join(forms)}", plain)
        values: list[Any] = []
        at = ""
        try:
            for at, read in readers:
                values.append(read(given[at]))
        except (ValueError, CheckError) as error:
            raise _within(f".{at}", error) from None
        return kind(*values)

    fields = {"kind": {"const": word}} if word else {}
    fields |= {name: form.schema for name, form in forms.items()}
    about = {"title": kind.__name__, "description": inspect.getdoc(kind)}
    schema = {**about, "type": "object", "required": [*fields], "properties": fields}
    return Form(write, read, schema)


def _one_of(kinds: list[Any], args: tuple[Any, ...], leaves: Leaves) -> Form[Any]:
    form = _tagged(kinds, leaves) if len(kinds) > 1 else form_of(kinds[0], leaves)
    if len(kinds) == len(args):
        return form
    return Form(
        lambda value: None if value is None else form.write(value),
        lambda plain: None if plain is None else form.read(plain),
        {"anyOf": [form.schema, {"type": "null"}]},
    )


def _tagged(kinds: list[Any], leaves: Leaves) -> Form[Any]:
    forms = {kind: _record(kind, leaves, word_of(kind)) for kind in kinds}
    readers = {word_of(kind): form.read for kind, form in forms.items()}

    def read(plain: Plain) -> Any:  # noqa: ANN401 -- a value of one of the kinds
        word = cast("dict[str, Plain]", plain).get("kind") if type(plain) is dict else None
        if type(word) is not str or word not in readers:
            raise _wrong(f"an object with a kind of {', '.join(readers)}", plain)
        return readers[word](plain)

    schema = {"anyOf": [form.schema for form in forms.values()]}
    return Form(lambda value: forms[type(value)].write(value), read, schema)
