"""Puts the events of Matcha into sentences and facts (``games/game.py``)."""

from matcha_p2p.games.game_facts import GameFacts
from matcha_p2p.games.matcha.rules import notation
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.table import forms
from matcha_p2p.games.matcha.words.seat_words import SeatWords


def words(seat: Seat) -> SeatWords:
    """Return the teller of a new game in sentences for ``seat``."""
    return SeatWords(seat)


def facts(seat: Seat | None) -> GameFacts:
    """Return the teller of a new game in facts for ``seat``. seat: None for a watcher."""
    return GameFacts(seat, lambda _: forms.EVENT, notation.listed, forms.HAND, forms.UNOPENED)
