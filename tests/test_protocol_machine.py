"""protocol/machine.toml and the code are one machine: every step and every refusal."""

from collections.abc import Iterator
from functools import cache

import pytest

from matcha_p2p.games import FOLDERS
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import Action
from tests.machines import walk as machines
from tests.machines.kashi import Kashi
from tests.machines.matcha import Matcha
from tests.machines.tichu import Tichu
from tests.machines.walk import MACHINE, VERBS, Machine, Position, Walk, stages

pytestmark = pytest.mark.slow
GAMES: dict[str, tuple[Machine, int]] = {
    "matcha": (Matcha(), 2),
    "tichu": (Tichu(), 4),
    "kashi": (Kashi(), 4),
}
"""The machine of each game, and its most seats."""
each_game = pytest.mark.parametrize("name", GAMES)


@cache
def walks(name: str) -> tuple[Walk, ...]:
    """Return every way walked."""
    return tuple(GAMES[name][0].walks())


def ways_on(name: str) -> Iterator[tuple[str, int, machines.Row]]:
    for stage, row in stages(GAMES[name][0]).items():
        for number, way in enumerate(row["then"]):
            yield stage, number, way


def verbs_of(name: str) -> set[str]:
    steps = {row["step"] for row in stages(GAMES[name][0]).values()}
    return {debt["verb"] for step in steps for debt in MACHINE["step"][step]} | {"HELLO"}


def actions() -> Iterator[tuple[str, Seat, str]]:
    """Yield each game, author and name of an action."""
    for name, (machine, seats) in GAMES.items():
        verbs = sorted(verbs_of(name) - {"MOVE"})
        for seat in range(seats):
            for action in (*verbs, *(f"MOVE {move}" for move in machine.moves)):
                yield name, Seat(seat), action


def positions(name: str) -> list[Position]:
    """Return one position for each stage, number of seats and row of owed actions."""
    return [
        *{
            (position.stage, len(position.players), position.owing): position
            for walk in walks(name)
            for position in walk.positions
        }.values()
    ]


@cache
def samples(name: str) -> dict[str, Action]:
    """Return an action of each verb and move, of a foreign game if that game has one."""
    every = machines.samples(each for walk in walks(name) for each in walk.said)
    return every | machines.samples(GAMES[name][0].foreign().said)


def test_machine_has_stages_for_every_game():
    assert {row["game"] for row in MACHINE["stage"]} == {*FOLDERS} == {*GAMES}
    assert set.union(*map(verbs_of, GAMES)) == set(VERBS)


@each_game
def test_machine_takes_exactly_its_listed_ways(name: str):
    """``Walk`` has compared every step, order and debt on its way."""
    listed = {(stage, number) for stage, number, _ in ways_on(name)}
    assert set().union(*(walk.taken for walk in walks(name))) == listed


@each_game
def test_every_stage_is_reached_and_every_condition_is_used(name: str):
    machine, _ = GAMES[name]
    rows = stages(machine)
    assert {position.stage for position in positions(name)} - {"greeting"} == {*rows}
    used = {condition for _, _, way in ways_on(name) for condition in way.get("when", ())}
    assert used == set(MACHINE["condition"][name]) == set(machine.conditions)
    assert {move for row in rows.values() for move in row.get("moves", ())} == {*machine.moves}


def test_a_mixed_pile_is_opened_with_no_one_or_two_zeros():
    """Otherwise "open" would not have been walked in full."""
    shown = {
        sum(card.face == 16 for card in position.state.piles["mixed"])
        for walk in walks("matcha")
        for position in walk.positions
        if position.stage == "open"
    }
    assert {0, 1, 2} <= shown


@pytest.mark.parametrize(("name", "author", "action"), [*actions()])
def test_step_refuses_transitions_outside_the_table(name: str, author: Seat, action: str):
    """In every position, by each seat, every action: the check is one the table implies."""
    machine, _ = GAMES[name]
    said = samples(name)[action]
    for position in positions(name):
        if author < len(position.players):
            check = machines.refused(position, author, said)
            implied = machines.implied(machine, position, author, action)
            assert check in implied, (position.stage, position.owing)
