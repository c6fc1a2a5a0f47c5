"""The worth of one more token of each kind to a player with given tokens."""

import functools
from typing import Final, TypeAlias

from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.edition import Edition
from matcha_p2p.games.matcha.rules.scoring import Tokens, add, condition

Worths: TypeAlias = tuple[float, ...]  # by Token, all positive

# Progress towards a winning condition is divided by this number for each missing token.
_STEP: Final = 2.0
# The comparison: the weight of a leaf; each next kind weighs half of the kind before. If the
# number of sets is limited, the comparison ends most games.
_COMPARED: Final = 0.02
_COMPARED_LIMITED: Final = 0.25


@functools.cache  # a game asks for some hundred collections
def worths(edition: Edition, tokens: Tokens) -> Worths:
    """Return by token how much nearer to winning one more such token brings ``tokens``."""
    won = condition(edition, tokens) is not None
    five = _STEP ** -tokens.count(0)
    leaf = _COMPARED if edition.sets is None else _COMPARED_LIMITED
    found: list[float] = []
    for token in Token:
        missing = max(0, _needed(edition, token) - tokens[token])
        alike = _STEP ** -max(0, missing - 1) - _STEP**-missing
        new = five * _STEP - five if tokens[token] == 0 else 0.0
        wins = not won and condition(edition, add(tokens, (token,))) is not None
        found.append(alike + new + leaf * 0.5**token + wins)
    return tuple(found)


def _needed(edition: Edition, token: Token) -> int:
    return edition.whisks_alike if token is Token.WHISK else edition.suits_alike
