"""The tokens that each seat takes at a mat, and the ways to win (R12, R14, R18 to R21)."""

import functools
from typing import Final, TypeAlias

from matcha_p2p.games.matcha.rules.cards import DEMANDS, Face, Token, beats, matches
from matcha_p2p.games.matcha.rules.edition import Edition
from matcha_p2p.games.matcha.rules.phases import Ended, How
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.plain import Natural

Tokens: TypeAlias = tuple[Natural, Natural, Natural, Natural, Natural]
"""How many of each Token, in its order."""
Gain: TypeAlias = tuple[Token | None, Token | None]  # each seat's token at one mat

NO_TOKENS: Final[Tokens] = (0, 0, 0, 0, 0)


@functools.cache  # 2 kinds of mat, 16 faces shown, 17 of each card
def contest(mat: int, shown: Face, cards: tuple[Face, Face]) -> Gain:
    """Return each seat's token at ``mat`` if both seats have laid a card there (R12).

    The token is of the suit of ``shown``, the table card, not of the cards played (R14).
    """
    demand = DEMANDS[mat]
    match matches(demand, shown, cards[0]), matches(demand, shown, cards[1]):
        case True, True:
            return (shown.suit, None) if beats(demand, *cards) else (None, shown.suit)
        case True, False:
            return shown.suit, Token.WHISK
        case False, True:
            return Token.WHISK, shown.suit
        case _:
            return None, None


def add(tokens: Tokens, gains: tuple[Token | None, ...]) -> Tokens:
    """Return ``tokens`` and the gains together. The supply is unlimited (R4)."""
    counts = list(tokens)
    for token in gains:
        if token is not None:
            counts[token] += 1
    leaf, bowl, water, scoop, whisk = counts
    return leaf, bowl, water, scoop, whisk


@functools.cache  # a game asks for some hundred collections
def condition(edition: Edition, tokens: Tokens) -> How | None:
    """Return the winning condition that ``tokens`` meet, or None (R18).

    A player who meets both conditions at once wins by ALIKE.
    """
    *suits, whisks = tokens
    if max(suits) >= edition.suits_alike or whisks >= edition.whisks_alike:
        return How.ALIKE
    return How.FIVE_KINDS if all(tokens) else None


def leader(tokens: tuple[Tokens, Tokens]) -> Seat | None:
    """Return the seat with more leaf, else bowl, water, scoop, whisk tokens (R19).

    None if all five counts are equal.
    """
    first, second = tokens
    if first == second:
        return None
    return Seat(0) if first > second else Seat(1)


def outcome(
    edition: Edition, tokens: tuple[Tokens, Tokens], *, comparing: bool, last: bool
) -> Ended | None:
    """Judge the end of a round (R18 to R21), or return None while the game goes on.

    comparing: further rounds are being played, only the comparison counts.
    last: no round is left in the edition's sets.
    """
    met = condition(edition, tokens[0]), condition(edition, tokens[1])
    if met == (None, None) and not last:  # of most rounds; while comparing, both have met one
        return None
    ahead = leader(tokens)
    if comparing:
        return None if ahead is None else Ended(ahead, How.FURTHER_ROUNDS)
    match met:
        case None, None:
            return _compared(ahead, How.LAST_SET)
        case How() as how, None:
            return Ended(Seat(0), how)
        case None, How() as how:
            return Ended(Seat(1), how)
        case _ if ahead is None and edition.further_rounds:
            return None
        case _:
            return _compared(ahead, How.TIE_BREAK)


def _compared(ahead: Seat | None, how: How) -> Ended:
    return Ended(None, How.DRAW) if ahead is None else Ended(ahead, how)
