"""The toy in line mode: the number of a card chooses it (``console/lines/conversation.py``)."""

from collections.abc import Callable, Sequence

from matcha_p2p.console.lines.conversation import Answer, Task
from matcha_p2p.narration.news import News
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import MakeMove, MoveDue
from tests.games.toy.telling import ToyWords


class ToyTalk:
    pondered = None
    reply = None

    def __init__(self, seat: Seat) -> None:
        self._teller = NewsNarrator(ToyWords(seat))
        self.waiting = False

    def hear(self, news: News) -> tuple[str, ...]:
        match news:
            case MoveDue():
                self.waiting = True
                return ("Which card, 1 or 2?",)
            case _:
                return tuple(self._teller.tell(news))

    def read(self, line: str) -> Answer:
        if not self.waiting or line not in ("1", "2"):
            return Answer(("Not now.",))
        self.waiting = False
        return Answer((), MakeMove(int(line) - 1))

    def tell_thinking(self, seconds: int) -> str:
        return f"{seconds} s"

    async def perform(self, task: Task, show: Callable[[Sequence[str]], None]) -> None:
        raise NotImplementedError
