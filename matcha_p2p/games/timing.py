"""When the answer of a seat may be signed, so that no time tells of a hand.

The program makes a forced move at once only if all seats know the move
(PEER#windows).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from matcha_p2p.kinds import kind


@kind
class Forced(NamedTuple):
    """All seats know the only legal move. The program makes the move at once."""

    move: Any


@kind
class InWindow(NamedTuple):
    """The seat has the time of ``Rules.window``, then ``quiet`` is its answer.

    Some hands have only ``quiet``, and the other seats do not know which.
    """

    quiet: Any


@kind
class Passing(NamedTuple):
    """Some hands have only ``quiet``, such as a pass. The other seats do not know which."""

    quiet: Any


Timing: TypeAlias = Forced | InWindow | Passing | None
"""When the answer of a seat may be signed; None: when the seat has decided."""


def forced_if_single(moves: Sequence[Any]) -> Forced | None:
    """Return the timing in a game where every seat knows ``moves``, all moves of a seat."""
    match moves:
        case (only,):
            return Forced(only)
        case _:
            return None
