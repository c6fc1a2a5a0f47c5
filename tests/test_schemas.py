"""All that is printed fits protocol/schemas, which list all that the code lists."""

import json
from functools import cache

import pytest

from matcha_p2p import api
from matcha_p2p.games import game_of
from matcha_p2p.narration import facts
from matcha_p2p.session.news import GameEvent
from matcha_p2p.table.table import Table
from tests.schemas import SCHEMAS, WRITTEN, faults, written
from tests.vectors import FOLDER

games = pytest.mark.parametrize("game", api.GAMES)


@cache
def reports(game: str) -> tuple[api.Report, ...]:
    """Return the first of the game's vectors to accept."""
    folder = FOLDER / ("accept" if game == "matcha" else game)
    files = [file.read_bytes() for file in sorted(folder.glob("*.matcha"))]
    return tuple(map(api.verify, files[:30]))


def told(report):
    """Yield the facts of a game that a watcher hears."""
    teller = facts.FactTeller(game_of(report.game).telling, None)
    rules = game_of(report.game).rules
    for sound in report.accepted:
        if isinstance(sound.state, Table):
            for event in rules.told(sound.events):
                yield teller.tell(GameEvent(event, rules.state(sound.state)))


@games
def test_facts_of_a_game_fit_the_schema(game):
    found = set()
    for report in reports(game):
        for event, fields in told(report):
            line = json.loads(json.dumps({"v": 1, "event": event, **fields}))
            assert not faults(line, "facts")
            found.add(event)
    own = {
        "hand-seen",
        "gifts-given",
        "gifts-placed",
    }  # for a seat alone: conftest.py compares what sessions print
    assert listed(game) - own == found - own


@games
def test_export_fits_the_schema(game):
    for report in reports(game):
        if report.failure is None:
            assert not faults(json.loads(json.dumps(api.export(report))), "export")


def listed(group: str) -> set[str]:
    kinds = SCHEMAS.get(group, {}).get("$defs", {}).get("Fact")
    kinds = (kinds or SCHEMAS["facts"]["$defs"][group])["anyOf"]
    return {kind["properties"]["event"]["const"] for kind in kinds}


@pytest.mark.parametrize("game", WRITTEN)
def test_schema_of_a_game_follows_from_its_types(game):
    """If it does not: python -m tests.schemas --write."""
    assert SCHEMAS[game] == written(game)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("facts", {"event": "settled"}),
        ("facts", {"v": 2, "event": "settled"}),
        ("facts", {"v": 1, "event": "unheard-of"}),
        ("facts", {"v": 1, "event": "talk", "text": 1}),
        ("facts", {"v": 1, "event": "settled", "more": 1}),
        ("facts", {"v": 1, "event": "turn-passed"}),
        ("export", {"format": "kashi-game"}),
        ("export", {"format": "chess-game", "v": 1}),
    ],
)
def test_schema_refuses_other_values(name, value):
    assert faults(value, name)
