"""Puts the events of Kashi-ichi into sentences and facts (``games/game.py``)."""

from matcha_p2p.games.game_facts import GameFacts
from matcha_p2p.games.kashi.rules import notation
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.table.events import Event
from matcha_p2p.games.kashi.table.forms import events_on
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.games.plain import Form, form_of
from matcha_p2p.seats import Seat


def words(seat: Seat) -> SeatWords:
    """Return the teller of a new game in sentences for ``seat``."""
    return SeatWords(seat)


def facts(seat: Seat | None) -> GameFacts:
    """Return the teller of a new game in facts for ``seat``. seat: None for a watcher."""
    return GameFacts(seat, _events, notation.listed, form_of(tuple[str, ...]))


def _events(game: GameState) -> Form[Event]:
    return events_on(game.board)
