"""The stages of Matcha."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from matcha_p2p.games import find
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Placing
from matcha_p2p.games.matcha.rules.scoring import outcome
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.table.view import game_of, matcha_of
from matcha_p2p.table.step import AllGreeted, TableEvent, Taken, step
from matcha_p2p.table.steps import COINS
from matcha_p2p.table.table import Greetings, State, Table
from tests.machines.walk import Machine, Position, Roles, Row, Walk
from tests.walks import Way, uniform, ways


def played(before: Table, after: Table):
    """Return the round that was running, as it is after the action."""
    return game_of(after).rounds[len(game_of(before).rounds) - 1]


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


class Matcha(Machine):
    """The stages are named with roles of seats."""

    name = "matcha"
    moves = ("lay", "pass", "keep")
    conditions: ClassVar = {
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

    def know(self, roles: Roles, table: Table) -> None:
        closer, phase = matcha_of(table).closer, game_of(table).phase
        roles |= {"L": closer, "O": SEATS[1 - closer]}
        if isinstance(phase, Placing):
            roles["mover"] = phase.to_move
        if "s" in roles:
            roles["o"] = SEATS[1 - roles["s"]]

    def ordered(self, row: Row, roles: Roles, table: Table) -> Sequence[Seat]:
        del table
        return [roles[role] for role in row["order"]]

    def owed(self, row: Row, roles: Roles, table: Table) -> Sequence[Seat]:
        del table
        return [roles[role] for role in row.get("owes", row["order"])]

    def walks(self) -> Iterator[Walk]:
        for way in ways():
            yield self._walk(way)

    def foreign(self) -> Walk:
        return self._walk(Way("sample", "2015", uniform(0)))

    def _walk(self, way: Way) -> Walk:
        duel = way.begin()
        walk = Walk(self, duel.players)
        state: State = Greetings.of_roster(duel.state.roster, find)
        events: tuple[TableEvent, ...] = ()
        for seat, entry in enumerate(duel.entries):
            due = ((seat, "HELLO"),)
            walk.positions.append(Position("greeting", due, state, duel.players))
            state, events = step(state, entry)
        (met,) = events
        assert isinstance(met, AllGreeted)
        walk.begin(met.table)
        walk.agree(duel.table)
        walk.said += duel.table.hellos
        for entry in way.entries(duel):
            for event in duel.say(entry):
                assert isinstance(event, Taken)
                walk.take(event)
        assert (walk.stage, walk.owing) == ("end", [])
        return walk
