"""The remarks of a bot: luck, praise and thanks, by chance."""

import random
from typing import Final

from matcha_p2p.games.front import Remark
from matcha_p2p.games.kashi.events import AreasSettled, FirstDrawn, TurnTaken
from matcha_p2p.games.kashi.rules.moves import Fulfil
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Settled
from matcha_p2p.wire.talk import Phrase

_PRAISE: Final = 5
_LUCK: Final = 6
_THANKS: Final = 9

_REST: Final = 9
"""How many occasions pass between two remarks, at least."""
_SOON: Final = 1.5
"""Seconds that a remark waits."""


class Talker:
    """Makes the remarks of one bot. seed: repeats the remarks; None for chance."""

    def __init__(self, seed: int | None) -> None:
        self._rng: Final = random.Random(None if seed is None else f"banter {seed}")
        self._rest = 0

    def remark(self, news: News, seat: Seat) -> Remark | None:
        """Return the remark of the bot in ``seat`` on ``news``, most often None."""
        match news:
            case Settled():
                return Remark(Phrase(_THANKS), _SOON)
            case GameEvent(FirstDrawn()):
                return self._say(_LUCK, 0.5)
            case GameEvent(TurnTaken(by, actions)) if by != seat:
                done = any(isinstance(action, Fulfil) for action in actions)
                return self._say(_PRAISE, 0.2) if done else None
            case GameEvent(AreasSettled(_, gains)) if gains[seat] < max(gains):
                return self._say(_PRAISE, 0.5)
            case _:
                return None

    def _say(self, number: int, chance: float) -> Remark | None:
        """Return the phrase by chance, or None soon after the last remark."""
        self._rest -= 1
        if self._rest >= 0 or self._rng.random() >= chance:
            return None
        self._rest = _REST
        return Remark(Phrase(number), _SOON)
