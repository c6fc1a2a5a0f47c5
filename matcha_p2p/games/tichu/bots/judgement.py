"""The worth of the answers of a decision: plain values, for bots and coaches alike."""

from typing import NamedTuple

from matcha_p2p.games.tichu.rules.actions import TichuMove


class JudgedMove(NamedTuple):
    """An answer, and by how many points its team then wins the round, on average.

    points: None if no round was played out. error: the standard error of the distance to the
    points of the recommended answer.
    """

    move: TichuMove
    points: float | None
    error: float = 0.0


class Judgement(NamedTuple):
    """Answers of one decision, the recommended answer first; not all that are legal."""

    moves: tuple[JudgedMove, ...]
