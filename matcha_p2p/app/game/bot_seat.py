"""A seat that a bot plays."""

import random
from collections.abc import AsyncIterator, Callable
from typing import Final, TypeAlias

import trio

from matcha_p2p.errors import BotError
from matcha_p2p.games import game_of
from matcha_p2p.games.bots.bot import Bot
from matcha_p2p.games.front import Remark
from matcha_p2p.games.game import View
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.narration.news import News
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as session_news

_RESIGNS: Final = Sentence("{why} The bot's seat concedes.")


Banter: TypeAlias = Callable[[News, Seat], Remark | None]
"""Returns a bot's remark on a piece of news in a seat; most often None."""


def silence(_news: News, _seat: Seat) -> None:
    """Remark nothing."""


class BotSeat:
    """``bot`` plays the game called ``game``, and ``say`` prints it.

    The bot thinks in a thread, so the connection is kept alive meanwhile. seed: repeats the
    bot's choices, or None. complain: says why the bot has failed, and that the seat resigns.
    banter: the bot's remarks at the table.
    """

    def __init__(
        self,
        bot: Bot,
        game: str,
        seed: int | None,
        say: Callable[[str], None],
        *,
        complain: Callable[[str], None] | None = None,
        banter: Banter = silence,
    ) -> None:
        self._banter: Final = banter
        self._bot: Final = bot
        self._game: Final = game
        self._seed: Final = seed
        self._say: Final = say
        self._complain: Final = complain or say

    async def play(
        self,
        seat: Seat,
        news: AsyncIterator[News],
        choose: Callable[[session_news.Choice], None],
    ) -> None:
        """Print ``news`` until they end, and send the bot's choices."""
        seed = None if self._seed is None else f"{self._seed} {seat}"
        rng = random.Random(seed)  # noqa: S311 -- for moves, repeatable by a seed; keys are drawn elsewhere
        teller = NewsNarrator(game_of(self._game).telling.words(seat))
        async with trio.open_nursery() as thinking:
            async for piece in news:
                for line in teller.tell(piece):
                    self._say(line)
                remark = self._banter(piece, seat)
                if remark is not None:
                    thinking.start_soon(_say_later, remark, choose)
                if isinstance(piece, session_news.NextGame):
                    teller = NewsNarrator(game_of(self._game).telling.words(seat))
                if isinstance(piece, session_news.ResignOffered) and self._agrees(piece, seat):
                    choose(session_news.Concede())
                if isinstance(piece, session_news.MoveDue):
                    thinking.start_soon(self._decide, piece.view, rng, choose)
            thinking.cancel_scope.cancel()

    def _agrees(self, offer: session_news.ResignOffered, seat: Seat) -> bool:
        """Tell whether the bot at ``seat`` resigns with its partner, who has made ``offer``.

        A bot offers to resign only after it has failed, and no player can replace it.
        """
        if offer.partner != seat:
            return False
        return offer.bot or game_of(self._game).rules.resigns(offer.game, seat)

    async def _decide(
        self, seen: View, rng: random.Random, choose: Callable[[session_news.Choice], None]
    ) -> None:
        """Send the bot's move; if the bot fails, resign."""
        try:
            move = await trio.to_thread.run_sync(
                self._bot.choose, seen, rng, abandon_on_cancel=True
            )
        except BotError as error:
            self._complain(_RESIGNS(why=sentence_of(error)))
            choose(session_news.Concede())
        else:
            choose(session_news.MakeMove(move))


async def _say_later(remark: Remark, choose: Callable[[session_news.Choice], None]) -> None:
    await trio.sleep(remark.after)
    choose(remark.phrase)
