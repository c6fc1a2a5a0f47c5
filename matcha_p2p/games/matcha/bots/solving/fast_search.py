"""The search of rounds 1 and 2 in C: the search of search.py, some thirty times as fast.

The library draws its own random numbers, so one seed gives different results here and in
Python.
"""

import ctypes
import functools
import random
from collections.abc import Sequence
from ctypes import Array, Structure
from typing import Final, cast

from matcha_p2p.games.matcha.bots.solving import search
from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, running_course
from matcha_p2p.games.matcha.bots.solving.masks import mat_of, pack_tokens
from matcha_p2p.games.matcha.bots.solving.native import library
from matcha_p2p.games.matcha.bots.solving.search import Deal, SearchedMove
from matcha_p2p.games.matcha.bots.solving.stages import (
    STAGES,
    Stage,
    first_stages,
    stage_number,
)
from matcha_p2p.games.matcha.bots.valuation.verdicts import Verdicts, verdicts_after
from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.moves import PASS, Move, Play
from matcha_p2p.games.matcha.rules.observation import Observation, check_decision
from matcha_p2p.games.matcha.rules.phases import KEEPING
from matcha_p2p.games.matcha.rules.seats import opposite

_MOVES: Final = 11


class _Mat(Structure):
    _fields_ = (
        ("token", ctypes.c_uint64),
        ("matching", ctypes.c_uint32),
        ("beaten", ctypes.c_uint32 * 18),
    )


class _Deal(Structure):
    _fields_ = (("hands", ctypes.c_uint32 * 2), ("laid", ctypes.c_uint32 * 4))


class _Tried(Structure):
    """A choice of ``search.c``."""

    _fields_ = (
        ("place", ctypes.c_int32),
        ("card", ctypes.c_uint32),
        ("visits", ctypes.c_int32),
        ("total", ctypes.c_double),
    )


class _Task(Structure):
    _fields_ = (
        ("tokens", ctypes.c_uint64 * 2),
        ("mats", _Mat * 6),
        ("stages", ctypes.POINTER(Stage)),
        ("deals", ctypes.POINTER(_Deal)),
        ("deal_count", ctypes.c_int32),
        ("number", ctypes.c_int32),
        ("stage", ctypes.c_int32),
        ("within", ctypes.c_int32),
        ("at_end", ctypes.c_int32),
        ("first_stages", ctypes.c_int32 * 36),
        ("exploration", ctypes.c_double),
        ("matching", ctypes.c_double),
    )


_JUDGE: Final = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int32, ctypes.c_uint64)
_verdicts: Final[list[Verdicts]] = []


def _number_of(verdicts: Verdicts) -> int:
    """Return the number by which C asks for ``verdicts``, from 1."""
    for number, known in enumerate(_verdicts, 1):
        if known is verdicts:
            return number
    _verdicts.append(verdicts)
    return len(_verdicts)


def _asked(number: int, pair: int) -> float:
    return _verdicts[number - 1][pair]


_judge: Final = _JUDGE(_asked)


@functools.cache
def _mats_of(table: tuple[Face, ...]) -> Array[_Mat]:
    found = (_Mat * 6)()
    for at, shown in enumerate(table):
        mat = mat_of(at, shown)
        found[at].token, found[at].matching = mat.token, mat.matching
        for card, beaten in mat.beaten.items():
            found[at].beaten[card.bit_length() - 1] = beaten
    return found


class FastSearch:
    """The search from one observation. Each run begins from nothing."""

    def __init__(self, observation: Observation, deals: Sequence[Deal] | None = None) -> None:
        """Prepare the search.

        deals: each iteration draws one of ``deals``; if None, one of all possible deals.

        Raises:
            BotError: the library cannot be loaded.
            ValueError: the seat has no move to make, or the rules do not lead to
                ``observation``.
        """
        game = observation.game
        check_decision(observation)
        if game.phase == KEEPING:
            raise ValueError("cards to keep are not searched for")
        self._run: Final = library("search").search_run
        self._own: Final = search.own_bits(observation)
        dealt = search.deals_of(observation, self._own) if deals is None else deals
        # Tuples do as well: thousands of deals need not become structures.
        self._deals: Final = (_Deal * len(dealt))(*cast("list[_Deal]", dealt))
        within = verdicts_after(
            game.edition, comparing=game.comparing, last=False, next_dealer=None
        )
        at_end = verdicts_after(
            game.edition,
            comparing=game.comparing,
            last=game.number == game.edition.sets,
            next_dealer=opposite(game.dealer),
        )
        self._number: Final = game.rounds[-1].number - 1
        self._task: Final = _Task(
            tokens=tuple(map(pack_tokens, game.tokens)),
            mats=_mats_of(game.table),
            stages=STAGES,
            deals=self._deals,
            deal_count=len(dealt),
            number=self._number,
            stage=stage_number(running_course(game)),
            within=_number_of(within),
            at_end=_number_of(at_end),
            first_stages=first_stages(game.edition.turns, game.dealer),
            exploration=search.EXPLORATION,
            matching=search.MATCHING,
        )

    def run(self, rng: random.Random, iterations: int) -> list[SearchedMove]:
        """Return each move with its value and visits, best first. rng: gives the seed alone.

        Raises:
            MemoryError: an iteration takes some 400 bytes.
        """
        tried = (_Tried * _MOVES)()
        seed = ctypes.c_uint64(rng.getrandbits(64))
        count = self._run(ctypes.byref(self._task), _judge, seed, iterations, tried)
        if not count:
            raise MemoryError
        found = [
            SearchedMove(self._move(it.place, it.card), it.total / max(1, it.visits), it.visits)
            for it in tried[:count]
        ]
        return sorted(found, key=lambda choice: (-choice.visits, -choice.value))

    def _move(self, place: int, card: int) -> Move:
        if place == NOWHERE:
            return PASS
        return Play(2 * self._number + place, self._own.index(card))
