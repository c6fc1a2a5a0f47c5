"""protocol/machine.toml, run beside the code, for any game."""

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pytest

from matcha_p2p.errors import ProtocolViolationError
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import Action, Hello, MoveAction, encode_action
from matcha_p2p.table.seat import Player
from matcha_p2p.table.step import Taken, length, step
from matcha_p2p.table.steps import Decide
from matcha_p2p.table.table import State, Table, next_due
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.entry import sign_entry

MACHINE = tomllib.loads(
    (Path(__file__).parents[2] / "protocol" / "machine.toml").read_text(encoding="utf-8")
)
VERBS, REFUSAL = MACHINE["verb"], MACHINE["refusal"]
Row = Mapping[str, Any]
Roles = dict[str, Seat]
Condition = Callable[[Roles, Table, Table], object]
"""The value of a condition: the roles, and the table before and after the action."""


@dataclass(frozen=True)
class Position:
    """A state that some game has come to, as the table and as the code see it."""

    stage: str
    owing: tuple[tuple[int, str], ...]
    state: State
    players: tuple[Player, ...]


class Machine(ABC):
    """The part of machine.toml about a game: the simplest part gives no roles."""

    name: ClassVar[str]
    conditions: ClassVar[Mapping[str, Condition]]
    moves: ClassVar[tuple[str, ...]]

    def know(self, roles: Roles, table: Table) -> None:
        """Add the roles that follow from the game itself."""
        del roles, table

    @abstractmethod
    def ordered(self, row: Row, roles: Roles, table: Table) -> Sequence[Seat]:
        """Return the seats of the order of a stage."""

    def owed(self, row: Row, roles: Roles, table: Table) -> Sequence[Seat]:
        """Return the seats of the order that owe something."""
        return self.ordered(row, roles, table)

    def reach(self, walk: "Walk", way: Row, event: Taken) -> str:
        """Return the stage that ``way`` leads to."""
        del walk, event
        return way["stage"]

    @abstractmethod
    def walks(self) -> Iterable["Walk"]:
        """Yield walks that together take every way."""

    @abstractmethod
    def foreign(self) -> "Walk":
        """Return a walk of a game of its own, whose coins and proofs fit no other game."""


def stages(machine: Machine) -> dict[str, Row]:
    return {row["name"]: row for row in MACHINE["stage"] if row["game"] == machine.name}


@dataclass
class Walk:
    """The stages of a game, run beside the code."""

    machine: Machine
    players: tuple[Player, ...]
    stage: str = "toss"
    owing: list[tuple[int, str]] = field(default_factory=list)
    roles: Roles = field(default_factory=dict)
    taken: set[tuple[str, int]] = field(default_factory=set)
    positions: list[Position] = field(default_factory=list)
    said: list[Action] = field(default_factory=list)

    @cached_property
    def rows(self) -> dict[str, Row]:
        return stages(self.machine)

    def begin(self, table: Table) -> None:
        """Enter the first stage; the last HELLO has brought the first COIN along."""
        self.machine.know(self.roles, table)
        self.enter("toss", table)
        assert self.owing.pop(0)[1] == "COIN"

    def enter(self, stage: str, table: Table) -> None:
        """Compare the stage with the step that the code asks for; note what is owed."""
        row, asked = self.rows[stage], table.step
        order = [*self.machine.ordered(row, self.roles, table)]
        assert type(asked).__name__ == row["step"]
        assert order == ([asked.seat] if isinstance(asked, Decide) else [*asked.order])
        assert getattr(asked, "label", None) == row.get("label")
        owed = self.machine.owed(row, self.roles, table)
        by = {"each": owed, "first": order[:-1], "last": order[-1:]}
        debts = MACHINE["step"][row["step"]]
        self.stage = stage
        self.owing = [(seat, debt["verb"]) for debt in debts for seat in by[debt["by"]]]

    def take(self, event: Taken) -> None:
        """Take an action: after the last of a step, exactly one way on must be allowed."""
        row = self.rows[self.stage]
        self.said.append(event.action)
        assert self.owing.pop(0) == (event.seat, verb_of(event.action))
        assert not isinstance(event.action, MoveAction) or event.action.move[0] in row["moves"]
        if not self.owing and row["then"]:
            self.machine.know(self.roles, event.after)
            self.enter(self.way_on(self.stage, event), event.after)
        self.agree(event.after)

    def way_on(self, stage: str, event: Taken) -> str:
        """Return the stage that follows ``stage``, and give seats the roles of the way."""
        conditions = self.machine.conditions
        ((number, way),) = (
            (number, way)
            for number, way in enumerate(self.rows[stage]["then"])
            if all(
                conditions[condition](self.roles, event.before, event.after) == value
                for condition, value in way.get("when", {}).items()
            )
        )
        self.taken.add((stage, number))
        given = {key: role for key, role in way.items() if key not in ("when", "stage")}
        self.roles |= {key: self.roles[role] for key, role in given.items()}
        self.machine.know(self.roles, event.after)
        return self.machine.reach(self, way, event)

    def agree(self, table: Table) -> None:
        """Check that the code waits for the same."""
        assert self.owing == [(owed.seat, owed.verb.value) for owed in table.owing]
        due = next_due(table)
        assert due is None or due.decision is VERBS[due.verb.value]["decision"]
        self.positions.append(Position(self.stage, tuple(self.owing), table, self.players))


def walked(machine: Machine, players: Sequence[Player], said: Iterable[Any]) -> Walk:
    """Return the walk of a game. said: pairs of a table, and the entry after the table."""
    walk: Walk | None = None
    for before, entry in said:
        if walk is None:
            walk = Walk(machine, tuple(players))
            walk.begin(before)
            walk.agree(before)
            walk.said += before.hellos
        for event in step(before, entry)[1]:
            assert isinstance(event, Taken)
            walk.take(event)
    assert walk is not None
    return walk


def verb_of(action: Action) -> str:
    match encode_action(action):
        case [str(verb), *_]:
            return verb
        case _:
            raise TypeError(action)


def name_of(action: Action) -> str:
    match action:
        case MoveAction((str(name), *_)):
            return f"MOVE {name}"
        case _:
            return verb_of(action)


def samples(said: Iterable[Action]) -> dict[str, Action]:
    """Return an action of each verb and move, as long as one can be."""
    by_length = sorted(said, key=lambda action: len(pack(encode_action(action))))
    return {name_of(action): action for action in by_length}


def implied(machine: Machine, position: Position, author: int, name: str) -> set[str]:
    """Return what an action alone, with another game's content, may be refused with."""
    verb, _, move = name.partition(" ")
    (seat, due), *_ = position.owing or [(None, None)]
    checks, lawful = VERBS[verb]["checks"], {REFUSAL["unfinished"], "E_STATE"}
    if position.stage == "greeting":
        if author != seat:
            return {REFUSAL["seat"]}
        if verb in {"MOVE", "UNSEAL"}:
            return {"E_ENCODING"}  # no game is known yet
        if verb != due:
            return {REFUSAL["greeting"]}
        return {REFUSAL["form"]} if seat == len(position.players) - 1 else {*checks}
    if author != seat:
        return {REFUSAL["speaker"]}
    if verb != due:
        return {REFUSAL["action"]}
    if verb != "MOVE":
        return {*checks} or lawful
    moves = stages(machine)[position.stage]["moves"]
    return {*moves[move], *lawful} if move in moves else {REFUSAL["move"]}


def refused(position: Position, author: Seat, action: Action) -> str:
    """Let ``author`` say ``action`` alone, and return the check that refuses it."""
    state, player = position.state, position.players[author]
    if isinstance(action, Hello):
        action = replace(action, session_key=player.session_key)
    said, session = [encode_action(action)], player.secrets.session
    entry = sign_entry(length(state), author, state.head, bytes(16), said, session)
    with pytest.raises(ProtocolViolationError) as caught:
        step(state, entry)
    return caught.value.check.value
