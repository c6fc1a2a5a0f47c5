"""After a game: each seat exposes its key if both offer to, the loser first."""

from typing import Final

from matcha_p2p.chain import Chain
from matcha_p2p.machine.table import SEATS


class Books:
    """Who offers to open its book, and whose turn it is to. wanted: whether this seat does."""

    def __init__(self, chain: Chain, *, wanted: bool) -> None:
        self._chain: Final = chain
        self.wanted: Final = wanted
        self.offered = False  # by the peer

    @property
    def open(self) -> bool:
        """Whether both books are open."""
        return self._chain.exposed == frozenset(SEATS)

    @property
    def due(self) -> bool:
        """Whether this seat has to open its book now."""
        exposed = self._chain.exposed
        mine = self._chain.seat in exposed
        return self.wanted and self.offered and not mine and (self._goes_first or bool(exposed))

    @property
    def _goes_first(self) -> bool:
        """Whether this seat has lost; in a draw, whether it is seat 0."""
        ended = self._chain.ended
        winner = None if ended is None else ended.ended.winner
        return self._chain.seat == (0 if winner is None else 1 - winner)
