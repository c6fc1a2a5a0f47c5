"""Puts the events of Matcha into sentences and facts (``games/game.py``)."""

from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.words.facts import SeatFacts
from matcha_p2p.games.matcha.words.seat_words import SeatWords


def words(seat: Seat) -> SeatWords:
    """Return the teller of a new game in sentences for ``seat``."""
    return SeatWords(seat)


def facts(seat: Seat | None) -> SeatFacts:
    """Return the teller of a new game in facts for ``seat``. seat: None for a watcher."""
    return SeatFacts(seat)
