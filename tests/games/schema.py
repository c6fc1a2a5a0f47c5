"""The part of JSON Schema that protocol/bots.schema.json uses."""

import json
import re
from pathlib import Path

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "protocol" / "bots.schema.json").read_text(encoding="utf-8")
)
STRUCTURE = {"$schema", "title", "$defs", "properties", "additionalProperties", "items"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def faults(value, schema=SCHEMA, where="$"):
    """Return the faults of ``value``, a line a fault."""
    if "$ref" in schema:
        return faults(value, SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]], where)
    if "oneOf" in schema:
        fitting = [one for one in schema["oneOf"] if not faults(value, one, where)]
        return [] if len(fitting) == 1 else [f"{where}: {len(fitting)} of the kinds fit"]
    unknown = schema.keys() - CHECKS.keys() - STRUCTURE
    assert not unknown, unknown
    found = [
        f"{where}: {key}"
        for key in schema
        if key in CHECKS and not CHECKS[key](value, schema[key])
    ]
    if found:
        return found
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        if schema.get("additionalProperties", True) is False:
            found += [f"{where}.{key}: unknown" for key in value.keys() - properties.keys()]
        for key in value.keys() & properties.keys():
            found += faults(value[key], properties[key], f"{where}.{key}")
    if isinstance(value, list) and "items" in schema:
        for at, item in enumerate(value):
            found += faults(item, schema["items"], f"{where}[{at}]")
    return found


def _is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


CHECKS = {
    "type": _is_type,
    "const": lambda value, other: value == other,
    "enum": lambda value, others: value in others and not isinstance(value, bool),
    "pattern": lambda value, pattern: (
        isinstance(value, str) and bool(re.search(pattern, value))
    ),
    "minimum": lambda value, least: value >= least,
    "maximum": lambda value, most: value <= most,
    "minItems": lambda value, least: len(value) >= least,
    "maxItems": lambda value, most: len(value) <= most,
    "required": lambda value, names: isinstance(value, dict) and set(names) <= value.keys(),
}
