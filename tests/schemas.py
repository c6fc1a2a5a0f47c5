"""The part of JSON Schema that protocol/schemas uses.

``python -m tests.schemas --write`` writes the schemas that follow from the types of a game.
"""

import json
import re
import sys
from importlib import import_module
from pathlib import Path

from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.plain import form_of
from matcha_p2p.seats import Seat

FOLDER = Path(__file__).parents[1] / "protocol" / "schemas"
SCHEMAS = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")
}
STRUCTURE = {
    *("$schema", "$ref", "$defs", "title", "properties", "additionalProperties", "items"),
    *("oneOf", "anyOf", "description", "prefixItems"),
}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


OPEN = [SCHEMAS[name] for name in ("facts", "matcha", "tichu", "kashi")]
"""Later versions may add fields to these objects: only tests refuse an unknown field."""


def faults(value, name="bots"):
    """Return the faults of ``value`` by the schema ``name``, a line a fault."""
    return _faults(value, SCHEMAS[name], SCHEMAS[name], "$")


def _faults(value, schema, root, where):
    closed = not schema.get(
        "additionalProperties", not any(root is each for each in OPEN) or "anyOf" in schema
    )
    found = _own_faults(value, schema, where, closed=closed)
    if found:
        return found
    if "$ref" in schema:
        found += _faults(value, *_named(schema["$ref"], root), where)
    for key, fit in (("oneOf", lambda count: count == 1), ("anyOf", bool)):
        kinds = [_faults(value, one, root, where) for one in schema.get(key, ())]
        if kinds and not fit(kinds.count([])):
            nearest = min(kinds, key=lambda each: (not _is_deep(each), len(each)))
            found.append(f"{where}: {kinds.count([])} of the kinds fit, {nearest}")
    if isinstance(value, dict):
        for key in value.keys() & schema.get("properties", {}).keys():
            found += _faults(value[key], schema["properties"][key], root, f"{where}.{key}")
    if isinstance(value, list):
        kinds = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
        for at, (item, one) in enumerate(zip(value, kinds, strict=False)):
            found += _faults(item, one, root, f"{where}[{at}]")
    return found


def _is_deep(found):
    """Tell whether a kind fits but for its fields: the name of its event does."""
    return not any(".event:" in fault or ".format:" in fault for fault in found)


def _named(reference, root):
    """Return the definition, and the schema in which the definition stands."""
    file, _, name = reference.partition("#")
    root = SCHEMAS[file.removesuffix(".json")] if file else root
    return root["$defs"][name.removeprefix("/$defs/")] if name else root, root


def _own_faults(value, schema, where, *, closed):
    unknown = schema.keys() - CHECKS.keys() - STRUCTURE
    assert not unknown, unknown
    found = [
        f"{where}: {key}"
        for key in schema
        if key in CHECKS and not CHECKS[key](value, schema[key])
    ]
    if isinstance(value, dict) and closed and "properties" in schema:
        strange = value.keys() - schema["properties"].keys() - {"v"}  # the version of all lines
        found += [f"{where}.{key}: unknown" for key in sorted(strange)]
    return found


def _is_type(value, name):
    if isinstance(name, list):
        return any(_is_type(value, each) for each in name)
    if name in ("integer", "number"):
        kinds = int if name == "integer" else int | float
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


CHECKS = {
    "type": _is_type,
    "const": lambda value, other: value == other,
    "enum": lambda value, others: value in others and not isinstance(value, bool),
    "pattern": lambda value, pattern: (
        isinstance(value, str) and bool(re.search(pattern, value))
    ),
    "minimum": lambda value, least: not _is_type(value, "number") or value >= least,
    "maximum": lambda value, most: not _is_type(value, "number") or value <= most,
    "minItems": lambda value, least: not isinstance(value, list) or len(value) >= least,
    "maxItems": lambda value, most: not isinstance(value, list) or len(value) <= most,
    "required": lambda value, names: isinstance(value, dict) and set(names) <= value.keys(),
}


SEAT = form_of(Seat).schema
WRITTEN = ("matcha", "tichu", "kashi")
"""The games whose schemas follow from the types; ``export.json`` lists them."""


def written(game):
    """Return the schema of the game's plain values. Each part with a title stands once."""
    exchange, parts = game_of(game).exchange, {}
    view = exchange.view.schema
    added = {
        "edition": {"enum": [*exchange.editions]},
        "legal": {"type": "array", "items": {"type": "string"}},
    }
    events = [*map(_as_fact, _events(game)["anyOf"])]
    parts["Export"] = _parted(_export(game), parts)
    parts["Fact"] = _parted({"anyOf": events}, parts)
    observation = {
        **view,
        "required": [*added, *view["required"]],
        "properties": {**added, **view["properties"]},
    }
    _parted(observation, parts)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The plain values of {game_of(game).title}, written by tests/schemas.py",
        "$defs": dict(sorted(parts.items())),
    }


def _export(game):
    """Return the schema of an export: what all have, around what the game alone has."""
    export = game_of(game).export
    fields = {
        "format": {"const": f"{game}-game"},
        "v": {"const": 1},
        "variant": {"type": ["string", "null"]},
        "verdict": {"enum": ["COMPLETE", "DECIDED", "RESIGNED", "UNFINISHED"]},
        **export.game.schema["properties"],
        "result": {"anyOf": [export.end.schema, {"type": "null"}]},
    }
    about = {"description": export.game.schema["description"], "type": "object"}
    return {**about, "required": [*fields], "properties": fields}


def _events(game):
    """Return the schema of the events of a game."""
    forms = import_module(f"{FOLDERS[game]}.table.forms")
    form = forms.events_on(shipped_board()) if game == "kashi" else forms.EVENT
    return form.schema


def _as_fact(event):
    """Return the schema of an event as a fact: its kind is the name of the fact."""
    kind, *names = event["required"]
    fields = {"event": event["properties"][kind]}
    fields |= {name: event["properties"][name] for name in names}
    if fields["event"]["const"] == "met":
        fields["seat"] = {"anyOf": [SEAT, {"type": "null"}]}
    about = {"description": event["description"], "required": [*fields]}
    return {**about, "properties": fields}


def _parted(schema, parts):
    """Return the schema with references to its parts, and add the parts."""
    if isinstance(schema, list):
        return [_parted(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    title = schema.get("title")
    own = {key: _parted(each, parts) for key, each in schema.items() if key != "title"}
    if not isinstance(title, str):
        return own if title is None else {**own, "title": _parted(title, parts)}
    assert parts.setdefault(title, own) == own, title
    return {"$ref": f"#/$defs/{title}"}


def text_of(schema):
    text = json.dumps(schema, indent=1, ensure_ascii=False)
    lists = re.compile(r"\[\s+([^\[\]{}]*?)\s+\]")
    return lists.sub(lambda found: f"[{' '.join(found[1].split())}]", text) + "\n"


if __name__ == "__main__" and "--write" in sys.argv:
    for name in WRITTEN:
        (FOLDER / f"{name}.json").write_text(text_of(written(name)), encoding="utf-8")
