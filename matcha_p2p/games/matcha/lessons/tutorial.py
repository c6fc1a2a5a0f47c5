"""Runs the tutorial at a front end: a game by the rules alone, without peer or cryptography."""

from dataclasses import replace
from typing import Final

import trio

from matcha_p2p.games.matcha.lessons import lessons
from matcha_p2p.games.matcha.rules.game import advance, deal, new_game
from matcha_p2p.games.matcha.rules.moves import Move, Pass, Play
from matcha_p2p.games.matcha.rules.notation import parse_move
from matcha_p2p.games.matcha.rules.observation import Observation, observe
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.table.events import Event, HandSeen, Met, TableLaid, placing_events
from matcha_p2p.narration.lessons import KeyHints
from matcha_p2p.narration.lessons import teach as take_through
from matcha_p2p.narration.news import Inform, Wish
from matcha_p2p.session import news
from matcha_p2p.wire.names import GameId


async def teach(
    inform: Inform,
    choices: trio.MemoryReceiveChannel[Wish],
    name: str,
    key_hints: KeyHints,
) -> None:
    """Take the student ``name``, at seat 0, through the lessons until the end or a leave."""
    room = Classroom(inform, name)
    await take_through(
        room,
        lessons.LESSONS,
        lambda lesson: (lesson_text(room.held(lesson), key_hints), lesson.again()),
        lessons.END,
        inform,
        choices,
    )


class Classroom:
    """A table at which both hands are known. inform: tells the student."""

    def __init__(self, inform: Inform, name: str) -> None:
        self._inform: Final = inform
        self._lesson: lessons.SetLesson | None = None
        self.game = game = opening()
        self._tell(Met(GameId(bytes(32)), lessons.EDITION, (name, lessons.MASTER())))
        self._tell(TableLaid(game.number, game.dealer, lessons.TABLE, zeros_met=0))
        self._tell(HandSeen(lessons.HANDS[0]))

    def lead_to(self, lesson: lessons.SetLesson) -> Observation:
        """Let the master answer the move of the lesson before."""
        self.close()
        self._lesson = lesson
        return observe(self.game, Seat(0), lessons.HANDS[0])

    def wants(self, lesson: lessons.SetLesson, move: Move) -> bool:
        """Tell whether ``move`` will do."""
        return move in map(parse_move, lesson.wanted)

    def held(self, lesson: lessons.SetLesson) -> lessons.SetLesson:
        """Return ``lesson`` with the keys of a card in hand: one of the zeros may be gone."""
        gone = [text for text in "12345" if int(text) - 1 not in self.game.hands[0]]
        card = next(text[0] for text in lesson.wanted if text[0] not in gone)
        typed = card + lesson.typed[0][1:]
        return replace(lesson, keys=card + lesson.keys[1:], typed=(typed, *lesson.typed[1:]))

    def make(self, move: Play | Pass) -> None:
        """Let the player who is to move make ``move``."""
        before, self.game = self.game, advance(self.game, move, lessons.HANDS)
        for event in placing_events(before, self.game):
            self._tell(event)

    def close(self) -> None:
        """Let the master talk about the student's last move, and answer it."""
        if self._lesson is None:
            return
        if self._lesson.talk is not None:
            self._inform(news.TalkHeard(self._lesson.talk(), lessons.MASTER(), Seat(1)))
        for reply in self._lesson.replies:
            self.make(reply)

    def _tell(self, event: Event) -> None:
        self._inform(news.GameEvent(event, self.game))


def opening() -> GameState:
    """Return the game before the first lesson, the student to move."""
    return deal(new_game(lessons.EDITION, Seat(0)), lessons.TABLE)


def lesson_text(lesson: lessons.SetLesson, key_hints: KeyHints) -> str:
    """Return the text of a lesson before its move."""
    said = lesson.says(name=lessons.MASTER(), count=lessons.EDITION.suits_alike)
    return f"{said} {key_hints(lesson)}"
