"""A turn as a person types it: each line adds actions to a draft, or takes some back."""

import re
from typing import Final

from matcha_p2p.console.lines import company
from matcha_p2p.games.kashi.draft import Draft, begin
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.actions import here
from matcha_p2p.games.kashi.rules.notation import parse_action
from matcha_p2p.games.kashi.rules.orders import OrderCard
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.rules.ways import Map, walk
from matcha_p2p.games.kashi.words import line_sentences as said
from matcha_p2p.games.kashi.words import notation
from matcha_p2p.games.kashi.words.names import bonus_words, place_words, shown
from matcha_p2p.games.kashi.words.seat_words import SeatWords


class TypedTurn:
    """The turn of the seat of ``words``.

    draft: the turn so far. bonus_of: the order whose bonus can be typed now, or None. refused:
    the latest refusal, () at first.
    """

    def __init__(self, words: SeatWords, game: GameState) -> None:
        self._words: Final = words
        self.draft = begin(game)
        self._earlier: list[Draft] = []
        self.bonus_of: OrderCard | None = None
        self.refused: tuple[str, ...] = ()

    @property
    def _game(self) -> GameState:
        return self.draft.game

    def obey(self, command: str, rest: str) -> tuple[str, ...]:
        """Obey "go", "buy", "gold", "shop", "deliver", "undo" or "log"."""
        match command:
            case "go":
                return self._go(rest)
            case "buy":
                return self._buy(rest)
            case "gold":
                times = _number(rest or "1")
                return self._act(*[moves.TAKE_GOLD] * times) if times else (said.GOLD_HOW(),)
            case "shop":
                return self._lay(rest)
            case "deliver":
                return self._deliver(rest)
            case "undo":
                return self._undo(everything=rest == "all")
            case _:
                return self._act_as_logged(rest)

    def choose_bonus(self, typed: str) -> tuple[str, ...]:
        """Fulfil the order whose bonus is typed; return () if ``typed`` is no bonus."""
        wish = None if self.bonus_of is None else self._wish(typed)
        if self.bonus_of is None or wish is None:
            return ()
        return self._act(moves.Fulfil(self.bonus_of.number, wish))

    def _act(self, *actions: moves.TurnAction) -> tuple[str, ...]:
        """Add ``actions``: all, or none if a rule refuses one."""
        before = self.draft
        try:
            self.draft = before.do(*actions)
        except RefusedError as refused:
            return self._refuse(refused)
        self._earlier.append(before)
        self.bonus_of = None
        told = self._words.actions(before.game, self._words.seat, actions)
        gold = self._game.players[self._words.seat].gold
        return (said.DONE(actions=told, ap=self.draft.ap, gold=gold),)

    def _refuse(self, refused: RefusedError) -> tuple[str, ...]:
        self.refused = (said.REFUSED(rule=refused.rule, why=refused.reason()),)
        return self.refused

    def _act_as_logged(self, text: str) -> tuple[str, ...]:
        try:
            action = parse_action(self._game.board, text)
        except RefusedError as refused:
            return self._refuse(refused)
        return self._act(action)

    def _undo(self, *, everything: bool) -> tuple[str, ...]:
        before, self.bonus_of = self.draft, None
        self.draft = self._earlier.pop()
        if everything:
            self.draft, self._earlier = begin(before.start), []
        undone = before.made[len(self.draft.made) :]
        actions = self._words.actions(self._game, self._words.seat, undone)
        return (said.UNDONE(actions=actions), said.TURN_Q(ap=self.draft.ap))

    def _go(self, rest: str) -> tuple[str, ...]:
        board, seat = self._game.board, self._words.seat
        where, _, whose = rest.partition(" over ")
        square = notation.find_place(board, where)
        if square is None:
            return (said.NO_PLACE(name=shown(board.goods[0])),)
        if whose:
            over = notation.find_seat(self._words.names, whose)
            if over is None:
                return (said.NO_PLAYER(name=self._words.names[seat]),)
            return self._act(moves.Go(square, over))
        before, told = self.draft, self._act(*walk(self._game, square))
        far = Map(self._game, seat).far(here(self._game.players[seat]), square)
        if self.draft == before or not far:
            return told
        return (*told, said.FAR(place=place_words(board, square), ap=far))

    def _buy(self, rest: str) -> tuple[str, ...]:
        board = self._game.board
        count, _, back = rest.partition("back ")
        times, good = _number(count.strip() or "1"), notation.find_good(board, back)
        if not times or (back and good is None):
            return (said.BUY_HOW(name=shown(board.goods[0])),)
        return self._act(*[moves.Buy(good)] * times)

    def _lay(self, rest: str) -> tuple[str, ...]:
        if not rest:
            return self._act(moves.LayShop())
        taken = notation.find_square(self._game.board, rest.removeprefix("from "))
        return (said.SHOP_HOW(),) if taken is None else self._act(moves.LayShop(taken))

    def _deliver(self, rest: str) -> tuple[str, ...]:
        word, _, wish = rest.partition(" ")
        board, number = self._game.board, _number(word)
        if not 0 < number <= len(board.orders):
            return (said.DELIVER_HOW(order=self._game.row[0]),)
        order = board.order(number)
        if wish or not order.bonus.asks:
            return self._act(moves.Fulfil(number, self._wish(wish)))
        try:
            self.draft.do(moves.Fulfil(number, moves.DECLINE))
        except RefusedError as refused:
            return self._refuse(refused)
        return self._ask_bonus(order)

    def _ask_bonus(self, order: OrderCard) -> tuple[str, ...]:
        self.bonus_of = order
        board, bonus = self._game.board, bonus_words(self._game.board, order.bonus)
        if order.bonus.shop:
            return (said.SHOP_Q(bonus=bonus),)
        example = " ".join(map(shown, board.goods[: order.bonus.chosen]))
        return (said.GOODS_Q(bonus=bonus, example=example),)

    def _wish(self, typed: str) -> moves.BonusWish | None:
        """Return the bonus that is typed, or None."""
        board = self._game.board
        square = notation.find_square(board, typed)
        if typed in company.NO:
            return moves.DECLINE
        if square is not None:
            return moves.PlaceShop(square)
        goods = [notation.find_good(board, word) for word in typed.split()]
        chosen = sorted(good for good in goods if good is not None)
        return moves.ChooseGoods(tuple(chosen)) if goods and len(chosen) == len(goods) else None


def _number(text: str) -> int:
    """Return the number that is typed, 0 for anything else."""
    return int(text) if re.fullmatch("[1-9][0-9]?", text) else 0
