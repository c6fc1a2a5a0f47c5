"""At a table of three or four a person reads whose message is missing, and by whose way."""

import pytest

from matcha_p2p.games import telling
from matcha_p2p.games.kashi.screen import scene as kashi
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.games.tichu.screen import scene as tichu
from matcha_p2p.narration.facts import FactTeller
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import FarSeatMissing

MISSING = FarSeatMissing("Anna", ("Bob", "Cid"), 40.0)
SENTENCE = (
    "The game has waited for Anna for 40 s. Anna may be thinking. Messages of Anna reach you "
    "only through Bob, Cid."
)


def test_person_reads_by_whose_way_messages_come():
    assert NewsNarrator(SeatWords(Seat(2))).tell(MISSING) == [SENTENCE]


def test_program_reads_by_whose_way_messages_come():
    event, fields = FactTeller(telling("kashi"), Seat(2)).tell(MISSING)
    assert event == "far-seat-missing"
    assert fields == {"name": "Anna", "ways": ["Bob", "Cid"], "seconds": 40.0}


@pytest.mark.parametrize(
    ("scenes", "scene"),
    [(kashi, kashi.Scene(Seat(0))), (tichu, tichu.opening(Seat(0)))],
    ids=["kashi", "tichu"],
)
def test_screen_shows_by_whose_way_messages_come(scenes, scene):
    assert scenes.hear(scene, MISSING).told[-1] == SENTENCE
