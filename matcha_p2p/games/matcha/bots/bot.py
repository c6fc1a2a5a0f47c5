"""The interface of a bot of Matcha: its knowledge is the Observation of one seat."""

from typing import TypeAlias

from matcha_p2p.games.bots.bot import BotOf
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation

Bot: TypeAlias = BotOf[Observation, Move]
