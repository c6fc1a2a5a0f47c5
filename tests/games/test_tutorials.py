"""The tutorials of all games that have one."""

import pytest

from matcha_p2p import games
from matcha_p2p.session.news import Concede, Leave
from matcha_p2p.wire.talk import Say
from tests.classroom import Class


@pytest.mark.parametrize("choice", [Leave(), Concede()])
@pytest.mark.parametrize("game", games.taught())
async def test_student_may_leave_at_once(nursery, game, choice):
    lesson = Class(game)
    nursery.start_soon(lesson.run)
    await lesson.until_due()
    lesson.choices.send_nowait(Say("why?"))
    lesson.choices.send_nowait(choice)
    assert await lesson.until_due() == []
