"""A seat that a bot plays."""

import random
from collections.abc import AsyncIterator, Callable
from typing import Final

from matcha_p2p.bots import Bot
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.rules.seats import Seat
from matcha_p2p.session.news import Choice, MoveDue, News, NextGame, Offered, Propose


class BotSeat:
    """``bot`` plays, and ``say`` prints the game.

    seed: of its choices; None for any. agrees: to everything that the peer offers after the
    game, if the terms let it stay until then.
    """

    def __init__(
        self,
        bot: Bot,
        seed: int | None,
        say: Callable[[str], None],
        *,
        agrees: bool = False,
    ) -> None:
        self._agrees: Final = agrees
        self._bot: Final = bot
        self._seed: Final = seed
        self._say: Final = say

    async def play(
        self,
        seat: Seat,
        news: AsyncIterator[News],
        choose: Callable[[Choice], None],
    ) -> None:
        """Print ``news`` until they end, and send the bot's choices."""
        seed = None if self._seed is None else f"{self._seed} {seat}"
        rng = random.Random(seed)  # noqa: S311 -- a bot has no secrets, its games are repeatable
        teller = NewsNarrator(seat)
        async for piece in news:
            for line in teller.tell(piece):
                self._say(line)
            match piece:
                case MoveDue(observation):
                    choose(self._bot.choose(observation, rng))
                case Offered(proposal) if self._agrees:
                    choose(Propose(proposal))
                case NextGame(seat):
                    teller = NewsNarrator(seat)
                case _:
                    pass
