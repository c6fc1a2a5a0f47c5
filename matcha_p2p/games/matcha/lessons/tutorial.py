"""Runs the tutorial at a front end: a game by the rules alone, without peer or cryptography."""

import trio

from matcha_p2p.games.matcha.events import HandSeen, Met, TableLaid, placing_events
from matcha_p2p.games.matcha.lessons import lessons
from matcha_p2p.games.matcha.rules.game import advance, deal, new_game
from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.narration.lessons import ask
from matcha_p2p.narration.news import Inform, Taught, Wish
from matcha_p2p.session import news
from matcha_p2p.wire.names import GameId


async def teach(
    inform: Inform,
    choices: trio.MemoryReceiveChannel[Wish],
    name: str,
    key_hints: lessons.MoveHints,
) -> None:
    """Take the student ``name``, at seat 0, through the lessons until the end or a leave."""
    game = opening()
    inform(
        news.GameEvent(Met(GameId(bytes(32)), lessons.EDITION, (name, lessons.MASTER())), game)
    )
    inform(
        news.GameEvent(TableLaid(game.number, game.dealer, lessons.TABLE, zeros_met=0), game)
    )
    inform(news.GameEvent(HandSeen(lessons.HANDS[0]), game))
    for lesson in lessons.LESSONS:
        inform(Taught(lesson_text(lesson, key_hints)))
        seen = observe(game, Seat(0), lessons.HANDS[0])
        wanted = lesson.wanted.__contains__
        move = await ask(seen, wanted, lesson.again(), inform, choices)
        if move is None:
            return
        game = _make(game, move, inform)
        if lesson.talk is not None:
            inform(news.TalkHeard(lesson.talk()))
        for reply in lesson.replies:
            game = _make(game, reply, inform)
    inform(Taught(lessons.END()))


def opening() -> GameState:
    """Return the game before the first lesson, the student to move."""
    return deal(new_game(lessons.EDITION, Seat(0)), lessons.TABLE)


def lesson_text(lesson: lessons.SetLesson, key_hints: lessons.MoveHints) -> str:
    """Return the text of a lesson before its move."""
    return lesson.says(
        name=lessons.MASTER(),
        count=lessons.EDITION.suits_alike,
        lay=key_hints.lay(),
        skip=key_hints.skip(),
    )


def _make(game: GameState, move: Play | Pass, inform: Inform) -> GameState:
    after = advance(game, move, lessons.HANDS)
    for event in placing_events(game, after):
        inform(news.GameEvent(event, after))
    return after
