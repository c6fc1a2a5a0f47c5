"""The remarks of bots, of any game. Chance decides each remark, never the bot's cards."""

import random
from abc import ABC, abstractmethod
from typing import ClassVar, Final, NamedTuple

from matcha_p2p.games.front import Remark
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.wire.talk import Phrase

GOOD_LUCK: Final = (6,)
THANKS: Final = (9,)
BOASTS: Final = (1, 3)
MODESTY: Final = (2,)
DOUBTS: Final = (4,)
PRAISE: Final = (5,)


class Occasion(NamedTuple):
    """An event for a remark. phrases: by number, one of which is said with a ``chance``.

    after: how many seconds the remark waits. at_once: also soon after the last remark.
    """

    phrases: tuple[int, ...]
    chance: float = 1.0
    after: float = 1.5
    at_once: bool = False


class Remarks(ABC):
    """Makes the remarks of bots. seed: repeats the remarks; None for chance."""

    rest: ClassVar[int]
    """How many occasions pass between two remarks, at least."""

    def __init__(self, seed: int | None) -> None:
        self._seed: Final = seed
        self._chances: Final[dict[Seat, random.Random]] = {}
        self._rest = 0

    @staticmethod
    @abstractmethod
    def occasion(news: News, seat: Seat) -> Occasion | None:
        """Return the occasion that ``news`` gives the bot in ``seat``, if any."""

    def remark(self, news: News, seat: Seat) -> Remark | None:
        """Return the remark of the bot in ``seat`` on ``news``, most often None."""
        occasion = self.occasion(news, seat)
        if occasion is None:
            return None
        seeded = None if self._seed is None else f"banter {self._seed} {seat}"
        rng = self._chances.setdefault(seat, random.Random(seeded))
        self._rest -= 1
        if (self._rest >= 0 and not occasion.at_once) or rng.random() >= occasion.chance:
            return None
        self._rest = self.rest
        return Remark(Phrase(rng.choice(occasion.phrases)), occasion.after)
