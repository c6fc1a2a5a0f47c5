"""What says in sentences and as facts what happens in Matcha (``games/game.py``)."""

from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.words.facts import SeatFacts
from matcha_p2p.games.matcha.words.seat_words import SeatWords


def words(seat: Seat) -> SeatWords:
    """Return what tells ``seat`` a new game."""
    return SeatWords(seat)


def facts(seat: Seat | None) -> SeatFacts:
    """Return what tells ``seat`` a new game. seat: None for a watcher."""
    return SeatFacts(seat)
