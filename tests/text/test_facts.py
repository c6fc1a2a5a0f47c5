"""The list of facts of --json is complete."""

import ast
from functools import cache
from pathlib import Path

import matcha_p2p
from tests.schemas import SCHEMAS
from tests.text.tree import parsed


def named_by(call: ast.AST) -> str | None:
    """Return the event named in ``call``, None for other calls."""
    match call:
        case ast.Call(func=ast.Attribute(attr="fact"), args=[ast.Constant(str(event)), *_]):
            return event
        case _:
            return None


@cache
def told() -> set[str]:
    """Return the named events of the package."""
    sources = Path(matcha_p2p.__file__).parent.rglob("*.py")
    nodes = (node for path in sources for node in ast.walk(parsed(path)))
    return {event for node in nodes if (event := named_by(node)) is not None}


def test_every_event_that_is_told_is_in_the_schema_with_a_description():
    forms = SCHEMAS["facts"]["$defs"]["program"]["anyOf"]
    described = {form["properties"]["event"]["const"] for form in forms if form["description"]}
    assert told() <= described
    assert {"address", "firewall", "friend", "router"} <= told()
