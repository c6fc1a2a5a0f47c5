"""The solver of sequence_form.py in C, some thirty times as fast: at the end of round2.c."""

import ctypes
from array import array
from collections.abc import Iterable, Sequence
from ctypes import Array, Structure
from itertools import chain, repeat

from matcha_p2p.games.matcha.bots.solving.native import library
from matcha_p2p.games.matcha.bots.solving.sequence_form import LOOK, DecisionBlock, Side, Solved


class _Decisions(Structure):
    _fields_ = (
        ("count", ctypes.c_int32),
        ("first", ctypes.c_int32),
        ("choices", ctypes.c_int32),
        ("parents", ctypes.POINTER(ctypes.c_int32)),
    )


class _Form(Structure):
    _fields_ = (
        ("sequences", ctypes.c_int32 * 2),
        ("blocks", ctypes.c_int32 * 2),
        ("payoff_count", ctypes.c_int32),
        ("decisions", ctypes.POINTER(_Decisions) * 2),
        ("meeting", ctypes.POINTER(ctypes.c_int32) * 2),
        ("payoffs", ctypes.POINTER(ctypes.c_double)),
    )


def solve(sides: tuple[Side, Side], iterations: int, enough: float) -> Solved:
    """Return the result of sequence_form.solve.

    Raises:
        BotError: the library cannot be loaded.
        MemoryError: a sequence takes some 50 bytes.
    """
    rows = sides[0].payoffs
    payoffs = array("d", chain.from_iterable(row.values() for row in rows.values()))
    form = _Form(payoff_count=len(payoffs))
    form.payoffs = (ctypes.c_double * len(payoffs)).from_buffer(payoffs)
    form.meeting[0] = _numbers(
        chain.from_iterable(repeat(own, len(row)) for own, row in rows.items())
    )
    form.meeting[1] = _numbers(chain.from_iterable(rows.values()))
    for seat, side in enumerate(sides):
        form.sequences[seat], form.blocks[seat] = side.sequences, len(side.decisions)
        form.decisions[seat] = _decisions(side.decisions)
    first, second = ((ctypes.c_double * side.sequences)() for side in sides)
    made = library("round2").round3_solve(
        ctypes.byref(form), iterations, LOOK, ctypes.c_double(enough), first, second
    )
    if not made:
        raise MemoryError
    return Solved((first[:], second[:]), made)


def _numbers(found: Iterable[int]) -> "Array[ctypes.c_int32]":
    numbers = array("i", found)
    return (ctypes.c_int32 * len(numbers)).from_buffer(numbers)


def _decisions(blocks: Sequence[DecisionBlock]) -> "Array[_Decisions]":
    return (_Decisions * len(blocks))(
        *(
            _Decisions(len(it.parents), it.first, it.choices, _numbers(it.parents))
            for it in blocks
        )
    )
