"""The question for an analysis."""

from dataclasses import dataclass
from typing import TypeAlias

from matcha_p2p.seats import Seat

Exchanged: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""What a seat has given and received in a round, in no order."""


@dataclass(frozen=True, slots=True)
class Analyse:
    """The person asks for the analysis of a finished game. exchanged: by the round's number."""

    transcript: bytes
    seat: Seat
    exchanged: dict[int, Exchanged]
