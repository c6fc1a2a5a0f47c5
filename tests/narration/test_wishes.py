"""After a game of three or four seats everybody reads who wishes another game."""

import pytest

from matcha_p2p.games import FOLDERS
from matcha_p2p.games.kashi.screen import scene as kashi
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.games.matcha.screen import scene as matcha
from matcha_p2p.games.tichu.screen import scene as tichu
from matcha_p2p.games.tichu.table.events import Met
from matcha_p2p.games.tichu.words import seat_words as tichu_words
from matcha_p2p.narration import after_game
from matcha_p2p.narration.after_game import AfterGame, after, commands_after, tell_after
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Exposed, Offered, Settled, Wishes
from matcha_p2p.wire.talk import Proposal

SCREENS = [
    (matcha, matcha.Scene(Seat(0))),
    (tichu, tichu.opening(Seat(0))),
    (kashi, kashi.Scene(Seat(0))),
]
SOME = Wishes(("Ann", "Bo"), ("Cid", "Dee"))
ALL = Wishes(("Ann", "Bo", "Cid", "Dee"), ())
GONE = Wishes(("Ann",), ("Cid",), ("Bo", "Dee"))
CONTRADICTED = Wishes(("Ann", "Bo"), ("Cid", "Dee"), (), ("Bo",))
NAMED = (
    "The wishes for another game that Bo signed contradict each other: a changed program did "
    "this. Play the next game at a new table, without Bo."
)


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        (SOME, "Another game: Ann, Bo would like to play; waiting for Cid, Dee."),
        (ALL, "All players would like to play another game."),
        (GONE, "No other game follows: Bo, Dee left the table."),
        (CONTRADICTED, NAMED),
        (CONTRADICTED._replace(left=("Bo",)), NAMED),
    ],
)
def test_wishes_are_told_in_one_sentence(wishes, sentence):
    assert tell_after(wishes, SeatWords(Seat(2))) == [sentence]


def test_book_and_offer_are_told_with_the_name_of_their_seat():
    words = tichu_words.SeatWords(Seat(2))
    words.tell(Met(b"", "round", ("Ann", "Bo", "Cid", "Dee")), None)
    (opened,) = tell_after(Exposed(Seat(1)), words)
    assert opened == "Bo has opened the book: Bo's cards can now be read in the transcript."
    (offered,) = tell_after(Offered("Bo"), words)
    assert offered == "Bo would like to show the hidden cards of all players."


def test_seat_that_is_asked_reads_how_to_agree():
    state = after(AfterGame(), SOME)
    assert commands_after(AfterGame(), SOME) == ("Type again if you agree.",)
    assert after_game.asked(state) == tell_after(SOME, SeatWords(Seat(2)))[0]
    assert after_game.asked(AfterGame()) == ""


def test_seat_that_has_wished_reads_for_whom_the_table_waits():
    state = after(AfterGame().offer(Proposal.REMATCH), SOME)
    assert state is not None
    assert commands_after(state, ALL) == ()
    assert after_game.asked(state) == ""
    waiting = "Waiting for Cid, Dee to agree to another game. Enter closes."
    assert after_game.waiting(state, "all") == waiting
    state = after(state, ALL)
    assert after_game.waiting(state, "all") == "All players would like to play another game."


def test_nobody_can_wish_once_a_seat_has_left():
    state = after(after(None, Settled(b"")), GONE)
    assert state is not None
    assert not state.allows(Proposal.REMATCH)
    assert state.allows(Proposal.BOOKS)
    assert commands_after(AfterGame(), GONE) == ()
    left = "No other game follows: Bo, Dee left the table."
    assert after_game.waiting(state, "all") == left


def test_nobody_can_wish_once_wishes_contradict_each_other():
    state = after(after(None, Settled(b"")), CONTRADICTED)
    assert state is not None
    assert not state.allows(Proposal.REMATCH)
    assert commands_after(AfterGame(), CONTRADICTED) == ()
    assert after_game.waiting(state, "all") == NAMED


def test_seat_that_breaks_the_protocol_is_named_once_also_after_the_end_of_the_table():
    narrator = NewsNarrator(SeatWords(Seat(2)))
    assert len(narrator.tell(GONE)) == 1
    both = GONE._replace(contradicted=("Bo",))
    assert narrator.tell(both) == [NAMED]
    assert narrator.tell(both._replace(missing=())) == []


@pytest.mark.parametrize(("scenes", "scene"), SCREENS, ids=FOLDERS)
def test_each_screen_names_the_seat_whose_wishes_contradict_each_other(scenes, scene):
    scene = scenes.hear(scenes.hear(scene, Settled(b"")), SOME)
    assert scenes.hear(scene, CONTRADICTED).told[-1] == NAMED


def test_end_of_the_table_is_told_once():
    narrator = NewsNarrator(SeatWords(Seat(2)))
    assert len(narrator.tell(GONE)) == 1
    more = GONE._replace(missing=(), left=("Bo", "Cid", "Dee"))
    assert narrator.tell(more) == []


@pytest.mark.parametrize(("scenes", "scene"), SCREENS, ids=FOLDERS)
def test_screen_tells_the_end_of_the_table_once(scenes, scene):
    scene = scenes.hear(scene, Settled(b""))
    for left in (("Bo",), ("Bo", "Cid"), ("Bo", "Cid", "Dee")):
        scene = scenes.hear(scene, Wishes((), (), left))
    assert sum("No other game follows" in sentence for sentence in scene.told) == 1
    assert scene.after_game.wishes.left == ("Bo", "Cid", "Dee")


@pytest.mark.parametrize(("scenes", "scene"), SCREENS, ids=FOLDERS)
def test_screen_tells_an_offer_once_in_the_place_of_offers(scenes, scene):
    settled = scenes.hear(scene, Settled(b""))
    scene = scenes.hear(settled, SOME)
    assert after_game.asked(scene.after_game) == scene.told[-1]
    assert scene.lately == settled.lately
    scene = scenes.hear(scene, Offered("Bo"))
    shown = after_game.asked(scene.after_game)
    assert ("Bo would like to show hidden cards" in shown) is (scenes is not kashi)
    assert (scene.lately[-1:] == scene.told[-1:]) is (scenes is kashi)
