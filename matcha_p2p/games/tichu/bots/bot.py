"""The interface of a bot of Tichu: its knowledge is the Observation of one seat."""

from typing import TypeAlias

from matcha_p2p.games.bots.bot import BotOf
from matcha_p2p.games.tichu.rules.actions import TichuMove
from matcha_p2p.games.tichu.rules.observation import Observation

Bot: TypeAlias = BotOf[Observation, TichuMove]
