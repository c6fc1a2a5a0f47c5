"""Kashi-ichi in steps of the table, a transcription of the boxes (SPEC#kashi).

Each method does a box, whose name stands in the docstring. Numbered comments are the lines of
a box.
"""

from copy import deepcopy
from typing import ClassVar, cast

from cards import Cards
from codec import H, Packable, Stream, require
from kashi_board import SHIPPED, read_board
from kashi_turn import Player, Turn
from messages import Forms
from steps import Move, Step, coin, decide, over

SETTLEMENTS = 3
ROW = 5
VARIANT = "ichi"


class Kashi:
    """A game of Kashi-ichi. The attributes have the names of SPEC#kashi-state.

    judged: the last turn that was judged, with all its actions made.
    """

    name: ClassVar = "kashi"
    teams: ClassVar = False
    faces: ClassVar = range(0)
    forms: ClassVar[Forms] = {
        "start": [(int, 0, 9999)],
        "turn": [(list, 19, 31_000_000)],
        "upkeep": [(int, 0, 99)],
        "on": [],
        "settle": [],
    }
    judged: Turn

    def __init__(self, variant: str, seats: int) -> None:
        named, space, text = variant.partition(" ")
        require(named == VARIANT, "E_GAME")
        require(text != SHIPPED, "E_GAME")
        self.board = read_board(text if space else SHIPPED)
        self.variant, self.seats = variant, seats
        self.values = [self.board.digest]
        self.first, self.closer = 0, seats - 1
        self.phase: list[Packable] = ["toss"]
        self.turns = self.settlements = self.quiet = 0
        self.drawn: list[int] = []
        self.row: list[int] = []
        self.players: list[Player] = []

    def _seat_players(self) -> None:
        begin = self.board.begins[self.seats]
        places = [(seat - self.first) % self.seats for seat in range(self.seats)]
        self.players = [
            Player(begin.gold[place], begin.points[place], begin.hand, 2 * begin.later)
            for place in places
        ]

    def _around(self, seat: int) -> list[int]:
        return [(seat + count) % self.seats for count in range(self.seats)]

    # -- Steps -------------------------------------------------------------------------------

    def begin(self, cards: Cards) -> Step:
        """Toss for the first seat."""
        del cards
        return coin(self._around(self.closer), self._tossed)

    def _tossed(self, value: bytes) -> Step:
        """Draw the first seat, BEGIN."""
        self.first = Stream(H("first", value)).uniform(self.seats)  # 1
        self._seat_players()  # 2
        return self._ask("start", self.first)  # 3

    def _ask(self, phase: str, seat: int, *rest: Packable) -> Step:
        self.phase = [phase, seat, *rest]
        return decide(seat, self._moved)

    def _moved(self, moves: dict[int, Move]) -> Step:
        """Go on after a move, which was judged."""
        ((seat, (name, *fields)),) = moves.items()
        self.closer = seat
        numbers = cast("list[int]", fields)
        match name:
            case "start":
                return self.started(seat, numbers[0])
            case "turn":
                return self.turned()
            case "upkeep":
                return self.paid(seat, numbers[0])
            case "settle":
                return self.settle()
            case _:
                return self._went_on()

    def started(self, seat: int, square: int) -> Step:
        """Put a person on the board, STARTED."""
        self.players[seat].person = square  # 1
        later = (seat + 1) % self.seats  # 2
        if later != self.first:
            return self._ask("start", later)
        self.phase = ["open"]
        return coin(self._around(self.closer), self._opened)

    def _opened(self, value: bytes) -> Step:
        self.draw(value, ROW)
        return self.next()

    def next(self) -> Step:
        """Ask for the next turn, NEXT."""
        seat = (self.first + self.turns) % self.seats
        ap = self.board.ap[self.turns] if self.turns < self.seats else 5
        return self._ask("turn", seat, ap)

    def turned(self) -> Step:
        """Go on after a turn, TURN 2 and 3."""
        turn = self.judged
        self.players, self.row = turn.players, turn.row
        self.turns += 1  # 2
        self.quiet = 0 if turn.count else self.quiet + 1
        k = min(turn.count, 30 - len(self.drawn))  # 3
        if k:
            self.phase = ["draw", k]
            return coin(self._around(self.closer), self._refilled)
        if self.quiet == self.board.idle * self.seats:  # idle 0: quiet is above 0 here
            return self._questions(self._around((self.first + self.turns) % self.seats))
        return self.next()

    def _refilled(self, value: bytes) -> Step:
        count = cast("int", self.phase[1])
        self.draw(value, count)
        if any(self.board.orders[number].settle for number in self.drawn[-count:]):
            return self.settle()
        return self.next()

    def draw(self, value: bytes, count: int) -> None:
        """Draw orders, ORDERS."""
        stream = Stream(H("draw", value))
        for _ in range(count):
            p = len(self.drawn) % 10  # 1
            ten = self.drawn[len(self.drawn) - p :]
            settle = 0  # 2
            if p >= 7 and not any(self.board.orders[number].settle for number in ten):
                settle = int(stream.uniform(10 - p) == 0)
            pool = [
                number
                for number, order in self.board.orders.items()
                if order.settle == settle and number not in self.drawn
            ]
            self.drawn.append(pool[stream.uniform(len(pool))])  # 3
        self.row = sorted(self.row + self.drawn[-count:])

    def _questions(self, seats: list[int]) -> Step:
        self.phase = ["idle", seats]
        return decide(seats[0], self._moved)

    def _went_on(self) -> Step:
        _, *later = cast("list[int]", self.phase[1])
        if later:
            return self._questions(later)
        self.quiet = 0
        return self.next()

    # -- Settlements -------------------------------------------------------------------------

    def settle(self) -> Step:
        """Settle, SETTLE."""
        self.settlements += 1  # 1
        self.quiet = 0
        for letter, v in self.board.areas.items():  # 2
            counts = [
                sum(self.board.grid[shop] == letter for shop in player.shops)
                for player in self.players
            ]
            for player, count in zip(self.players, counts, strict=True):
                r, k = sum(other > count for other in counts), counts.count(count)
                player.points += sum(v[r : r + k]) // k if count else 0
        latest = self._around(self.first)[::-1]  # 3
        return self._pay(sorted(latest, key=lambda seat: -self.players[seat].points))

    def _pay(self, seats: list[int]) -> Step:
        self.phase = ["pay", seats]
        return decide(seats[0], self._moved)

    def paid(self, seat: int, gold: int) -> Step:
        """Take the upkeep, PAID 2 to 5."""
        player = self.players[seat]
        player.gold -= gold  # 2
        player.points = max(0, player.points - len(player.shops) + gold)
        _, *later = cast("list[int]", self.phase[1])  # 3
        if later:
            return self._pay(later)
        if self.settlements == SETTLEMENTS:  # 4
            self.phase = ["end", self.winners(None)]
            return over(self._around(self.closer))
        more = self.board.begins[self.seats].later  # 5
        for each in self.players:
            each.hand += more
            each.aside -= more
        return self.next()

    def _mark(self, player: Player) -> tuple[int, int, int]:
        """Return a, b and c, WINNERS 1."""
        orders = [self.board.orders[number] for number in player.done]
        guests = [order.guest for order in orders]
        sets = min(guests.count(guest) for guest in range(3))
        made, left = divmod(player.gold + sum(player.goods), 5)
        points = player.points + sum(order.points for order in orders) + 6 * sets + made
        return points, len(orders), left

    # -- Moves -------------------------------------------------------------------------------

    def judge(self, seat: int, move: Move) -> None:
        """Refuse with E_RULE a move that the rules forbid."""
        name, *fields = cast("tuple[str, *tuple[int, ...]]", tuple(move))
        asked = {"start": "start", "turn": "turn", "upkeep": "pay", "on": "idle"}
        require(asked.get(name, "idle") == self.phase[0], "E_RULE")
        match name:
            case "start":
                require(fields[0] in self.board.starts, "E_RULE")
            case "turn":
                ap = cast("int", self.phase[2])
                turn = Turn(self.board, deepcopy(self.players), [*self.row], seat, ap)
                for number in fields:
                    turn.act(number)
                self.judged = turn
            case "upkeep":
                player = self.players[seat]
                require(fields[0] <= min(player.gold, len(player.shops)), "E_RULE")
            case _:
                pass

    def state(self) -> Packable:
        """Return the state array."""
        players = [player.state() for player in self.players]
        return (
            *(self.first, self.phase, self.turns, self.settlements),
            *(self.quiet, self.drawn, self.row, players),
        )

    def result(self) -> list[int] | None:
        """Return the winners, or None while the game is undecided."""
        return cast("list[int]", self.phase[1]) if self.phase[0] == "end" else None

    def winners(self, resigned: int | None) -> list[int]:
        """Return WINNERS without ``resigned``; in the phase toss all other seats."""
        left = [seat for seat in range(self.seats) if seat != resigned]
        if self.phase[0] == "toss":
            return left
        marks = {seat: self._mark(self.players[seat]) for seat in left}
        return [seat for seat in left if marks[seat] == max(marks.values())]
