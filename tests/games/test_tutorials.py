"""The tutorials of all games that have one."""

import pytest
from trio.testing import wait_all_tasks_blocked

from matcha_p2p import games
from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.game import Game
from matcha_p2p.games.kashi.lessons import lessons as kashi
from matcha_p2p.games.matcha.lessons import lessons as matcha
from matcha_p2p.games.tichu.lessons import lessons as tichu
from matcha_p2p.narration.news import Taught
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Concede, Leave, MoveDue
from matcha_p2p.wire.talk import Say
from tests.classroom import Class


@pytest.mark.parametrize("choice", [Leave(), Concede()])
@pytest.mark.parametrize("game", games.having(Game.tutorial))
async def test_student_may_leave_at_once(nursery, game, choice):
    lesson = Class(game)
    nursery.start_soon(lesson.run)
    await lesson.until_due()
    lesson.choices.send_nowait(Say("why?"))
    lesson.choices.send_nowait(choice)
    assert await lesson.until_due() == []


KEYS = {
    "matcha": [lesson.keys for lesson in matcha.LESSONS],
    "tichu": [lesson.keys for deal in tichu.DEALS for lesson in deal.lessons],
    "kashi": [lesson.keys for lesson in kashi.LESSONS],
}
"""The student's keys, by game and lesson."""


@pytest.mark.parametrize("speed", Speed)
@pytest.mark.parametrize("game", games.having(Game.tutorial))
async def test_teacher_is_silent_until_the_next_board_stands(nursery, game, speed):
    """While the screen shows what has happened, neither the old text nor the next is shown."""
    lesson, now, acts = Class(game), 0.0, 0
    full_screen = games.game_of(game).needed(Game.screen)
    view = full_screen(Look(SYMBOLS, speed=speed), None, None)._view
    state = view.begin(Seat(0))
    nursery.start_soon(lesson.run)
    for keys in (*KEYS[game], ""):
        heard = await lesson.until_due()
        for piece in heard:
            state, _ = view.hear(state, piece, now)
        taught = [piece.text for piece in heard if isinstance(piece, Taught)]
        last = [Taught, MoveDue] if keys else [Taught]
        assert [type(piece) for piece in heard[-len(last) :]] == last
        while state.lasts(now) > 0:
            seen = state.seen(now)
            assert (seen.asked, seen.after_game) == (False, None)
            assert seen.lesson in ("", *taught[:-1])
            now, acts = now + (state.changes_in(now) or state.lasts(now)) + 1e-6, acts + 1
        assert state.seen(now).lesson == taught[-1]
        for key in keys.replace("Enter", "enter").split():
            state, choice = view.press(state, key, now)
            if choice is not None:
                lesson.choices.send_nowait(choice)
    await wait_all_tasks_blocked()
    assert lesson.over
    assert state.seen(now).is_over
    assert (acts > 0) == (speed is not Speed.OFF)
