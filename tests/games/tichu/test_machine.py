"""The part of protocol/machine.toml about Tichu, run beside whole games and pieces of games."""

from functools import cache

import pytest

from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.steps import FORMS, Laying, Mixing, Owning, Showing
from matcha_p2p.games.tichu.view import game_of
from matcha_p2p.table.messages import MoveAction
from matcha_p2p.table.step import step
from matcha_p2p.table.steps import Decide
from protocol.generator.tichu import parties
from protocol.generator.tichu_games import tables
from tests.games.tichu.party import course
from tests.test_protocol_machine import MACHINE, REFUSAL, VERBS, Position, refused, verb_of

pytestmark = pytest.mark.slow
STAGES = {row["name"]: row for row in MACHINE["tichu"]["stage"]}


def asks(table):
    asked = game_of(table).round.asked
    return asked[0][1].value if asked else "none"


CONDITIONS = {
    "asks": asks,
    "shows": lambda table: isinstance(game_of(table).stage, Showing),
    "opens": lambda table: isinstance(game_of(table).stage, Laying),
    "left": lambda table: isinstance(game_of(table).stage, Owning),
    "decided": lambda table: game_of(table).is_over,
}


def ordered(name, table):
    """Return the seats of an order of machine.toml."""
    game = game_of(table)
    bound = {turn.seat for turn in game.round.passed}
    forward = [(game.first + count) % 4 for count in SEATS]
    match name:
        case "forward":
            return forward
        case "backward":
            return forward[::-1]
        case "bound last":
            return [s for s in forward if s not in bound] + [s for s in forward if s in bound]
        case _:
            _, *seat_and_more = game.snapshot()[1]
            return [*seat_and_more[:1]] or [game.round.asked[0][0]]


class Walk:
    """The table of machine.toml, run beside the code."""

    def __init__(self, party, table):
        self.party = party
        self.taken = set()
        self.said = []
        self.positions = []
        self.enter("toss", table)
        assert self.owing.pop(0) == (game_of(table).first, "COIN")
        self.agree(table)

    def enter(self, stage, table):
        """Compare the stage with the step that the code asks for; note what is owed."""
        row, step = STAGES[stage], table.step
        order = ordered(row["order"], table)
        assert type(step).__name__ == row["step"]
        assert order == ([step.seat] if isinstance(step, Decide) else [*step.order])
        assert getattr(step, "label", None) == row.get("label")
        owed = self.owed(row, order, table)
        verbs = [debt["verb"] for debt in MACHINE["step"][row["step"]] if debt["by"] != "first"]
        self.stage, self.owing = stage, [(seat, verb) for verb in verbs for seat in owed]

    def owed(self, row, order, table):
        held = game_of(table).round.held
        match row.get("owes"):
            case "s":
                return ordered("s", table)
            case "opened":
                return [seat for seat in order if held[seat]][:-1]
            case _:
                return order

    def take(self, event):
        """Take an action: after the last of a step, exactly one way on must be allowed."""
        moves, after = STAGES[self.stage].get("moves"), event.after
        self.said.append(event.action)
        assert self.owing.pop(0) == (event.seat, verb_of(event.action))
        assert not isinstance(event.action, MoveAction) or event.action.move[0] in moves
        if not self.owing and STAGES[self.stage]["then"]:
            self.enter(self.way_on(self.stage, after), after)
        self.agree(after)

    def way_on(self, stage, after):
        """Return the stage that follows."""
        ((number, way),) = (
            (number, way)
            for number, way in enumerate(STAGES[stage]["then"])
            if all(CONDITIONS[c](after) == value for c, value in way.get("when", {}).items())
        )
        self.taken.add((stage, number))
        game = game_of(after)
        if way["stage"] != "asked":
            return way["stage"]
        if game.is_over or isinstance(game.stage, Mixing):
            return self.way_on("uncover", after)
        return "uncover" if asks(after) == "none" else asks(after)

    def agree(self, table):
        """Check that the code waits for the same."""
        assert self.owing == [(owed.seat, owed.verb.value) for owed in table.owing]
        owing, players = tuple(self.owing), tuple(self.party.players)
        self.positions.append(Position(self.stage, owing, table, players))


def walk(party):
    said = list(tables(party))
    found = Walk(party, said[0][0])
    for before, entry in said:
        for event in step(before, entry)[1]:
            found.take(event)
    return found


@cache
def walks():
    """Return a walk through each game that has begun."""
    return [walk(party) for _, party in parties() if len(party.entries) > len(SEATS)]


def test_machine_takes_exactly_its_listed_ways():
    """``Walk`` has compared every step, order and debt on its way."""
    listed = {(name, number) for name in STAGES for number in range(len(STAGES[name]["then"]))}
    assert set().union(*(walk.taken for walk in walks())) == listed


def test_every_stage_is_reached_and_every_condition_is_used():
    assert {position.stage for walk in walks() for position in walk.positions} == {*STAGES}
    ways_on = [way for row in STAGES.values() for way in row["then"]]
    used = {condition for way in ways_on for condition in way.get("when", ())}
    assert used == set(MACHINE["tichu"]["condition"]) == set(CONDITIONS)
    assert {move for row in STAGES.values() for move in row.get("moves", ())} == FORMS.keys()


@cache
def samples():
    """Return an action of each verb and move, of a game of its own."""
    said = walk(course(0).party).said
    moves = [action for action in said if isinstance(action, MoveAction)]
    verbs = {verb_of(action): action for action in said}
    return verbs | {f"MOVE {action.move[0]}": action for action in moves}


@pytest.mark.parametrize("author", SEATS)
@pytest.mark.parametrize(
    "name", ["COIN", "SHUF", "SHARE", "RESULT", *(f"MOVE {f}" for f in FORMS)]
)
def test_step_refuses_transitions_outside_the_table(author, name):
    """In every position, by each seat: the check is one that the table implies."""
    positions = {(p.stage, p.owing): p for walk in walks() for p in walk.positions}
    for position in positions.values():
        check = refused(position, author, samples()[name])
        assert check in implied(position, author, name), (position.stage, position.owing)


def implied(position, author, name):
    """Return what an action alone may be refused with."""
    verb, _, move = name.partition(" ")
    (seat, due), *_ = position.owing or [(None, None)]
    if author != seat:
        return {REFUSAL["speaker"]}
    if verb != due:
        return {REFUSAL["action"]}
    lawful = {REFUSAL["unfinished"], "E_STATE"}
    if verb != "MOVE":
        return {*VERBS[verb]["checks"]} or lawful
    moves = STAGES[position.stage]["moves"]
    return {*moves[move], *lawful} if move in moves else {REFUSAL["move"]}
