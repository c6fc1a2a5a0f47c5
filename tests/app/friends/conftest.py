"""Friends who have played a game."""

import pytest

from tests.app.game.test_people import play


@pytest.fixture
async def friends(mina, ivo):
    await play(mina.setup, ivo.setup)
    return mina, ivo
