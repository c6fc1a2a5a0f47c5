"""Kashi-ichi as steps of the table: coins and moves, no cards (SPEC#kashi).

``Kashi`` is an immutable value, all public.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, Self, assert_never

from matcha_p2p.crypto.sponge import H, stream, uniform
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules import state as game_state
from matcha_p2p.games.kashi.rules.deck import draw
from matcha_p2p.games.kashi.rules.moves import Move
from matcha_p2p.games.kashi.table.signed import FORMS, number_of, read, signed
from matcha_p2p.games.kashi.table.written import board_of, digest, text_of
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps
from matcha_p2p.table.moves import MoveForms
from matcha_p2p.table.piles import NewPiles, Piles
from matcha_p2p.wire.encoding import Value

VARIANT: Final = "ichi"
"""The rules with the shipped board; before a space and its text, with another board."""
_NO_CARDS: Final[Mapping[int, int]] = {}


class Kashi(NamedTuple):
    """The public state of Kashi-ichi.

    state: the game as its rules see it. closer: the seat that moved last, at first the last
    seat. variant: VARIANT, for another board with its text. drawn: whether the first seat has
    been drawn.
    """

    state: game_state.GameState
    closer: Seat
    variant: str = VARIANT
    drawn: bool = False

    @property
    def name(self) -> str:
        """The game."""
        return "kashi"

    @property
    def seats(self) -> int:
        """Three or four."""
        return len(self.state.players)

    @property
    def faces(self) -> Mapping[int, int]:
        """No card is masked: coins draw the orders."""
        return _NO_CARDS

    @property
    def forms(self) -> MoveForms:
        """The fields of each move."""
        return FORMS

    def rules(self) -> Value:
        """Return the digest of the board (SPEC#kashi-rules)."""
        return [digest(self.state.board)]

    def next(self, piles: Piles) -> steps.Step:
        """Return the next step."""
        del piles
        order = self.state.around(self.closer)
        if not self.drawn:
            return steps.Coin(order)
        match self.state.phase:
            case game_state.Starting(seat) | game_state.Turn(seat):
                return steps.Decide(seat)
            case game_state.Paying((seat, *_)) | game_state.Questioning((seat, *_)):
                return steps.Decide(seat)
            case game_state.Opening() | game_state.Drawing():
                return steps.Coin(order)
            case game_state.Ended():
                return steps.Over(order)
            case _:
                raise RuntimeError(f"nothing is due in {self.state.phase}")

    def done(self, outcome: steps.Outcome, piles: Piles) -> tuple[Self, NewPiles]:
        """Return the game after the step asked for by ``next``."""
        match outcome:
            case steps.Tossed(value):
                return self._tossed(value), piles
            case steps.Moved(after):
                return after, piles
            case _:
                raise RuntimeError(f"{outcome} was not asked for")

    def _tossed(self, value: bytes) -> Self:
        game = self.state
        if not self.drawn:
            first = Seat(uniform(stream(H("first", value)), self.seats))
            begun = rules.new_game(game.board, self.seats, first=first)
            return self._replace(state=begun, drawn=True)
        match game.phase:
            case game_state.Drawing(count):
                return self._replace(state=rules.draw(game, drawn(game, count, value)))
            case _:
                return self._replace(
                    state=rules.open_row(game, drawn(game, game_state.ROW, value))
                )

    def judge(self, seat: Seat, move: steps.Wire, piles: Piles) -> Self:
        """Return the game after ``move``.

        Raises:
            RefusedError: the rules refuse the move.
        """
        del piles
        choice = read(self.state.board, move)
        return self._replace(state=rules.choose(self.state, seat, choice), closer=seat)

    def sealable(self, seat: Seat, piles: Piles) -> Iterator[steps.Wire]:
        """Yield nothing: no move is sealed."""
        del seat, piles
        return iter(())

    def write(self, seat: Seat, move: Move, piles: Piles) -> steps.Wire:
        """Return ``move`` in its signed form."""
        del seat, piles
        return signed(self.state.board, move)

    def snapshot(self) -> Value:
        """Return the public state as plain values (SPEC#kashi-state)."""
        game = self.state
        return [
            game.first,
            _phase(game) if self.drawn else ["toss"],
            game.turns,
            game.settlements,
            game.quiet,
            game.drawn,
            game.row,
            [_player(game.board, player) for player in game.players],
        ]

    def result(self) -> tuple[Seat, ...] | None:
        """Return the winners, ascending, or None while the game is undecided."""
        match self.state.phase:
            case game_state.Ended(winners):
                return winners
            case _:
                return None


def new_game(variant: str, seats: int) -> Kashi | None:
    """Return Kashi-ichi before its first coin.

    Return None for an unknown variant, or for another number of seats than three or four. The
    shipped board has one variant: its text is unknown.
    """
    named, space, text = variant.partition(" ")
    if named != VARIANT or seats not in rules.TABLES or text == text_of(shipped_board()):
        return None
    board = board_of(text) if space else shipped_board()
    if board is None:
        return None
    return Kashi(rules.new_game(board, seats), Seat(seats - 1), variant)


def drawn(game: game_state.GameState, count: int, value: bytes) -> tuple[int, ...]:
    """Return the next ``count`` orders, as the coin ``value`` draws them (SPEC#kashi-draws)."""
    source = stream(H("draw", value))
    return draw(game.board, game.drawn, count, lambda below: uniform(source, below))


def _phase(game: game_state.GameState) -> Value:
    match game.phase:
        case game_state.Starting(seat):
            return ["start", seat]
        case game_state.Opening():
            return ["open"]
        case game_state.Turn(seat, ap):
            return ["turn", seat, ap]
        case game_state.Drawing(count):
            return ["draw", count]
        case game_state.Paying(seats):
            return ["pay", seats]
        case game_state.Questioning(seats):
            return ["idle", seats]
        case game_state.Ended(winners):
            return ["end", winners]
        case _:
            assert_never(game.phase)


def _player(board: Board, player: game_state.Keeper) -> Value:
    return [
        0 if player.person is None else number_of(board, player.person),
        player.gold,
        player.goods,
        player.points,
        [number_of(board, square) for square in player.shops],
        player.hand,
        player.aside,
        player.orders,
    ]
