"""The remarks of a bot. Chance decides each remark, never the bot's cards."""

import random
from typing import Final

from matcha_p2p.games.front import Remark
from matcha_p2p.games.tichu.events import Called, RoundBegun, TrickTaken, WentOut
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Settled
from matcha_p2p.wire.talk import Phrase

_GOOD_LUCK: Final = (6,)
_THANKS: Final = (9,)
_BOASTS: Final = (1, 3)
_MODESTY: Final = (2,)
_DOUBTS: Final = (4,)
_PRAISE: Final = (5,)

_REST: Final = 20
"""How many events that could be remarked upon pass between two remarks, at least."""
_SOON: Final = 1.5
"""Seconds that a remark waits."""


class Talker:
    """Makes the remarks of one bot. seed: repeats the remarks; None for chance."""

    def __init__(self, seed: int | None) -> None:
        self._seed: Final = seed
        self._chances: Final[dict[Seat, random.Random]] = {}
        self._rest = 0

    def remark(self, news: News, seat: Seat) -> Remark | None:
        """Return the remark of the bot in ``seat`` on ``news``, most often None."""
        match news:
            case Settled():
                return self._say(seat, _THANKS, 0.5, at_once=True)
            case GameEvent(RoundBegun(1)):
                return self._say(seat, _GOOD_LUCK, 0.5, at_once=True)
            case GameEvent(Called(by)):
                phrases = _BOASTS if by == seat else _PRAISE if _partners(by, seat) else _DOUBTS
                return self._say(seat, phrases, 0.5, at_once=True)
            case GameEvent(WentOut(by, 0)) if by != seat:
                return self._say(seat, _PRAISE, 0.5, at_once=True)
            case GameEvent(TrickTaken(by)):
                phrases = _PRAISE if _partners(by, seat) else _MODESTY
                return self._say(seat, phrases, 0.05)
            case _:
                return None

    def _say(
        self, seat: Seat, numbers: tuple[int, ...], chance: float, *, at_once: bool = False
    ) -> Remark | None:
        """Return one of the phrases by chance, or None soon after the last remark.

        at_once: also soon after it.
        """
        rng = self._chances.get(seat)
        if rng is None:
            seeded = None if self._seed is None else f"banter {self._seed} {seat}"
            rng = self._chances[seat] = random.Random(seeded)
        self._rest -= 1
        if (self._rest >= 0 and not at_once) or rng.random() >= chance:
            return None
        self._rest = _REST
        return Remark(Phrase(rng.choice(numbers)), _SOON)


def _partners(one: Seat, other: Seat) -> bool:
    return one != other and (one - other) % 2 == 0
