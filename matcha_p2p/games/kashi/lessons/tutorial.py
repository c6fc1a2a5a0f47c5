"""Runs the tutorial at a front end: a game by the rules alone, without peer or cryptography."""

from typing import Final

import trio

from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.lessons import lessons
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.moves import Move, PayUpkeep, StartAt, TakeTurn
from matcha_p2p.games.kashi.rules.notation import parse_action, square_named
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.state import GameState, Opening
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.table.told import follows, moved
from matcha_p2p.narration.lessons import KeyHints, Lesson, texts_of
from matcha_p2p.narration.lessons import teach as take_through
from matcha_p2p.narration.news import Inform, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent
from matcha_p2p.wire.names import GameId

STUDENT: Final = Seat(0)


async def teach(
    inform: Inform,
    choices: trio.MemoryReceiveChannel[Wish],
    name: str,
    key_hints: KeyHints,
) -> None:
    """Take the student ``name``, at seat 0, through the lessons until the end or a leave."""
    room = Classroom(inform, name)
    texts = texts_of(key_hints)
    await take_through(room, lessons.LESSONS, texts, lessons.END, inform, choices)


class Classroom:
    """A table without hidden cards and without chance. inform: tells the student."""

    def __init__(self, inform: Inform, name: str) -> None:
        self._inform: Final = inform
        names = (name, *(other() for other in lessons.OTHERS))
        self.game = rules.new_game(shipped_board(), len(names))
        self._tell(events.Met(GameId(bytes(32)), names))
        self._tell(events.FirstDrawn(STUDENT))

    def lead_to(self, lesson: Lesson) -> Outlook:
        """Play the moves before the lesson."""
        for line in lesson.before:
            self.play(line)
        return Outlook(self.game, STUDENT)

    def wants(self, lesson: Lesson, move: Move) -> bool:
        """Tell whether ``move`` leads to the wanted game, perhaps by other squares."""
        wanted = _move(self.game.board, lesson.wanted[0])
        there = rules.choose(self.game, STUDENT, wanted)
        try:
            return rules.choose(self.game, STUDENT, move) == there
        except RefusedError:
            return False

    def play(self, line: str) -> None:
        """Make a move of the seat that is due, or draw orders."""
        kind, *words = line.split()
        if kind not in ("ROW", "DRAW"):
            self.make(_move(self.game.board, line))
            return
        orders = tuple(map(int, words))
        draw = rules.open_row if isinstance(self.game.phase, Opening) else rules.draw
        self._go_on(draw(self.game, orders))

    def make(self, move: Move) -> None:
        """Let the seat that is due make ``move``."""
        if self.game.due is None:
            raise ValueError(f"no move is due in {self.game.phase}")
        self._go_on(rules.choose(self.game, self.game.due, move), move)

    def close(self) -> None:
        """Play nothing: the last answer has ended the settlement."""

    def _go_on(self, after: GameState, move: Move | None = None) -> None:
        """Tell what leads to ``after``: a move, or orders that are drawn."""
        before, self.game = self.game, after
        if move is not None and before.due is not None:
            self._tell(moved(before, before.due, move, after))
        self._tell(*follows(before, after))

    def _tell(self, *told: events.Event) -> None:
        for event in told:
            self._inform(GameEvent(event, self.game))


def _move(board: Board, line: str) -> Move:
    """Return the move that a line of a log without its seat means."""
    kind, *words = line.split()
    match kind:
        case "START":
            return StartAt(square_named(board, words[0]))
        case "UPKEEP":
            return PayUpkeep(int(words[0]))
        case _:
            return TakeTurn(tuple(parse_action(board, word) for word in words))
