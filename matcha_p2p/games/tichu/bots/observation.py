"""The knowledge of one seat: its own cards, and the public state of the round."""

import itertools
from dataclasses import dataclass

from matcha_p2p.games.tichu.bots.answers import (
    HOLD,
    PASS,
    TICHU,
    GiveDragon,
    GiveFaces,
    LayFaces,
    Move,
    SayGrand,
)
from matcha_p2p.games.tichu.rules.cards import ACE, FACES, LOWEST, MAH_JONG
from matcha_p2p.games.tichu.rules.moves import legal_plays, may_pass
from matcha_p2p.games.tichu.rules.round import HAND, Ask, Round, seat_after
from matcha_p2p.seats import Seat


@dataclass(frozen=True, slots=True)
class FaceView:
    """All that a seat may use.

    state: what is public. hand: the own faces, ascending. given: the cards that the seat has
    given to the next, the partner and the one before; () before the exchange. received: the
    cards that it got from the same three seats.
    """

    state: Round
    seat: Seat
    hand: tuple[int, ...]
    given: tuple[int, ...] = ()
    received: tuple[int, ...] = ()

    @property
    def ask(self) -> Ask:
        """Return what the seat is asked."""
        return self.state.asked[0][1]

    def may_call(self) -> bool:
        """Tell whether the seat may call Tichu now (T10)."""
        state = self.state
        led = any(len(held) < HAND for held in state.held)
        own = len(state.held[self.seat]) == HAND and not state.calls[self.seat]
        return own and (state.variant.late_tichu or not led)

    def unseen(self) -> list[int]:
        """Return the faces that other hands hold, ascending."""
        won = itertools.chain(*self.state.won, self.state.pile, self.hand)
        return sorted(set(FACES).difference(won))

    def held_by_others(self) -> dict[int, Seat]:
        """Return who holds each card that the seat has given away and not seen since."""
        seen = {*itertools.chain(*self.state.won), *self.state.pile}
        return {
            face: seat_after(self.seat, steps)
            for steps, face in enumerate(self.given, 1)
            if face not in seen
        }

    def legal_moves(self) -> list[Move]:
        """Return the answers among which the seat chooses."""
        calls: list[Move] = [TICHU] if self.may_call() else []
        match self.ask:
            case Ask.GRAND:
                return [SayGrand(called=False), SayGrand(called=True)]
            case Ask.PUSH:
                chosen = itertools.permutations(self.hand, 3)
                return [*calls, *(GiveFaces(faces) for faces in chosen)]
            case Ask.CALL:
                return [HOLD, *calls]
            case Ask.GIFT:
                return [GiveDragon(seat_after(self.seat, steps)) for steps in (1, 3)]
            case Ask.HOLD:
                return [HOLD, *calls, *self._plays()]
            case Ask.TURN:
                passing = [PASS] if may_pass(self.state, self.hand) else []
                return [*passing, *calls, *self._plays()]

    def _plays(self) -> list[Move]:
        """Return the plays, that of the Mah Jong once with each wish."""
        return [
            LayFaces(play, wish)
            for play in legal_plays(self.state, self.hand)
            for wish in ((0, *range(LOWEST, ACE + 1)) if MAH_JONG in play.faces else (0,))
        ]
