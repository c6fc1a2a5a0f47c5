"""The stages of Tichu."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.table.steps import FORMS, Laying, Mixing, Owning, Showing
from matcha_p2p.games.tichu.table.view import game_of
from matcha_p2p.seats import Seat
from matcha_p2p.table.step import Taken
from matcha_p2p.table.table import Table
from protocol.generator.tichu import parties
from protocol.generator.tichu_games import tables
from tests.games.tichu.party import course
from tests.machines.walk import Machine, Roles, Row, Walk, walked


def asks(table: Table) -> str:
    asked = game_of(table).round.asked
    return asked[0][1].value if asked else "none"


class Tichu(Machine):
    """A stage is named as the question to a seat, or after the step of the table."""

    name = "tichu"
    moves = tuple(FORMS)
    conditions: ClassVar = {
        "asks": lambda _, __, after: asks(after),
        "shows": lambda _, __, after: isinstance(game_of(after).stage, Showing),
        "opens": lambda _, __, after: isinstance(game_of(after).stage, Laying),
        "left": lambda _, __, after: isinstance(game_of(after).stage, Owning),
        "decided": lambda _, __, after: game_of(after).is_over,
    }

    def ordered(self, row: Row, roles: Roles, table: Table) -> Sequence[Seat]:
        del roles
        return self._order(row["order"], table)

    def _order(self, name: str, table: Table) -> Sequence[Seat]:
        game = game_of(table)
        bound = {turn.seat for turn in game.round.passed}
        forward = [Seat((game.first + count) % 4) for count in SEATS]
        match name:
            case "forward":
                return forward
            case "backward":
                return forward[::-1]
            case "bound last":
                return sorted(forward, key=bound.__contains__)
            case _:
                match game.snapshot():
                    case [_, [_, int(seat), *_], *_]:
                        return [Seat(seat)]
                    case _:
                        return [game.round.asked[0][0]]

    def owed(self, row: Row, roles: Roles, table: Table) -> Sequence[Seat]:
        order, held = self.ordered(row, roles, table), game_of(table).round.held
        match row.get("owes"):
            case "s":
                return self._order("s", table)
            case "opened":
                return [seat for seat in order if held[seat]][:-1]
            case _:
                return order

    def reach(self, walk: Walk, way: Row, event: Taken) -> str:
        game = game_of(event.after)
        if way["stage"] != "asked":
            return way["stage"]
        if game.is_over or isinstance(game.stage, Mixing):
            return walk.way_on("uncover", event)
        return "uncover" if asks(event.after) == "none" else asks(event.after)

    def walks(self) -> Iterator[Walk]:
        for _, party in parties():
            if len(party.entries) > len(SEATS):
                yield walked(self, party.players, tables(party))

    def foreign(self) -> Walk:
        party = course(0).party
        return walked(self, party.players, tables(party))
