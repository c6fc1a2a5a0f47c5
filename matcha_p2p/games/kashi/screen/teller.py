"""The events of a game in sentences beside the board, which shows the rest."""

from typing import Any

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.words.names import goods_words, shown
from matcha_p2p.games.kashi.words.seat_words import SeatWords


class Teller(SeatWords):
    """Tells the events as line mode does, but for what the board shows as well."""

    def tell(self, event: events.Event, game: GameState) -> list[str]:
        """Return the sentences about ``event``. game: the game after ``event``."""
        match event:
            case events.Met():
                return []
            case events.OrdersDrawn(orders):
                told = "; ".join(self.order(game.board, order) for order in orders)
                return [captions.DRAWN(orders=told)]
            case events.GameEnded(resigned=gone):
                first, *_, won = super().tell(event, game)
                return [won] if gone is None else [first, won]
            case _:
                return super().tell(event, game)

    def take_up(
        self, game: GameState, names: tuple[str, ...], hand: tuple[Any, ...]
    ) -> list[str]:
        """Return the round in which a resumed game stands."""
        return super().take_up(game, names, hand)[:1]

    def order(self, board: Board, number: int) -> str:
        """Return an order by its goods and guest: the screen shows no number."""
        order = board.order(number)
        goods, guest = goods_words(board, order.goods), shown(board.guests[order.guest])
        return captions.ORDER(goods=goods, guest=guest)
