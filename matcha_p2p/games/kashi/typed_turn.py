"""A turn as a person types it: each line adds actions to a draft, or takes some back."""

import re
from typing import Final

from matcha_p2p.games.asking import Listing
from matcha_p2p.games.kashi import questions
from matcha_p2p.games.kashi.draft import Draft, begin
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.actions import here
from matcha_p2p.games.kashi.rules.notation import parse_action
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.rules.ways import Map, walk
from matcha_p2p.games.kashi.words import line_sentences as said
from matcha_p2p.games.kashi.words import notation
from matcha_p2p.games.kashi.words.names import bonus_words, place_words, shown
from matcha_p2p.games.kashi.words.seat_words import SeatWords


class TypedTurn:
    """The turn of the seat of ``words``; every method raises RefusedError if a rule refuses.

    draft: the turn so far. shop_of: the order whose bonus shop can be typed now, 0 for none.
    """

    def __init__(self, words: SeatWords, game: GameState) -> None:
        self._words: Final = words
        self.draft = begin(game)
        self._earlier: list[Draft] = []
        self._shop_of = 0

    @property
    def _game(self) -> GameState:
        return self.draft.game

    def obey(self, command: str, rest: str) -> tuple[str, ...] | Listing:
        """Obey "go", "buy", "gold", "shop" or "deliver"; return lines, or a question."""
        match command:
            case "go":
                return self._go(rest)
            case "buy":
                return self._buy(rest)
            case "gold":
                times = _number(rest or "1")
                return self.act(*[moves.TAKE_GOLD] * times) if times else (said.GOLD_HOW(),)
            case "shop":
                return self._lay(rest)
            case _:
                return self._deliver(rest)

    def awaits(self, typed: str) -> bool:
        """Tell whether ``typed`` is a bonus that is asked for."""
        return bool(self._shop_of) and self._wish(typed) is not None

    def choose_bonus(self, typed: str) -> tuple[str, ...]:
        """Fulfil the order whose bonus is typed."""
        return self.act(moves.Fulfil(self._shop_of, self._wish(typed)))

    def act(self, *actions: moves.TurnAction) -> tuple[str, ...]:
        """Add ``actions``: all, or none if a rule refuses one."""
        before = self.draft
        self.draft = before.do(*actions)
        self._earlier.append(before)
        self._shop_of = 0
        told = self._words.actions(before.game, self._words.seat, actions)
        gold = self._game.players[self._words.seat].gold
        return (said.DONE(actions=told, ap=self.draft.ap, gold=gold),)

    def log(self, text: str) -> tuple[str, ...]:
        """Add an action that is written as in a log."""
        return self.act(parse_action(self._game.board, text))

    def undo(self, *, everything: bool) -> tuple[str, ...]:
        """Take back the actions of the last line, or all."""
        before, self._shop_of = self.draft, 0
        self.draft = self._earlier.pop()
        if everything:
            self.draft, self._earlier = begin(before.start), []
        undone = before.made[len(self.draft.made) :]
        actions = self._words.actions(self._game, self._words.seat, undone)
        return (said.UNDONE(actions=actions), said.TURN_Q(ap=self.draft.ap))

    def fulfil(self, number: int) -> tuple[str, ...] | Listing:
        """Fulfil an order, or ask for its bonus."""
        bonus = self._game.board.order(number).bonus
        if not bonus.asks:
            return self.act(moves.Fulfil(number))
        self.draft.do(moves.Fulfil(number, moves.DECLINE))
        if bonus.chosen:
            return questions.wish(self.draft, number, None)
        self._shop_of = number
        return (said.SHOP_Q(bonus=bonus_words(self._game.board, bonus)),)

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
            return self.act(moves.Go(square, over))
        told = self.act(*walk(self._game, square))
        far = Map(self._game, seat).far(here(self._game.players[seat]), square)
        return (*told, said.FAR(place=place_words(board, square), ap=far)) if far else told

    def _buy(self, rest: str) -> tuple[str, ...] | Listing:
        board = self._game.board
        if not rest:
            asked = questions.buying(self.draft, None)
            return asked if isinstance(asked, Listing) else self.act(*asked)
        count, _, back = rest.partition("back ")
        times, good = _number(count.strip() or "1"), notation.find_good(board, back)
        if not times or (back and good is None):
            return (said.BUY_HOW(name=shown(board.goods[0])),)
        return self.act(*[moves.Buy(good)] * times)

    def _lay(self, rest: str) -> tuple[str, ...]:
        if not rest:
            return self.act(moves.LayShop())
        taken = notation.find_square(self._game.board, rest.removeprefix("from "))
        return (said.SHOP_HOW(),) if taken is None else self.act(moves.LayShop(taken))

    def _deliver(self, rest: str) -> tuple[str, ...] | Listing:
        word, _, wish = rest.partition(" ")
        number: int | Listing | None = _number(word)
        if not rest:
            number = questions.delivering(self.draft, self._words, None)
        if isinstance(number, Listing):
            return number
        if number is None or not 0 < number <= len(self._game.board.orders):
            return (said.DELIVER_HOW(order=self._game.row[0]),)
        return self.act(moves.Fulfil(number, self._wish(wish))) if wish else self.fulfil(number)

    def _wish(self, typed: str) -> moves.BonusWish | None:
        """Return the bonus that is typed, or None."""
        board = self._game.board
        square = notation.find_square(board, typed)
        if typed in ("n", "no"):
            return moves.DECLINE
        if square is not None:
            return moves.PlaceShop(square)
        goods = [notation.find_good(board, word) for word in typed.split()]
        chosen = sorted(good for good in goods if good is not None)
        return moves.ChooseGoods(tuple(chosen)) if goods and len(chosen) == len(goods) else None


def _number(text: str) -> int:
    """Return the number that is typed, 0 for anything else."""
    return int(text) if re.fullmatch("[1-9][0-9]?", text) else 0
