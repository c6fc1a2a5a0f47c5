"""The plain forms of Tichu, of an observation and of events (``games/plain.py``)."""

from typing import Final

from matcha_p2p.games.exchange import BotExchange
from matcha_p2p.games.plain import Form, form_of
from matcha_p2p.games.tichu.rules import notation
from matcha_p2p.games.tichu.rules.actions import TichuMove
from matcha_p2p.games.tichu.rules.cards import FACES, Face
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import DEALT_FIRST, SEATS, Ask, seat_after
from matcha_p2p.games.tichu.table.events import GameEnded, TichuEvent


def _check(seen: Observation) -> None:
    """See that the seat is asked, and that each card is there once.

    Raises:
        ValueError: the seat is not asked, or the cards are not those of a round.
    """
    state, hand = seen.state, seen.held
    if seen.asked is None or not hand:
        raise ValueError("the seat is not asked")
    if len(hand) != len(state.held[seen.seat]) or (state.under is None) != (not state.pile):
        raise ValueError("a seat reads its hand, and sees the trick")
    won = [face for faces in state.won for face in faces]
    lying = [*won, *state.pile, *hand.values()]
    others = sum(len(state.held[seat]) for seat in SEATS if seat != seen.seat)
    dealt = len(SEATS) * DEALT_FIRST if seen.asked is Ask.GRAND else len(FACES)
    if len({*lying}) != len(lying) or len(lying) + others != dealt:
        raise ValueError("each card is there once")
    _check_gifts(seen, {*lying})


def _check_gifts(seen: Observation, lying: set[int]) -> None:
    """See that each gift lies open or may still be in its receiver's hand.

    Raises:
        ValueError: the gifts are not those of a round.
    """
    counts, hand = (len(seen.given), len(seen.received)), {*seen.hand}
    different = len({*seen.given, *seen.received}) == sum(counts)
    if counts not in ((0, 0), (3, 3)) or not different or hand & {*seen.given}:
        raise ValueError("three cards were given away")
    if not hand >= {*seen.received}:
        raise ValueError("three cards of the hand are gifts")
    for steps, face in enumerate(seen.given, 1):
        if face not in lying and not seen.state.held[seat_after(seen.seat, steps)]:
            raise ValueError("a gift is in its receiver's hand until it is laid")


EXCHANGE: Final[BotExchange[Observation, TichuMove]] = BotExchange(
    ("tichu",), lambda _: "tichu", form_of(Observation), notation, _check
)
"""All variants have the same rules within a round."""
END: Final[Form[GameEnded]] = form_of(GameEnded)
EVENT: Final[Form[TichuEvent]] = form_of(TichuEvent)
HAND: Final[Form[tuple[int, ...]]] = form_of(tuple[Face, ...])
