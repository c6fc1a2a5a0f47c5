"""Puts the events of Kashi-ichi into sentences and facts (``games/game.py``)."""

from matcha_p2p.games.kashi.words.facts import SeatFacts
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.seats import Seat


def words(seat: Seat) -> SeatWords:
    """Return the teller of a new game in sentences for ``seat``."""
    return SeatWords(seat)


def facts(seat: Seat | None) -> SeatFacts:
    """Return the teller of a new game in facts for ``seat``. seat: None for a watcher."""
    return SeatFacts(seat)
