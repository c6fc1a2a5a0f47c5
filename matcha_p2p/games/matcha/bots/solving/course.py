"""The public course of one round: the seat to move, and the free places of each seat (R10)."""

from dataclasses import dataclass, replace
from typing import Final, Self, TypeAlias, TypeVar

from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState

NUMBER_MAT: Final = 0
SUIT_MAT: Final = 1
NOWHERE: Final = 2  # the pass
PLACES: Final = (NUMBER_MAT, SUIT_MAT, NOWHERE)

T = TypeVar("T")

History: TypeAlias = tuple[int, ...]
"""The place of each decision in the round so far."""


@dataclass(frozen=True, slots=True)
class Course:
    """The running round as an onlooker sees the round, without earlier rounds.

    limit: turns of each seat in a round; None if a round goes on until the seat passes.
    to_move: None once the round is over. cards: how many cards each seat holds. laid: the
    places, 0 the number mat and 1 the suit mat, where each seat has a card. turns: how many
    turns each seat has had. passed: the seats that have passed.
    """

    limit: int | None
    to_move: Seat | None
    cards: tuple[int, int]
    laid: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    turns: tuple[int, int] = (0, 0)
    passed: frozenset[Seat] = frozenset()

    def left(self, seat: Seat) -> int:
        """Return how many cards ``seat`` can still lay in this round, 0..2."""
        if self._is_out(seat):
            return 0
        turns = 2 if self.limit is None else self.limit - self.turns[seat]
        return min(turns, 2 - len(self.laid[seat]), self.cards[seat])

    def free(self, seat: Seat) -> tuple[int, ...]:
        """Return the places where ``seat`` has no card."""
        return tuple(place for place in (NUMBER_MAT, SUIT_MAT) if place not in self.laid[seat])

    def after(self, place: int) -> Self:
        """Return the course after the seat to move lays a card at ``place``, or passes.

        Raises:
            ValueError: the round is over.
        """
        if self.to_move is None:
            raise ValueError("the round is over")
        last = self.to_move
        course = self.moved(last, place)
        while (following := course.following(last)) is not None:
            if course.left(following):
                return replace(course, to_move=following)
            course, last = course.moved(following, NOWHERE), following  # R11
        return replace(course, to_move=None)

    def following(self, last: Seat) -> Seat | None:
        """Return the seat that moves after a turn of ``last``; None if both are out."""
        for seat in (opposite(last), last):
            if not self._is_out(seat):
                return seat
        return None

    def moved(self, seat: Seat, place: int) -> Self:
        """Return the course after a turn of ``seat``, with the old seat to move."""
        turns = _with(self.turns, seat, self.turns[seat] + 1)
        if place == NOWHERE:
            return replace(self, turns=turns, passed=self.passed | {seat})
        return replace(
            self,
            turns=turns,
            cards=_with(self.cards, seat, self.cards[seat] - 1),
            laid=_with(self.laid, seat, (*self.laid[seat], place)),
        )

    def _is_out(self, seat: Seat) -> bool:
        if self.limit is None:
            return seat in self.passed
        return self.turns[seat] == self.limit


def running_course(game: GameState) -> Course:
    """Return the course of the running round of ``game``."""
    turns = game.rounds[-1].turns
    plays = [turn.seat for turn in turns if isinstance(turn.move, Play)]
    first, second = (len(game.hands[seat]) + plays.count(seat) for seat in SEATS)
    course = Course(game.edition.turns, game.dealer, (first, second))
    for turn in turns:
        match turn.move:
            case Play(mat):
                course = course.after(mat % 2)
            case Pass() if not turn.auto:
                course = course.after(NOWHERE)
            case Pass():
                pass
    return course


def _with(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (pair[0], value) if seat else (value, pair[1])
