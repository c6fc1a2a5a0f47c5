"""A stored game of Kashi-ichi, for its replay."""

from functools import partial
from typing import Final

from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import OpenedGame, OpenedReplay
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.seats import Seat

_FRONTS: Final = {"first": Seat(0), "second": Seat(1)}
"""The seats that a view puts in front."""


def opened(game: OpenedGame, view: str | None) -> OpenedReplay:
    """Return the game. view: names the player in front; otherwise all seats see the same."""
    replay = replay_of(game.report)

    async def show(look: Look, at: int) -> None:
        from matcha_p2p.console.review import replay as shared
        from matcha_p2p.games.kashi.replay.mistakes import page_mistakes
        from matcha_p2p.games.kashi.replay.state import SEAT_IN_FRONT, watch

        place = watch(replay, at, _FRONTS.get(view or "", game.seat or SEAT_IN_FRONT))
        await shared.view(place, look, partial(page_mistakes, game.report))

    return OpenedReplay(len(replay.steps), replay.sentences, show)
