"""A lesson of a tutorial, and what a student is told."""

import math

import trio

from matcha_p2p import games
from matcha_p2p.games.game import Game
from matcha_p2p.narration.news import News
from matcha_p2p.session.news import Choice, MoveDue


def as_drawn(lesson: str) -> str:
    """Return the text of a lesson as a screen shows it: a key has a ground, not brackets."""
    return lesson.replace("[", " ").replace("]", " ")


class Class:
    """The teacher of ``game``, in a nursery of the test. key_hints: None for the screen's."""

    def __init__(self, game: str, key_hints=None) -> None:
        self.told, self.news = trio.open_memory_channel[News](math.inf)
        self.choices, self._chosen = trio.open_memory_channel[Choice](math.inf)
        self.over = False
        played = games.game_of(game)
        self._teach = played.needed(Game.tutorial)
        self._key_hints = key_hints or played.needed(Game.lessons).ON_SCREEN

    async def run(self) -> None:
        async with self.told:
            await self._teach(self.told.send_nowait, self._chosen, "Olena", self._key_hints)
        self.over = True

    async def until_due(self) -> list[News]:
        """Return the news up to the next question, or to the end."""
        heard: list[News] = []
        with trio.fail_after(5):
            async for piece in self.news:
                heard.append(piece)
                if isinstance(piece, MoveDue):
                    break
        return heard
