"""Judges decisions: what each move was worth, by what the player could know."""

import random
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import TypeAlias

from matcha_p2p.bots.solving.endings import ending_of
from matcha_p2p.bots.solving.round3 import judged_exactly, meaning
from matcha_p2p.bots.solving.search import Search
from matcha_p2p.rules.judgement import JudgedMove, Judgement
from matcha_p2p.rules.moves import MATS_OF_ROUND, Move
from matcha_p2p.rules.observation import Observation

Meaning: TypeAlias = Callable[[Move], Hashable]
"""Returns equal values for moves that amount to the same."""


def judge(observation: Observation, iterations: int, made: Move | None = None) -> Judgement:
    """Return what the legal moves of a decision in a round are worth.

    Cards to keep are not judged. iterations: of the search, before round 3. made: a move that
    is examined as thoroughly as the best one. The same arguments give the same judgement.
    """
    game = observation.game
    if len(game.rounds) == len(MATS_OF_ROUND):
        exact = judged_exactly(observation)
        if exact is not None:
            means = partial(meaning, observation, ending_of(game))
            return Judgement(_for_all(observation, exact, means), exact=True)
    search = Search(observation, random.Random(0))
    found = search.run(iterations)
    order = [choice.move for choice in found]
    if made is not None:
        found = search.try_out(made, iterations // 3)
    known = {it.move: JudgedMove(it.move, it.value, it.error) for it in found}
    judged = [known[move] for move in order]
    return Judgement(_for_all(observation, judged, search.shows), exact=False)


def _for_all(
    observation: Observation, judged: Iterable[JudgedMove], means: Meaning
) -> tuple[JudgedMove, ...]:
    """Return the worth of all legal moves; moves that amount to the same have the same."""
    legal = observation.legal_moves()
    return tuple(
        JudgedMove(move, known.value, known.error)
        for known in judged
        for move in legal
        if means(move) == means(known.move)
    )
