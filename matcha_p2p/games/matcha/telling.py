"""Puts the events of Matcha into sentences and facts (``games/game.py``)."""

from functools import partial
from typing import Final

from matcha_p2p.games.game_facts import GameFacts
from matcha_p2p.games.matcha.rules.notation import listed
from matcha_p2p.games.matcha.table import forms
from matcha_p2p.games.matcha.words.seat_words import SeatWords

words: Final = SeatWords
facts: Final = partial(
    GameFacts,
    events=lambda _: forms.EVENT,
    listed=listed,
    hand=forms.HAND,
    unopened=forms.UNOPENED,
)
