"""What the person at the host can do in the lobby; shown before the protocol is loaded."""

from typing import Final

from matcha_p2p.games import game_of
from matcha_p2p.language import Sentence
from matcha_p2p.session.news import Terms

COMMANDS: Final = Sentence(
    "Type start to begin, bot for a bot at an empty seat, swap 2 3 to exchange two seats, "
    "remove 3 to empty seat 3. A guest who sits there is sent away."
)

START: Final = Sentence("start")
BOT: Final = Sentence("bot")
PLACES: Final = Sentence("places")
REMOVE: Final = Sentence("remove")
TIME: Final = Sentence("time")
_KEYS: Final = (("s", START), ("b", BOT), ("x", PLACES), ("d", REMOVE))


def arranged(seats: int) -> bool:
    """Tell whether the host of a table of ``seats`` has anything to arrange."""
    return seats > 2


def waits_for_word(terms: Terms) -> bool:
    """Tell whether the game begins at the word of the host's person."""
    return terms.stays and arranged(terms.seats)


def lobby_keys(terms: Terms) -> tuple[tuple[str, str], ...]:
    """Return the keys by which the person arranges the table, each with its label."""
    if not waits_for_word(terms):
        return ()
    timed = (("t", TIME),) if game_of(terms.game).window is not None else ()
    return tuple((key, label()) for key, label in (*_KEYS, *timed))


def lobby_prompt(terms: Terms, reply: str) -> str:
    """Return what may be typed. reply: the prompt for an answer code alone."""
    return COMMANDS() if arranged(terms.seats) else reply
