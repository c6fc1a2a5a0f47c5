"""The decisions of a verified game with the seats' observations, if cards are known."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.matcha.review.sets import held_faces, played_sets
from matcha_p2p.games.matcha.rules.judgement import Decision, HandsBySet
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.table.table import Table

_NOTHING: Final[Mapping[Seat, HandsBySet]] = MappingProxyType({})


def decisions(report: Report, seen: Mapping[Seat, HandsBySet] = _NOTHING) -> Iterator[Decision]:
    """Yield in order the decisions in rounds of the seats whose cards are known.

    seen: our own hands, known even if the file does not show them.
    """
    known = {seat: dict(seen.get(seat, {})) for seat in SEATS}
    for played in played_sets(report):
        for seat in SEATS:
            faces = held_faces(played, seat, report.exposed)
            hand = tuple(face for face in faces if face is not None)
            if len(hand) == len(faces):
                known[seat][played.laid.number] = hand
    for entries, game, seat, made in _turns(report):
        held = known[seat].get(game.number)
        if held is not None:
            earlier = tuple(it for it in sorted(known[seat].items()) if it[0] < game.number)
            found = Observation(game, seat, held, earlier)
            if len(found.legal_moves()) > 1:
                yield Decision(found, made, entries)


def _turns(report: Report) -> Iterator[tuple[int, GameState, Seat, Move]]:
    """Yield the entries up to a move, the game before it, the seat, and the move."""
    games = [
        (entries, game_of(sound.state))
        for entries, sound in enumerate(report.accepted, start=1)
        if isinstance(sound.state, Table)
    ]
    for (_, before), (entries, after) in pairwise(games):
        if isinstance(before.phase, Placing):
            number, count = len(before.rounds) - 1, len(before.rounds[-1].turns)
            same = before.number == after.number
            rounds = after.rounds if same else after.past[-1].rounds
            turns = rounds[number].turns
            if len(turns) > count:
                yield entries, before, before.phase.to_move, turns[count].move
