"""A stored game of Tichu, for its replay."""

from functools import partial
from typing import Final

from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.games.front import OpenedGame, OpenedReplay
from matcha_p2p.games.tichu.replay.steps import replay_of
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.seats import Seat

_SEATS: Final = {"first": SEATS[0], "second": SEATS[1]}
"""The seats whose hands alone a view shows."""


def opened(game: OpenedGame, view: str | None) -> OpenedReplay:
    """Return the game. view: by default all hands, which lie open once a round is over."""
    replay, shown, own = replay_of(game.report), _shown(view), game.seat or SEATS[0]

    async def show(look: Look, at: int) -> None:
        from matcha_p2p.console.review import replay as shared
        from matcha_p2p.games.tichu.replay.mistakes import page_mistakes
        from matcha_p2p.games.tichu.replay.state import ShownHands, watch

        front = _SEATS.get(view or "", own)
        place = watch(replay, ShownHands(front, shown), at, own)
        await shared.view(place, look, partial(page_mistakes, game.report, game.own))

    return OpenedReplay(len(replay.steps), partial(replay.sentences, shown=shown), show)


def _shown(view: str | None) -> tuple[Seat, ...]:
    """Return the seats whose hands a view shows."""
    match view:
        case "public":
            return ()
        case "first" | "second":
            return (_SEATS[view],)
        case _:
            return SEATS
