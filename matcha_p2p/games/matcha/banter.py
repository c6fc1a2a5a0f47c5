"""The occasions for remarks of a bot: cards laid, passes, and mats that are won."""

from typing import Final

from matcha_p2p.games import banter
from matcha_p2p.games.banter import Occasion
from matcha_p2p.games.matcha.rules.history import Round
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.table.events import HandsDealt, Passed, Placed, RoundResolved
from matcha_p2p.narration.news import News
from matcha_p2p.session.news import GameEvent, Settled

_AFTER_REVEAL: Final = 4.0
"""Seconds that a remark waits: at normal speed the person has then seen the reveal."""


class Talker(banter.Remarks):
    """Makes the remarks of bots."""

    rest = 6

    @staticmethod
    def occasion(news: News, seat: Seat) -> Occasion | None:
        """Return the occasion that ``news`` gives the bot in ``seat``, if any."""
        match news:
            case Settled():
                return Occasion(banter.THANKS, after=_AFTER_REVEAL, at_once=True)
            case GameEvent(HandsDealt(), game) if game.number == 1:
                return Occasion(banter.GOOD_LUCK)
            case GameEvent(Placed(by)):
                return Occasion(banter.BOASTS if by == seat else banter.DOUBTS, 0.15)
            case GameEvent(Passed(by, auto=False)) if by == seat:
                return Occasion(banter.MODESTY, 0.15)
            case GameEvent(RoundResolved(played)) if _is_beaten(played, seat):
                return Occasion(banter.PRAISE, 0.5, _AFTER_REVEAL)
            case _:
                return None


def _is_beaten(played: Round, seat: Seat) -> bool:
    """Tell whether the opponent of ``seat`` has won a mat on which both had a card."""
    return any(
        each.revealed and each.gain[opposite(seat)] is not None and each.gain[seat] is None
        for each in played.resolutions
    )
