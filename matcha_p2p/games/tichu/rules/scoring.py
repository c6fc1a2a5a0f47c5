"""What a round and a game count (T3, T9, T29, T30, T32)."""

from typing import Final, TypeAlias

from matcha_p2p.games.tichu.rules.cards import points
from matcha_p2p.games.tichu.rules.round import SEATS, TEAMS, Round, is_double

Points: TypeAlias = tuple[int, int]
"""By team."""

TARGET: Final = 1000
DOUBLE: Final = 200
"""What a double victory counts (T29)."""
_ALL: Final = 100
"""What all cards count together."""


def score(state: Round) -> Points:
    """Return what a finished round brings to each team.

    Raises:
        ValueError: the round is not over.
    """
    if not state.is_over:
        raise ValueError("the round is not over")
    first = state.out[0]
    totals = [sum(_call(state, seat) for seat in team) for team in TEAMS]
    if is_double(state.out):
        totals[first % 2] += DOUBLE
        return totals[0], totals[1]
    by_seat = [points(faces) for faces in state.won]
    (last,) = (seat for seat in SEATS if seat not in state.out)
    totals[1 - last % 2] += _ALL - sum(by_seat)  # the last hand
    by_seat[first] += by_seat[last]
    by_seat[last] = 0
    for seat in SEATS:
        totals[seat % 2] += by_seat[seat]
    return totals[0], totals[1]


def _call(state: Round, seat: int) -> int:
    return state.calls[seat] if seat == state.out[0] else -state.calls[seat]


def winner(totals: Points, target: int = TARGET) -> int | None:
    """Return the team that has won with ``totals``, or None: another round is played."""
    if totals[0] == totals[1] or max(totals) < target:
        return None
    return totals.index(max(totals))
