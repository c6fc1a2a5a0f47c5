"""The remarks of a bot. Chance decides each remark, never the bot's cards."""

import random
from typing import Final

from matcha_p2p.games.front import Remark
from matcha_p2p.games.matcha.events import HandsDealt, Passed, Placed, RoundResolved
from matcha_p2p.games.matcha.rules.history import Round
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.narration.news import News
from matcha_p2p.session.news import GameEvent, Settled
from matcha_p2p.wire.talk import Phrase

GOOD_LUCK: Final = 6
THANKS: Final = 9
_BOASTS: Final = (1, 3)
_MODESTY: Final = (2,)
_DOUBTS: Final = (4,)
_PRAISE: Final = (5,)

_REST: Final = 6
"""How many events of the game pass between two remarks, at least."""

_SOON: Final = 1.5
_AFTER_REVEAL: Final = 4.0
"""Seconds that a remark waits.

At normal speed the person has then seen the event in question.
"""


class Talker:
    """Makes the remarks of one bot. seed: repeats the remarks; None for chance."""

    def __init__(self, seed: int | None) -> None:
        self._rng: Final = random.Random(None if seed is None else f"banter {seed}")
        self._rest = 0

    def remark(self, news: News, seat: Seat) -> Remark | None:
        """Return the remark of the bot in ``seat`` on ``news``, most often None."""
        match news:
            case Settled():
                return Remark(Phrase(THANKS), _AFTER_REVEAL)
            case GameEvent(HandsDealt(), game) if game.number == 1:
                return self._say((GOOD_LUCK,), 1.0, _SOON)
            case GameEvent(Placed(by)):
                return self._say(_BOASTS if by == seat else _DOUBTS, 0.15, _SOON)
            case GameEvent(Passed(by, auto=False)) if by == seat:
                return self._say(_MODESTY, 0.15, _SOON)
            case GameEvent(RoundResolved(played)) if _is_beaten(played, seat):
                return self._say(_PRAISE, 0.5, _AFTER_REVEAL)
            case _:
                return None

    def _say(self, numbers: tuple[int, ...], chance: float, after: float) -> Remark | None:
        """Return one of the phrases by chance, or None soon after the last remark."""
        self._rest -= 1
        if self._rest >= 0 or self._rng.random() >= chance:
            return None
        self._rest = _REST
        return Remark(Phrase(self._rng.choice(numbers)), after)


def _is_beaten(played: Round, seat: Seat) -> bool:
    """Tell whether the opponent of ``seat`` has won a mat on which both had a card."""
    return any(
        each.revealed and each.gain[opposite(seat)] is not None and each.gain[seat] is None
        for each in played.resolutions
    )
