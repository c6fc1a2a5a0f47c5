"""Judges decisions: the worth of each move, by the knowledge of the player."""

import math
import random
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from matcha_p2p.errors import BotError
from matcha_p2p.games.matcha.bots.solving import round2, round3
from matcha_p2p.games.matcha.bots.solving.endings import ending_of
from matcha_p2p.games.matcha.bots.solving.search import Search
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, Move
from matcha_p2p.games.matcha.rules.observation import Observation

Meaning: TypeAlias = Callable[[Move], Hashable]
"""Returns equal values for moves with equal effects."""
_SEARCHED: Final = 0.08
_SEARCHED_LAST: Final = 0.2
"""The standard errors of a value of the search, in earlier sets and in the last set.

A longer search has no smaller errors: the search takes all deals as equally likely, whatever
the opponent has done. In the last set each round can decide the whole game. Both errors are
measured by ``.tools/training/worths.py``.
"""


def judge(observation: Observation, iterations: int, made: Move | None = None) -> Judgement:
    """Return the worth of each legal move of a decision in a round.

    Cards to keep are not judged. iterations: the number of the search's iterations, if the
    round is not solved. made: a move that the search examines as thoroughly as the best move.
    Equal arguments give equal judgements.
    """
    game = observation.game
    if len(game.rounds) == len(MATS_OF_ROUND):
        found = round3.judged(observation)
        if found is not None:
            means = partial(round3.meaning, observation, ending_of(game))
            return replace(found, moves=_for_all(observation, found.moves, means))
    if len(game.rounds) == 2:
        with suppress(BotError):  # without a compiler there is no plan
            planned = round2.judged(observation)
            if planned is not None:
                return Judgement(planned, exact=False)
    return estimated(observation, iterations, made)


def estimated(observation: Observation, iterations: int, made: Move | None = None) -> Judgement:
    """Return the judgement by the search alone."""
    search = Search(observation, random.Random(0))
    found = search.run(iterations)
    order = [choice.move for choice in found]
    if made is not None:
        found = search.try_out(made, iterations // 3)
    game = observation.game
    error = _SEARCHED_LAST if game.number == game.edition.sets else _SEARCHED
    known = {
        it.move: JudgedMove(it.move, it.value, math.hypot(it.error, error)) for it in found
    }
    judged = [known[move] for move in order]
    return Judgement(_for_all(observation, judged, search.shows), exact=False)


def _for_all(
    observation: Observation, judged: Iterable[JudgedMove], means: Meaning
) -> tuple[JudgedMove, ...]:
    """Return the worth of all legal moves; moves with equal effects have equal worth."""
    legal = observation.legal_moves()
    return tuple(
        JudgedMove(move, known.value, known.error)
        for known in judged
        for move in legal
        if means(move) == means(known.move)
    )
