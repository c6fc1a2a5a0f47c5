"""The stages of Kashi-ichi."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from matcha_p2p.games.kashi.rules import state as phases
from matcha_p2p.games.kashi.table.signed import FORMS
from matcha_p2p.games.kashi.table.view import game_of, kashi_of
from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table
from protocol.generator.kashi_games import GAMES, played
from tests.games.kashi.table import course
from tests.machines.walk import Machine, Roles, Row, Walk, walked

DUE = {
    phases.Starting: "start",
    phases.Opening: "open",
    phases.Turn: "turn",
    phases.Drawing: "draw",
    phases.Paying: "pay",
    phases.Questioning: "idle",
    phases.Ended: "none",
}


class Kashi(Machine):
    """A stage is named as the phase of the rules."""

    name = "kashi"
    moves = tuple(FORMS)
    conditions: ClassVar = {"due": lambda _, __, after: DUE[type(game_of(after).phase)]}

    def ordered(self, row: Row, roles: Roles, table: Table) -> Sequence[Seat]:
        del roles
        game = game_of(table)
        if row["order"] == "from L":
            return game.around(kashi_of(table).closer)
        return [] if game.due is None else [game.due]

    def walks(self) -> Iterator[Walk]:
        for label in GAMES:
            game, seats = played(label), len(played(label).party.players)
            said = zip(game.tables[:-1], game.log[seats:], strict=True)
            yield walked(self, game.party.players, said)

    def foreign(self) -> Walk:
        game = course(4)
        players = game.party.players
        said = zip(game.tables[:-1], game.party.entries[len(players) :], strict=True)
        return walked(self, players, said)
