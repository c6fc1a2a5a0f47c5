"""Cards as bits and tokens as packed numbers, for bots that look at many thousand positions.

A card is a bit, 1 << its face's index; the two zeros, alike in play, are bits 16 and 17. A set
of cards is the sum of its bits. Tokens are one number, six bits a kind and the leaf on top, so
that comparing two players (R19) means comparing two numbers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.matcha.rules import cards as card_rules
from matcha_p2p.games.matcha.rules.scoring import Tokens

_WIDTH: Final = 6  # bits of a count of tokens
_SUITED: Final = card_rules.FACES[:16]

ZEROS: Final = (1 << 16, 1 << 17)
BLANK: Final = 1 << 18  # stands for any card that matches neither mat of a round
WHISK: Final = 1  # one whisk among packed tokens


def token_bit(token: card_rules.Token) -> int:
    """Return one token of the kind ``token``, packed."""
    return 1 << _WIDTH * (card_rules.Token.WHISK - token)


def pack_tokens(tokens: Tokens) -> int:
    """Return ``tokens`` as one number.

    Raises:
        ValueError: a count is negative, or has more than its six bits.
    """
    if not 0 <= min(tokens) <= max(tokens) < 1 << _WIDTH:
        raise ValueError("so many tokens cannot be packed")
    return sum(
        count * token_bit(token) for token, count in zip(card_rules.Token, tokens, strict=True)
    )


def unpack_tokens(packed: int) -> Tokens:
    """Return the tokens that ``pack_tokens`` has turned into ``packed``."""
    leaf, bowl, water, scoop, whisk = (
        packed // token_bit(token) % (1 << _WIDTH) for token in card_rules.Token
    )
    return leaf, bowl, water, scoop, whisk


def bits_of(faces: Iterable[card_rules.Face], zeros: Iterable[int]) -> list[int]:
    """Return the bit of each card; the first zero gets the first of ``zeros``, and so on."""
    names = iter(zeros)
    return [next(names) if face == card_rules.ZERO else 1 << face.index for face in faces]


@dataclass(frozen=True, slots=True)
class Mat:
    """The effects of a mat on cards.

    token: the winner's token, packed. matching: the cards that fulfil the mat's demand. beaten:
    the matching cards that lose to each matching card.
    """

    token: int
    matching: int
    beaten: dict[int, int]


def mat_of(mat: int, shown: card_rules.Face) -> Mat:
    """Return the mat 0..5 on which ``shown`` lies, never a zero."""
    return _MATS[card_rules.DEMANDS[mat]][shown.index]


def _made(demand: card_rules.Demand, shown: card_rules.Face) -> Mat:
    fitting = [
        face for face in _SUITED if face != shown and card_rules.matches(demand, shown, face)
    ]
    beaten = {
        1 << face.index: sum(
            1 << other.index
            for other in fitting
            if other != face and card_rules.beats(demand, face, other)
        )
        for face in fitting
    }
    suit = card_rules.Token.WHISK if shown.suit is None else shown.suit
    return Mat(token_bit(suit), sum(beaten), beaten)


_MATS: Final = {
    demand: [_made(demand, shown) for shown in _SUITED] for demand in card_rules.Demand
}


def award(mat: Mat, first: int, second: int, tokens: list[int]) -> None:
    """Add to the packed ``tokens`` the gains of two cards at ``mat`` (R12); 0 is no card."""
    if first and second:
        if first & mat.matching:
            if not second & mat.matching:
                tokens[0] += mat.token
                tokens[1] += WHISK
            elif second & mat.beaten[first]:
                tokens[0] += mat.token
            else:
                tokens[1] += mat.token
        elif second & mat.matching:
            tokens[0] += WHISK
            tokens[1] += mat.token
    elif first:
        tokens[0] += mat.token
    elif second:
        tokens[1] += mat.token


class Cards(dict[int, tuple[int, ...]]):
    """Caches the bits in each set of cards; of two zeros only the first."""

    def __missing__(self, cards: int) -> tuple[int, ...]:
        """Return the bits of ``cards``, from the lowest."""
        named = cards & ~ZEROS[1] if cards & ZEROS[0] else cards
        bits = tuple(1 << at for at in range(18) if named >> at & 1)
        self[cards] = bits
        return bits


class CardsOrNone(dict[int, tuple[int, ...]]):
    """Caches as Cards does, with a 0 at the end that stands for no card."""

    def __missing__(self, cards: int) -> tuple[int, ...]:
        """Return the bits of ``cards``, from the lowest, and 0."""
        bits = (*CARDS[cards], 0)
        self[cards] = bits
        return bits


CARDS: Final = Cards()
CARDS_OR_NONE: Final = CardsOrNone()
