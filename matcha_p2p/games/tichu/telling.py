"""What says in sentences and as facts what happens in Tichu (``games/game.py``)."""

from matcha_p2p.games.tichu.words.facts import SeatFacts
from matcha_p2p.games.tichu.words.seat_words import SeatWords
from matcha_p2p.seats import Seat


def words(seat: Seat) -> SeatWords:
    """Return what tells ``seat`` a new game."""
    return SeatWords(seat)


def facts(seat: Seat | None) -> SeatFacts:
    """Return what tells ``seat`` a new game. seat: None for a watcher."""
    return SeatFacts(seat)
