"""The interface of a bot of Kashi-ichi: its knowledge is the Outlook of one seat."""

from typing import TypeAlias

from matcha_p2p.games.bots.bot import BotOf
from matcha_p2p.games.kashi.rules.moves import Move
from matcha_p2p.games.kashi.rules.outlook import Outlook

Bot: TypeAlias = BotOf[Outlook, Move]
