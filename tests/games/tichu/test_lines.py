"""Whole rounds of Tichu in line mode: four seats type what the program lists as moves."""

from typing import Any

import pytest

from matcha_p2p.games.game import Telling
from matcha_p2p.games.tichu import telling
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.game import GAME as TICHU
from matcha_p2p.games.tichu.rules.actions import Hold, Lay
from matcha_p2p.games.tichu.rules.round import SEATS, Ask
from matcha_p2p.games.tichu.table.events import Called
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import (
    GameEvent,
    MakeMove,
    MoveDue,
    PhraseHeard,
    ResignOffered,
    Think,
    WindowAnswered,
    WindowOpened,
)
from tests.games.tichu.screen.scenes import BEA, CARL, DORA, YOU, Told

TELLING: Telling = telling  # the type checker compares each function


def test_one_player_is_muted_by_name_and_heard_again():
    talk = Conversation(SEATS[0], TICHU)
    heard = [PhraseHeard(6, name, Seat(seat)) for seat, name in ((1, "Ann"), (2, "Bo"))]
    assert talk.read("mute bo").lines == ("No player of that name has said anything.",)
    assert all(map(talk.hear, heard))
    muted = "You no longer hear Bo. Type mute Bo to hear Bo again."
    assert talk.read("mute bo").lines == (muted,)
    assert [bool(talk.hear(each)) for each in heard] == [True, False]
    assert talk.read("mute Bo").lines == ("You hear the talk of Bo again.",)
    assert all(map(talk.hear, heard))


def heard(*news: Any) -> Conversation:
    talk = Conversation(YOU, TICHU)
    for piece in news:
        if not isinstance(piece, MoveDue):
            talk.hear(piece)
    return talk


def test_a_bomb_typed_while_others_play_is_laid_by_itself():
    story = Told()
    story.deal().exchange()
    talk = heard(*story.all)
    assert talk.read("bomb 8").lines == ("You hold no such bomb.",)
    assert "a bomb of sevens" in talk.read("bomb").lines[0]
    talk.hear(MoveDue(story.lay(CARL, "M").holds().view()))
    assert isinstance(talk.reply, MakeMove)
    assert isinstance(talk.reply.move, Lay)


class Window:
    """A seat in line mode with four sevens, or no bomb, that may bomb a play of Carl's."""

    def __init__(self, *, holds: bool, bomb: bool = True) -> None:
        self.talk = Conversation(YOU, TICHU, None, holds=holds)
        self.story = Told()
        if not bomb:
            mine, carls = self.story.hands[YOU], self.story.hands[CARL]
            mine[3], carls[6] = carls[6], mine[3]
        self.story.deal().exchange().lay(CARL, "M")
        for piece in self.story.all:
            if not isinstance(piece, MoveDue):
                self.talk.hear(piece)
        self.told = self.talk.hear(WindowOpened(2.0))

    def ask(self) -> tuple[str, ...]:
        state = self.story.game.round._replace(asked=((YOU, Ask.HOLD),))
        return self.talk.hear(MoveDue(self.story.view()._replace(state=state)))


def test_person_with_a_bomb_is_told_of_it_when_the_window_opens():
    (told,) = Window(holds=True).told
    assert "a bomb of sevens" in told
    assert "within 2 s" in told
    assert Window(holds=True, bomb=False).told == ()


@pytest.mark.parametrize("bomb", [True, False])
def test_session_answers_for_the_person_when_the_time_is_over(bomb):
    window = Window(holds=True, bomb=bomb)
    assert window.ask() == ()
    assert (window.talk.reply, window.talk.waiting) == (None, False)
    window.talk.hear(WindowAnswered())
    assert window.talk.read("hold").choice is None


def test_bomb_is_laid_in_the_window():
    window = Window(holds=True)
    window.ask()
    choice = window.talk.read("bomb").choice
    assert isinstance(choice, MakeMove)
    assert isinstance(choice.move, Lay)


def test_session_asks_about_an_armed_bomb():
    window = Window(holds=True)
    assert window.talk.read("bomb").choice == Think()
    window.ask()
    assert isinstance(window.talk.reply, MakeMove)
    assert isinstance(window.talk.reply.move, Lay)


@pytest.mark.parametrize("bomb", [True, False])
def test_person_takes_more_time_for_a_bomb(bomb):
    window = Window(holds=True, bomb=bomb)
    assert window.talk.read("wait").choice == Think()
    (question,) = window.ask()
    assert ("a bomb of sevens" in question) is bomb
    assert window.talk.read("hold").choice == MakeMove(Hold())


@pytest.mark.parametrize("bomb", [True, False])
def test_without_the_setting_the_person_is_asked(bomb):
    window = Window(holds=False, bomb=bomb)
    (question,) = window.ask()
    assert ("a bomb of sevens" in question, "no bomb" in question) == (bomb, not bomb)
    assert window.talk.reply is None
    assert window.talk.read("hold").choice == MakeMove(Hold())


@pytest.mark.parametrize("bomb", [True, False])
def test_call_goes_with_the_next_answer_of_any_hand(bomb):
    window = Window(holds=True, bomb=bomb)
    window.talk.read("tichu")
    window.talk.read("y")
    window.ask()
    assert window.talk.reply == MakeMove(Hold(tichu=True))
    window.talk.hear(GameEvent(Called(YOU, 100), window.story.game))
    window.ask()
    assert window.talk.reply is None


def test_in_practice_a_team_resigns_only_with_the_partner():
    story = Told()
    story.deal().exchange()
    talk = Conversation(YOU, TICHU, len)
    for piece in story.all:
        talk.hear(piece)
    assert "Bea plays on" in talk.read("concede").lines[0]
    talk.hear(GameEvent(story.all[0].event, story.game._replace(totals=(0, 300))))
    assert talk.read("concede").lines == ("Concede the game? y: yes, n: no",)


def test_a_seat_hears_what_an_offer_to_resign_means_for_it():
    story = Told()
    own, partners, others = (
        Conversation(YOU, TICHU).hear(ResignOffered(seat, name, partner, story.game))
        for seat, name, partner in ((YOU, "You", BEA), (BEA, "Bea", YOU), (CARL, "Carl", DORA))
    )
    assert "your partner can agree until you play on" in own[0]
    assert "Bea offers to concede" in partners[0]
    assert "concede too if you agree" in partners[0]
    assert others == ("Carl offers to concede. A team concedes only with both.",)


def test_a_bomb_typed_twice_is_disarmed():
    story = Told()
    story.deal().exchange()
    talk = heard(*story.all)
    talk.read("bomb 7")
    talk.read("bomb")
    talk.hear(MoveDue(story.lay(CARL, "M").holds().view()))
    assert talk.reply is None
    assert isinstance(talk.read("bomb").choice, MakeMove)
