"""At a table of three or four a person reads whose message is missing, and by whose way."""

import pytest

from matcha_p2p.games import game_of
from matcha_p2p.games.kashi.screen import scene as kashi
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.games.tichu.screen import scene as tichu
from matcha_p2p.narration.facts import FactTeller
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineQuiet
from matcha_p2p.session.news import FarSeatMissing, LineChanged, Ungreeted

MISSING = FarSeatMissing("Anna", ("Bob", "Cid"), 40.0)
SENTENCE = (
    "The game has waited for Anna for 40 s. Anna may be thinking. Messages of Anna reach you "
    "only through Bob, Cid."
)


UNGREETED = Ungreeted(("Anna", "Bob"), 10.0)
WAITS = (
    "The game has waited for the greeting of Anna, Bob for 10 s, and begins only then. If you "
    "leave, nothing is lost."
)


def test_person_reads_by_whose_way_messages_come():
    assert NewsNarrator(SeatWords(Seat(2))).tell(MISSING) == [SENTENCE]


def test_program_reads_by_whose_way_messages_come():
    event, fields = FactTeller(game_of("kashi").telling, Seat(2)).tell(MISSING)
    assert event == "far-seat-missing"
    assert fields == {"name": "Anna", "ways": ["Bob", "Cid"], "seconds": 40.0}
    event, fields = FactTeller(game_of("kashi").telling, Seat(2)).tell(UNGREETED)
    assert (event, fields) == ("ungreeted", {"names": ["Anna", "Bob"], "seconds": 10.0})


@pytest.mark.parametrize(
    ("scenes", "scene"),
    [(kashi, kashi.Scene(Seat(0))), (tichu, tichu.opening(Seat(0)))],
    ids=["kashi", "tichu"],
)
def test_screen_shows_by_whose_way_messages_come(scenes, scene):
    assert scenes.hear(scene, MISSING).told[-1] == SENTENCE
    assert scenes.hear(scene, UNGREETED).told[-1] == WAITS


def test_program_reads_whose_line_is_quiet():
    teller = FactTeller(game_of("kashi").telling, Seat(2))
    quiet = LineQuiet(8.0, Seat(0))
    said = teller.tell(LineChanged(quiet, "Anna"))[1]["why"]
    assert said == "No message from Anna for 8 s."
