"""Judges the decisions of a finished game: the loss of each, and how well the seats played."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.games.matcha.bots.judge import judge as worth_of
from matcha_p2p.games.matcha.review.analysis import Analysis, JudgedDecision
from matcha_p2p.games.matcha.review.sets import held_faces, played_sets
from matcha_p2p.games.matcha.rules.judgement import Decision, HandsBySet
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.notation import move_text
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen.analysis import Analyse, mistake, notes
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.language import Sentence
from matcha_p2p.review.cards import with_own_key
from matcha_p2p.review.steps import names_of
from matcha_p2p.table.table import Table

__all__ = ["UNKNOWN", "analysis_of", "begin", "fields", "judge", "mistake", "notes"]

ITERATIONS: Final = 10_000
"""Iterations of the search behind a judgement: three times those of the strong bot."""
UNKNOWN: Final = Sentence(
    "No cards are known in {file}, so no decision can be judged. Your own cards are known if "
    "your home has the key of the game; another player's cards, if the player opened the "
    "book after the game."
)


def analysis_of(
    report: Report, own: tuple[Seat, int] | None = None, seat: Seat | None = None
) -> Analysis:
    """Return the decisions of each seat whose cards are known, whoever asks."""
    del seat
    report = with_own_key(report, own)
    return _analysis(report, {})


def begin(asked: Analyse) -> Analysis:
    """Return the decisions of the game, all still without a judgement."""
    return _analysis(verified_transcript(asked.transcript), {asked.seat: asked.hands})


def _analysis(report: Report, seen: Mapping[Seat, HandsBySet]) -> Analysis:
    """Return the decisions. seen: known hands that the file does not show."""
    return Analysis(names_of(report), tuple(_decisions(report, seen)))


def judge(decision: Decision) -> JudgedDecision:
    """Return the worth of the moves of a decision."""
    return JudgedDecision(decision, worth_of(decision.observation, ITERATIONS, decision.made))


def _decisions(report: Report, seen: Mapping[Seat, HandsBySet]) -> Iterator[Decision]:
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


def fields(found: JudgedDecision) -> dict[str, object]:
    """Return the fields of the fact about a decision."""
    number, played = found.round
    return {
        "set": number,
        "round": played,
        "seat": found.seat,
        "move": move_text(found.decision.made),
        "exact": found.judgement.exact,
        "loss": found.loss,
        "gap": found.gap,
        "moves": [
            {"move": move_text(it.move), "value": it.value, "error": it.error}
            for it in found.judgement.moves
        ],
    }
