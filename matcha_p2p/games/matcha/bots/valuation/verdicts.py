"""The worth of the tokens after a round to seat 0, from lost 0.0 to won 1.0."""

import functools
from typing import Final

from matcha_p2p.games.matcha.bots.solving.masks import unpack_tokens
from matcha_p2p.games.matcha.bots.valuation.values import Values
from matcha_p2p.games.matcha.rules.edition import Edition
from matcha_p2p.games.matcha.rules.phases import Ended
from matcha_p2p.games.matcha.rules.scoring import Tokens, condition, outcome
from matcha_p2p.games.matcha.rules.seats import Seat, opposite

PAIR: Final = 30  # bits of one seat's packed tokens; seat 0 is on top
GOES_ON: Final = -1.0


class Verdicts(dict[int, float]):
    """The verdict on each pair of packed tokens, computed when first asked for.

    A full tie that leads to further rounds (R20) counts as half: either player may win the
    rounds.
    """

    def __init__(
        self, edition: Edition, *, comparing: bool, last: bool, next_dealer: Seat | None
    ) -> None:
        """Judge the end of a round.

        last: whether the set is the edition's last set. next_dealer: the dealer of the next
        set, or None if the set goes on.
        """
        super().__init__()
        self._edition: Final = edition
        self._comparing: Final = comparing
        self._last: Final = last
        self._next_dealer: Final = next_dealer
        self._values: Final = Values.of(edition)

    def __missing__(self, pair: int) -> float:
        """Return the verdict on ``pair``, or GOES_ON while the set goes on."""
        verdict = self[pair] = self._judged(pair)
        return verdict

    def decides(self, pair: int) -> bool:
        """Tell whether the game is over with ``pair``; else the verdict is an estimate."""
        return self._ended(_tokens(pair)) is not None

    def _ended(self, tokens: tuple[Tokens, Tokens]) -> Ended | None:
        return outcome(self._edition, tokens, comparing=self._comparing, last=self._last)

    def _judged(self, pair: int) -> float:
        tokens = _tokens(pair)
        ended = self._ended(tokens)
        if ended is not None:
            return 0.5 if ended.winner is None else float(ended.winner == 0)
        tied = all(condition(self._edition, own) is not None for own in tokens)
        if self._next_dealer is None:
            return 0.5 if tied and not self._comparing else GOES_ON
        if tied:
            return 0.5
        dealer = self._next_dealer
        chance = self._values.chance(tokens[dealer], tokens[opposite(dealer)])
        return 1 - chance if dealer else chance


def _tokens(pair: int) -> tuple[Tokens, Tokens]:
    return unpack_tokens(pair >> PAIR), unpack_tokens(pair & ((1 << PAIR) - 1))


@functools.cache  # two editions, comparing or not, the last set or not, three next dealers
def verdicts_after(
    edition: Edition, *, comparing: bool, last: bool, next_dealer: Seat | None
) -> Verdicts:
    """Return the verdicts on the end of a round, with the verdicts computed before."""
    return Verdicts(edition, comparing=comparing, last=last, next_dealer=next_dealer)
