"""How long two real sessions over loopback TCP take to deal, journals and all."""

import tempfile
import time
from pathlib import Path

from matcha_p2p.games.matcha.table.events import HandsDealt, Met, RoundResolved
from matcha_p2p.narration.news import News
from matcha_p2p.session.news import GameEvent, Terms
from tests.harness import introduced, play, tcp_links


async def opening_times(games: int) -> list[float]:
    """Return the seconds from each set's beginning until the dealer sees its hand."""
    times: list[float] = []
    terms = Terms("Mina", "matcha", "2020", open_book=False)
    for number in range(games):
        begun = [0.0]

        def listen(piece: News, begun: list[float] = begun) -> None:
            match piece:
                case GameEvent(Met()) | GameEvent(RoundResolved()):
                    begun[0] = time.perf_counter()
                case GameEvent(HandsDealt()):
                    times.append(time.perf_counter() - begun[0])
                case _:
                    pass

        with tempfile.TemporaryDirectory() as folder:
            seed, ends = f"bench {number}", await tcp_links()
            players, _ = await introduced(Path(folder), (terms, terms), seed, ends)
            players[0].listen = listen
            await play(players, ends)
    return times
