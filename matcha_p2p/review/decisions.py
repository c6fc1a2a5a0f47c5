"""The decisions of a verified game, as seats saw them whose cards exposed keys show."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from matcha_p2p.machine.table import Table
from matcha_p2p.review.sets import held_faces, played_sets
from matcha_p2p.review.verify import Report
from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.moves import Move
from matcha_p2p.rules.observation import Observation
from matcha_p2p.rules.phases import Placing
from matcha_p2p.rules.seats import SEATS, Seat
from matcha_p2p.rules.state import Game


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat saw, and the move that it made. There was at least one other."""

    observation: Observation
    made: Move


def decisions(report: Report) -> Iterator[Decision]:
    """Yield what was decided in rounds by seats whose cards are known, in order."""
    known: tuple[dict[int, tuple[Face, ...]], ...] = ({}, {})
    for played in played_sets(report):
        for seat in SEATS:
            faces = held_faces(played, seat, report.exposed)
            hand = tuple(face for face in faces if face is not None)
            if len(hand) == len(faces):
                known[seat][played.laid.number] = hand
    for game, seat, made in _turns(report):
        held = known[seat].get(game.number)
        if held is not None:
            earlier = tuple(it for it in sorted(known[seat].items()) if it[0] < game.number)
            seen = Observation(game, seat, held, earlier)
            if len(seen.legal_moves()) > 1:
                yield Decision(seen, made)


def _turns(report: Report) -> Iterator[tuple[Game, Seat, Move]]:
    """Yield each position in which a seat was to move, the seat, and its move."""
    games = [sound.state.game for sound in report.accepted if isinstance(sound.state, Table)]
    for before, after in pairwise(games):
        if isinstance(before.phase, Placing):
            number, count = len(before.rounds) - 1, len(before.rounds[-1].turns)
            same = before.number == after.number
            rounds = after.rounds if same else after.past[-1].rounds
            turns = rounds[number].turns
            if len(turns) > count:
                yield before, before.phase.to_move, turns[count].move
