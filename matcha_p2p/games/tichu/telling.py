"""What says in sentences and as facts what happens in Tichu (``games/game.py``)."""

from matcha_p2p.games.game_facts import GameFacts
from matcha_p2p.games.tichu.rules import notation
from matcha_p2p.games.tichu.table import forms
from matcha_p2p.games.tichu.words.seat_words import SeatWords
from matcha_p2p.seats import Seat


def words(seat: Seat) -> SeatWords:
    """Return what tells ``seat`` a new game."""
    return SeatWords(seat)


def facts(seat: Seat | None) -> GameFacts:
    """Return what tells ``seat`` a new game. seat: None for a watcher."""
    return GameFacts(seat, lambda _: forms.EVENT, notation.listed, forms.HAND)
