"""The events of a game in sentences, for the player at the screen (``games/game.py``)."""

from collections.abc import Sequence
from typing import Any, Final, assert_never

from matcha_p2p.games.game import RESIGNED, Unopened
from matcha_p2p.games.kashi import events
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen.phrases import Speaker, order_words
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat


def others(seat: Seat, names: tuple[str, ...]) -> str:
    """Return the names of all others; "" before all have met."""
    return captions.AND().join(name for by, name in enumerate(names) if by != seat)


class Teller:
    """Tells ``seat`` the next event. before: the game before the event."""

    def __init__(self, seat: Seat, names: tuple[str, ...], before: GameState | None) -> None:
        self.seat: Final = seat
        self.name = others(seat, names)
        self._names: Final = names
        self._before: Final = before

    def tell(self, event: events.Event, game: GameState) -> list[str]:
        """Return the sentences about ``event``. game: the game after ``event``."""
        match event:
            case events.Met():
                return []
            case events.FirstDrawn(seat):
                said = captions.BEGINS_YOURS if seat == self.seat else captions.BEGINS
                return [said(name=self.called(seat))]
            case events.Started(seat, square):
                said = captions.STARTS_YOURS if seat == self.seat else captions.STARTS
                return [said(name=self.called(seat), square=game.board.name_of(square))]
            case events.TurnTaken(seat, actions):
                start = None if self._before is None else self._before.players[seat].person
                speaker = Speaker(game.board, self.seat, self._names)
                made = speaker.actions(seat, start, actions)
                return [captions.TURN(name=self.called(seat), actions=made)]
            case _:
                return [self._tell_public(event, game.board)]

    def _tell_public(
        self,
        event: events.OrdersDrawn
        | events.IdleAnswered
        | events.AreasSettled
        | events.UpkeepPaid
        | events.GameEnded,
        board: Board,
    ) -> str:
        match event:
            case events.OrdersDrawn(orders):
                told = [order_words(board, order) for order in orders]
                return captions.DRAWN(orders=captions.THEN.join(told))
            case events.IdleAnswered(seat, settle):
                sentence = captions.ASKS if settle else captions.GOES_ON
                return sentence(name=self.called(seat))
            case events.AreasSettled(number, gains):
                told = [
                    captions.GAIN(name=self.called(Seat(seat)), points=points)
                    for seat, points in enumerate(gains)
                ]
                return captions.SETTLEMENT(number=number, gains=listed(told))
            case events.UpkeepPaid(seat, gold, points):
                return captions.PAYS(name=self.called(seat), gold=gold, points=points)
            case events.GameEnded():
                return self._ending(event)
            case _:
                assert_never(event)

    def _ending(self, end: events.GameEnded) -> str:
        names = captions.AND().join(map(self.called, end.winners))
        if end.how == RESIGNED:
            return captions.WON_BY(names=names)
        if end.winners == (self.seat,):
            return captions.WON_YOURS()
        return captions.WON(names=names)

    def take_up(
        self, game: GameState, names: tuple[str, ...], hand: tuple[Any, ...]
    ) -> list[str]:
        """Return where a resumed game stands."""
        del hand
        around = others(self.seat, names)
        return [captions.STANDING(names=around, settlements=game.settlements)]

    def uncover(self, cards: Sequence[Unopened]) -> list[str]:
        """Return []: the game hides no card."""
        del cards
        return []

    def called(self, seat: Seat) -> str:
        """Return a player's name on this screen."""
        return captions.YOU() if seat == self.seat else self._names[seat]
