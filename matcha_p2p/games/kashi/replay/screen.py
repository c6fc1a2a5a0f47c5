"""Watching a game of Kashi-ichi on a full screen."""

from collections.abc import AsyncIterator

from matcha_p2p.console.review import replay
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import GameSoFar
from matcha_p2p.games.kashi.replay.state import watch
from matcha_p2p.games.kashi.replay.steps import replay_of


async def follow(look: Look, seen: AsyncIterator[GameSoFar]) -> None:
    """Show a live game, as it grows, until the screen is closed."""
    await replay.follow(look, seen, replay_of, watch)
