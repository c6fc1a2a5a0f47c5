"""The occasions for remarks of a bot: calls, tricks, and who is out first."""

from matcha_p2p.games import banter
from matcha_p2p.games.banter import PRAISE, Occasion
from matcha_p2p.games.tichu.table.events import Called, RoundBegun, TrickTaken, WentOut
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Settled


class Talker(banter.Remarks):
    """Makes the remarks of bots."""

    rest = 20

    @staticmethod
    def occasion(news: News, seat: Seat) -> Occasion | None:
        """Return the occasion that ``news`` gives the bot in ``seat``, if any."""
        match news:
            case Settled():
                return Occasion(banter.THANKS, 0.5, at_once=True)
            case GameEvent(RoundBegun(1)):
                return Occasion(banter.GOOD_LUCK, 0.5, at_once=True)
            case GameEvent(Called(by)):
                others = PRAISE if _partners(by, seat) else banter.DOUBTS
                return Occasion(banter.BOASTS if by == seat else others, 0.5, at_once=True)
            case GameEvent(WentOut(by, 0)) if by != seat:
                return Occasion(PRAISE, 0.5, at_once=True)
            case GameEvent(TrickTaken(by)):
                return Occasion(PRAISE if _partners(by, seat) else banter.MODESTY, 0.05)
            case _:
                return None


def _partners(one: Seat, other: Seat) -> bool:
    return one != other and (one - other) % 2 == 0
