"""protocol/machine.toml and the code are one machine: every step and every refusal."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.errors import ProtocolViolationError
from matcha_p2p.games import find
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Placing
from matcha_p2p.games.matcha.rules.scoring import outcome
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.view import game_of, matcha_of
from matcha_p2p.table.messages import Action, Hello, MoveAction, encode_action
from matcha_p2p.table.seat import Player
from matcha_p2p.table.step import AllGreeted, TableEvent, Taken, length, step
from matcha_p2p.table.steps import COINS, Decide
from matcha_p2p.table.table import Greetings, State, Table, next_due
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.entry import sign_entry
from tests.walks import Way, uniform, ways

MACHINE = tomllib.loads(
    (Path(__file__).parent.parent / "protocol" / "machine.toml").read_text(encoding="utf-8")
)
STAGES: dict[str, Any] = {row["name"]: row for row in MACHINE["stage"]}
VERBS, REFUSAL = MACHINE["verb"], MACHINE["refusal"]
Roles = dict[str, Seat]


def contested(_: Roles, before: Table, after: Table) -> bool:
    settled = played(before, after)
    return any(
        all(settled.slot_at(seat, mat) is not None for seat in SEATS)
        for mat in MATS_OF_ROUND[settled.number - 1]
    )


def decided(roles: Roles, before: Table, after: Table) -> bool:
    game = game_of(before)
    last = set_over(roles, before, after) and game.number == game.edition.sets
    tokens = game_of(after).tokens
    return outcome(game.edition, tokens, comparing=game.comparing, last=last) is not None


def set_over(_: Roles, before: Table, after: Table) -> bool:
    return played(before, after).number == 3


def round_over(_: Roles, before: Table, after: Table) -> bool:
    turns = played(before, after).turns
    return all(is_out(game_of(before).edition, turns, seat) for seat in SEATS)


def choice(_: Roles, __: Table, after: Table) -> bool:
    return game_of(after).edition.keeps and any(game_of(after).hands)


def played(before: Table, after: Table):
    """Return the round that was running, as it is after the action."""
    return game_of(after).rounds[len(game_of(before).rounds) - 1]


CONDITIONS: dict[str, Callable[[Roles, Table, Table], bool]] = {
    "a-kept": lambda roles, _, after: game_of(after).kept[roles["a"]] > 0,
    "b-kept": lambda roles, _, after: game_of(after).kept[roles["b"]] > 0,
    "of-a": lambda roles, _, __: roles["s"] == roles["a"],
    "six-faces": lambda _, __, after: game_of(after).phase != AwaitingDeal(),
    "round-over": round_over,
    "contested": contested,
    "both-shown": lambda _, before, after: bool(played(before, after).resolutions),
    "decided": decided,
    "set-over": set_over,
    "choice": choice,
    "kept": lambda _, __, after: any(game_of(after).kept),
    "links-left": lambda _, before, __: before.coins < COINS,
}


@dataclass(frozen=True)
class Position:
    """A state that some duel has come to, as the table and as the code see it."""

    stage: str
    owing: tuple[tuple[int, str], ...]
    state: State
    players: tuple[Player, ...]


@dataclass
class Walk:
    """The table of machine.toml, run beside the code."""

    players: tuple[Player, ...]
    stage: str = "toss"
    owing: list[tuple[int, str]] = field(default_factory=list)
    roles: Roles = field(default_factory=dict)
    taken: set[tuple[str, int]] = field(default_factory=set)
    positions: list[Position] = field(default_factory=list)

    def enter(self, stage: str, table: Table) -> None:
        """Compare the stage with the step that the code asks for; note what is owed."""
        row, order = STAGES[stage], [self.roles[role] for role in STAGES[stage]["order"]]
        asked = table.step
        assert type(asked).__name__ == row["step"]
        assert order == ([asked.seat] if isinstance(asked, Decide) else list(asked.order))
        assert getattr(asked, "label", None) == row.get("label")
        owed = [self.roles[role] for role in row.get("owes", row["order"])]
        by = {"each": owed, "first": order[:-1], "last": order[-1:]}
        debts = MACHINE["step"][row["step"]]
        self.stage = stage
        self.owing = [(seat, debt["verb"]) for debt in debts for seat in by[debt["by"]]]

    def know(self, table: Table, **roles: Seat) -> None:
        """Give seats their roles."""
        closer, phase = matcha_of(table).closer, game_of(table).phase
        self.roles |= {"L": closer, "O": SEATS[1 - closer], **roles}
        if isinstance(phase, Placing):
            self.roles["mover"] = phase.to_move
        if "s" in self.roles:
            self.roles["o"] = SEATS[1 - self.roles["s"]]

    def take(self, event: Taken) -> None:
        """Take an action: after the last of a step, exactly one way on must be allowed."""
        row = STAGES[self.stage]
        assert self.owing.pop(0) == (event.seat, verb_of(event.action))
        assert not isinstance(event.action, MoveAction) or event.action.move[0] in row["moves"]
        if not self.owing and row["then"]:
            self.know(event.after)
            ((number, way),) = (
                (number, way)
                for number, way in enumerate(row["then"])
                if all(
                    CONDITIONS[condition](self.roles, event.before, event.after) is value
                    for condition, value in way.get("when", {}).items()
                )
            )
            self.taken.add((self.stage, number))
            roles = {key: value for key, value in way.items() if key not in ("when", "stage")}
            self.know(event.after, **{key: self.roles[role] for key, role in roles.items()})
            self.enter(way["stage"], event.after)
        self.agree(event.after)

    def agree(self, table: Table) -> None:
        """Check that the code waits for the same."""
        assert self.owing == [(owed.seat, owed.verb.value) for owed in table.owing]
        due = next_due(table)
        assert due is None or due.decision is VERBS[due.verb.value]["decision"]
        self.positions.append(Position(self.stage, tuple(self.owing), table, self.players))


def verb_of(action: Action) -> str:
    match encode_action(action):
        case [str(verb), *_]:
            return verb
        case _:
            raise TypeError(action)


def walk(way: Way) -> tuple[Walk, list[Action]]:
    """Play a duel and run the table beside it; return what both went through."""
    duel = way.begin()
    taken = Walk(duel.players)
    state: State = Greetings(Binding(duel.entries[0].prev), find)
    events: tuple[TableEvent, ...] = ()
    for seat, entry in enumerate(duel.entries):
        due = ((seat, "HELLO"),)
        taken.positions.append(Position("greeting", due, state, duel.players))
        state, events = step(state, entry)
    (met,) = events
    assert isinstance(met, AllGreeted)
    taken.know(met.table)
    taken.enter("toss", met.table)
    assert taken.owing.pop(0) == (1, "COIN")
    taken.agree(duel.table)
    said: list[Action] = [*duel.table.hellos]
    for entry in way.entries(duel):
        for event in duel.say(entry):
            assert isinstance(event, Taken)
            taken.take(event)
            said.append(event.action)
    assert (taken.stage, taken.owing) == ("end", [])
    return taken, said


@cache
def walks() -> tuple[Walk, ...]:
    """Return every way walked."""
    return tuple(walk(way)[0] for way in ways())


@cache
def samples() -> dict[str, Action]:
    """Return an action of each verb and move, as long as one can be, of a game of its own."""
    _, said = walk(Way("sample", "2015", uniform(0)))
    by_length = sorted(said, key=lambda action: len(pack(encode_action(action))))
    return {name_of(action): action for action in by_length}


def name_of(action: Action) -> str:
    match action:
        case MoveAction((str(name), *_)):
            return f"MOVE {name}"
        case _:
            return verb_of(action)


NAMES = (*(verb for verb in VERBS if verb != "MOVE"), "MOVE lay", "MOVE pass", "MOVE keep")


def positions() -> dict[tuple[str, tuple[str, ...]], Position]:
    """Return one position for each stage and each row of owed actions."""
    return {
        (position.stage, tuple(verb for _, verb in position.owing)): position
        for taken in walks()
        for position in taken.positions
    }


@pytest.mark.slow
def test_machine_takes_exactly_its_listed_ways():
    """``walk`` has compared every step, order and debt on its way."""
    listed = {(name, number) for name in STAGES for number in range(len(STAGES[name]["then"]))}
    assert set().union(*(taken.taken for taken in walks())) == listed


@pytest.mark.slow
def test_every_stage_is_reached_and_every_condition_is_used():
    assert {stage for stage, _ in positions()} == {*STAGES, "greeting"}
    ways_on = [way for row in STAGES.values() for way in row["then"]]
    used = {condition for way in ways_on for condition in way.get("when", ())}
    assert used == set(MACHINE["condition"]) == set(CONDITIONS)
    owed = {debt["verb"] for debts in MACHINE["step"].values() for debt in debts}
    assert owed | {"HELLO"} == set(VERBS)


@pytest.mark.slow
def test_a_mixed_pile_is_opened_with_no_one_or_two_zeros():
    """Otherwise "open" would not have been walked in full."""
    shown = {
        sum(card.face == 16 for card in position.state.piles["mixed"])
        for taken in walks()
        for position in taken.positions
        if position.stage == "open"
    }
    assert {0, 1, 2} <= shown


@pytest.mark.slow
@pytest.mark.parametrize("author", [0, 1])
@pytest.mark.parametrize("name", NAMES)
def test_step_refuses_transitions_outside_the_table(author: Seat, name: str):
    """In every position, by either seat, every action: the check is one the table implies."""
    for position in positions().values():
        check = refused(position, author, samples()[name])
        assert check in implied(position, author, name), (position.stage, position.owing)


def implied(position: Position, author: int, name: str) -> set[str]:
    """Return what an action alone, with another game's content, may be refused with."""
    verb, _, move = name.partition(" ")
    (seat, due), *_ = position.owing or [(None, None)]
    checks = VERBS[verb]["checks"]
    if position.stage == "greeting":
        if author != seat:
            return {REFUSAL["seat"]}
        if verb in {"MOVE", "UNSEAL"}:
            return {"E_ENCODING"}  # no game is known yet
        if verb != due:
            return {REFUSAL["greeting"]}
        return {REFUSAL["form"]} if seat == 1 else {*checks}
    if author != seat:
        return {REFUSAL["speaker"]}
    if verb != due:
        return {REFUSAL["action"]}
    if verb == "MOVE":
        checks = STAGES[position.stage]["moves"].get(move, [REFUSAL["move"]])
    return {*checks} if checks else {REFUSAL["unfinished"], "E_STATE"}


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
