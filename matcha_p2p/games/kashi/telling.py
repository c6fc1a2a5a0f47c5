"""Puts the events of Kashi-ichi into sentences and facts (``games/game.py``)."""

from functools import partial
from typing import Final

from matcha_p2p.games.game_facts import GameFacts
from matcha_p2p.games.kashi.rules.notation import listed
from matcha_p2p.games.kashi.table.forms import events_on
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.games.plain import form_of

words: Final = SeatWords
facts: Final = partial(
    GameFacts,
    events=lambda game: events_on(game.board),
    listed=listed,
    hand=form_of(tuple[str, ...]),
)
