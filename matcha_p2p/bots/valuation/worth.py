"""The worth of one more token of each kind to a player with given tokens."""

import functools
from typing import Final, TypeAlias

from matcha_p2p.rules.cards import Token
from matcha_p2p.rules.edition import Edition
from matcha_p2p.rules.scoring import Tokens, add, condition

Worths: TypeAlias = tuple[float, ...]  # by Token, all positive

# Progress towards a winning condition is divided by this for each token that is missing.
_STEP: Final = 2.0
# The comparison: a leaf counts so much, each following kind half of the one before. Where the
# number of sets is limited the comparison ends most games.
_COMPARED: Final = 0.02
_COMPARED_LIMITED: Final = 0.25


@functools.cache  # a game asks for some hundred collections
def worths(edition: Edition, tokens: Tokens) -> Worths:
    """Return how much nearer to winning one more token of each kind brings ``tokens``."""
    before = _progress(edition, tokens)
    return tuple(_progress(edition, add(tokens, (token,))) - before for token in Token)


def _progress(edition: Edition, tokens: Tokens) -> float:
    alike = sum(_STEP ** -max(0, _needed(edition, token) - tokens[token]) for token in Token)
    five = _STEP ** -tokens.count(0)
    leaf = _COMPARED if edition.sets is None else _COMPARED_LIMITED
    compared = sum(leaf * 0.5**token * tokens[token] for token in Token)
    won = 1.0 if condition(edition, tokens) else 0.0
    return alike + five + compared + won


def _needed(edition: Edition, token: Token) -> int:
    return edition.whisks_alike if token is Token.WHISK else edition.suits_alike
