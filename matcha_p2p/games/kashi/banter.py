"""The occasions for remarks of a bot: luck, praise and thanks."""

from matcha_p2p.games import banter
from matcha_p2p.games.banter import PRAISE, Occasion
from matcha_p2p.games.kashi.rules.moves import Fulfil
from matcha_p2p.games.kashi.table.events import AreasSettled, FirstDrawn, TurnTaken
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Settled


class Talker(banter.Remarks):
    """Makes the remarks of bots."""

    rest = 9

    @staticmethod
    def occasion(news: News, seat: Seat) -> Occasion | None:
        """Return the occasion that ``news`` gives the bot in ``seat``, if any."""
        match news:
            case Settled():
                return Occasion(banter.THANKS, at_once=True)
            case GameEvent(FirstDrawn()):
                return Occasion(banter.GOOD_LUCK, 0.5)
            case GameEvent(TurnTaken(by, actions)) if by != seat:
                done = any(isinstance(action, Fulfil) for action in actions)
                return Occasion(PRAISE, 0.2) if done else None
            case GameEvent(AreasSettled(_, gains)) if gains[seat] < max(gains):
                return Occasion(PRAISE, 0.5)
            case _:
                return None
