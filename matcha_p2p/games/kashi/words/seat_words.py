"""The events of Kashi-ichi in sentences for a player (``games/game.py``)."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, assert_never

from matcha_p2p.games.kashi.board.board import Board, places
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.actions import TAKEN
from matcha_p2p.games.kashi.rules.game import TABLES
from matcha_p2p.games.kashi.rules.orders import ORDERS
from matcha_p2p.games.kashi.rules.settlement import score
from matcha_p2p.games.kashi.rules.state import ROW, GameState
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.words import game_sentences as said
from matcha_p2p.games.kashi.words import names as called
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat

ONLOOKER: Final = Seat(TABLES[-1])
"""No seat of a table: the sentences name every player."""


class SeatWords:
    """Tells ``seat`` one game.

    name: the other players' names, joined. names: the players' names, by seat; () before all
    have met. before: the game so far.
    """

    hides = False

    def __init__(
        self, seat: Seat, names: tuple[str, ...] = (), before: GameState | None = None
    ) -> None:
        self.seat: Final = seat
        self._meet(names)
        self._before = before

    def name_of(self, seat: Seat) -> str:
        """Return the name of ``seat``; the reader is "you"."""
        return said.YOU() if seat == self.seat else self.names[seat]

    def say(self, seat: Seat, yours: Sentence, named: Sentence, **fields: object) -> str:
        """Return a sentence about ``seat``: ``yours`` for the reader."""
        return yours(**fields) if seat == self.seat else named(name=self.names[seat], **fields)

    def tell(self, event: events.Event, game: GameState) -> list[str]:
        """Return the sentences about ``event``, a sentence a line. game: after the event."""
        before, self._before = self._before or game, game
        board = game.board
        match event:
            case events.Met(names=names):
                self._meet(names)
                return [said.MET(name=self.name)]
            case events.FirstDrawn(seat):
                return [self.say(seat, said.FIRST_YOURS, said.FIRST)]
            case events.Started(seat, square):
                name = board.name_of(square)
                return [self.say(seat, said.STARTED_YOURS, said.STARTED, square=name)]
            case events.TurnTaken(seat, ()):
                return [self.say(seat, said.NO_ACTION_YOURS, said.NO_ACTION)]
            case events.TurnTaken(seat, actions):
                told = self.actions(before, seat, actions)
                return [self.say(seat, said.TURN_YOURS, said.TURN, actions=told)]
            case events.OrdersDrawn(orders):
                title = said.ROW if len(game.drawn) == ROW else said.DRAWN
                return [title(), *self._orders(board, orders)]
            case events.IdleAnswered() | events.AreasSettled() | events.UpkeepPaid():
                return [self._tell_settling(event)]
            case events.GameEnded():
                return self._tell_end(event)
            case _:
                assert_never(event)

    def actions(self, game: GameState, seat: Seat, actions: Iterable[moves.TurnAction]) -> str:
        """Return actions of ``seat`` in words. game: before the actions."""
        told: list[str] = []
        at = game.players[seat].person
        for action in actions:
            told.append(self._action(game.board, seat, at or 0, action))
            at = action.square if isinstance(action, moves.Go) else at
        return "; ".join(told)

    def _action(self, board: Board, seat: Seat, at: int, action: moves.TurnAction) -> str:
        match action:
            case moves.Go(square, over):
                return self._way(board, seat, square, over)
            case moves.Buy(back):
                good = called.tile_name(board, at)
                if back is None:
                    return said.BUYS(good=good)
                return said.SWAPS(good=good, back=called.shown(board.goods[back]))
            case moves.TakeGold():
                return said.GOLD(gold=TAKEN)
            case moves.LayShop(taken):
                here = board.name_of(at)
                if taken is None:
                    return said.SHOP(square=here)
                return said.RELAID(taken=board.name_of(taken), square=here)
            case moves.Fulfil(order, wish):
                return _fulfilled(board, self.order(board, order), wish)
            case _:
                assert_never(action)

    def order(self, board: Board, number: int) -> str:
        """Return an order by its number."""
        del board
        return said.NUMBERED(order=number)

    def _way(self, board: Board, seat: Seat, square: int, over: Seat | None) -> str:
        place = called.place_words(board, square)
        if over is None:
            return said.STEP(place=place)
        if over == seat:
            return said.OVER_OWN(place=place)
        if over == self.seat:
            return said.OVER_YOURS(place=place)
        return said.OVER(place=place, owner=self.names[over])

    def _tell_settling(
        self, event: events.IdleAnswered | events.AreasSettled | events.UpkeepPaid
    ) -> str:
        match event:
            case events.IdleAnswered(seat, settle=True):
                return self.say(seat, said.SETTLE_YOURS, said.SETTLE)
            case events.IdleAnswered(seat):
                return self.say(seat, said.ON_YOURS, said.ON)
            case events.AreasSettled(number, gains):
                return said.SETTLED(number=number, gains=self._by_seat(gains))
            case events.UpkeepPaid(seat, gold, 0):
                return self.say(seat, said.PAID_YOURS, said.PAID, gold=gold)
            case events.UpkeepPaid(seat, gold, points):
                fields = {"gold": gold, "points": points}
                return self.say(seat, said.LOSES_YOURS, said.LOSES, **fields)

    def _tell_end(self, end: events.GameEnded) -> list[str]:
        gone = end.resigned
        resigned = [] if gone is None else [self.say(gone, said.RESIGNED_YOURS, said.RESIGNED)]
        others = [self.names[seat] for seat in end.winners if seat != self.seat]
        if self.seat in end.winners:
            won = said.SHARED_YOURS(name=_joined(others)) if others else said.WIN_YOURS()
        else:
            won = (said.SHARED if len(others) > 1 else said.WINS)(name=_joined(others))
        return [*resigned, *self.tell_final(end), won]

    def tell_final(self, end: events.GameEnded) -> list[str]:
        """Return the points of all players at the end."""
        return [
            said.SCORE(
                name=self.name_of(Seat(seat)),
                points=own.points,
                track=own.track,
                orders=own.orders,
                sets=own.sets,
                gold=own.gold,
            )
            for seat, own in enumerate(end.scores)
        ]

    def take_up(
        self, game: GameState, names: tuple[str, ...], hand: tuple[Any, ...]
    ) -> list[str]:
        """Return where a resumed game stands. names: by seat. hand: ()."""
        del hand
        self._meet(names)
        self._before = game
        number = game.turns // len(game.players) + 1
        told = [said.TAKEN_UP(name=self.name, number=number)]
        return [*told, *self.tell_row(game), *self.tell_score(game), *self.tell_own(game)]

    def uncover(self, cards: Sequence[Any]) -> list[str]:
        """Return a sentence: this game has no hidden ``cards``."""
        del cards
        return [said.NOTHING_HIDDEN()]

    def tell_row(self, game: GameState) -> list[str]:
        """Return the open orders, and the size of the deck."""
        deck = said.DECK(deck=ORDERS - len(game.drawn), settlements=game.settlements)
        return [said.ROW(), *self._orders(game.board, game.row), deck]

    def tell_own(self, game: GameState) -> list[str]:
        """Return the place, gold and goods of the reader, () before the start."""
        own = game.players[self.seat]
        if own.person is None:
            return []
        goods, place = (
            called.goods_words(game.board, own.goods),
            called.place_words(game.board, own.person),
        )
        return [said.OWN(place=place, gold=own.gold, goods=goods)]

    def tell_score(self, game: GameState) -> list[str]:
        """Return the points and belongings of all players."""
        return [
            said.STANDS(
                name=self.name_of(Seat(seat)),
                track=own.points,
                points=score(game.board, own).points,
                gold=own.gold,
                goods=called.goods_words(game.board, own.goods),
                laid=len(own.shops),
                hand=own.hand,
                orders=len(own.orders),
            )
            for seat, own in enumerate(game.players)
        ]

    def tell_areas(self, game: GameState) -> list[str]:
        """Return the points of each area, and the number of shops of each player there."""
        return [
            said.AREA(
                area=called.area_letter(game.board, area),
                values="-".join(map(str, area.values)),
                shops=self._by_seat(
                    sum(ground >> square & 1 for square in own.shops) for own in game.players
                ),
            )
            for area, ground in zip(game.board.areas, game.board.grounds, strict=True)
        ]

    def tell_board(self, game: GameState) -> list[str]:
        """Return the rows of the market, square by square."""
        board = game.board
        rows: dict[int, list[str]] = {}
        for (row, column), letter in places(board.grid):
            square = board.square(row, column)
            cell = called.tile_name(board, square) or letter
            things = [*self._shops(game, square), *self._persons(game, square)]
            if things:
                cell = said.CELL(place=cell, things=listed(things))
            rows.setdefault(row + 1, []).append(cell)
        return [said.MARKET_ROW(row=row, cells=listed(cells)) for row, cells in rows.items()]

    def _shops(self, game: GameState, square: int) -> list[str]:
        return [
            self.say(seat, said.SHOPS_YOURS, said.SHOPS_OF)
            for seat in game.seats
            for _ in range(game.players[seat].shops.count(square))
        ]

    def _persons(self, game: GameState, square: int) -> list[str]:
        return [
            self.name_of(seat) for seat in game.seats if game.players[seat].person == square
        ]

    def _orders(self, board: Board, orders: Iterable[int]) -> list[str]:
        return [called.order_words(board, board.order(number)) for number in orders]

    def _by_seat(self, numbers: Iterable[int]) -> str:
        return listed(
            said.OF_SEAT(name=self.name_of(Seat(seat)), number=number)
            for seat, number in enumerate(numbers)
        )

    def _meet(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.name = _joined([name for seat, name in enumerate(names) if seat != self.seat])


def _fulfilled(board: Board, order: str, wish: moves.BonusWish | None) -> str:
    match wish:
        case None:
            return said.DONE(order=order)
        case moves.Decline():
            return said.DONE_NO(order=order)
        case moves.ChooseGoods(goods):
            return said.DONE_GOODS(order=order, goods=called.chosen_words(board, goods))
        case moves.PlaceShop(square):
            return said.DONE_SHOP(order=order, square=board.name_of(square))
        case _:
            assert_never(wish)


def _joined(names: Sequence[str]) -> str:
    first, last = ", ".join(names[:-1]), "".join(names[-1:])
    return said.AND(first=first, last=last) if first else last
