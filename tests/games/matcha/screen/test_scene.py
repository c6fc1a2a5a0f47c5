"""How news change the scene."""

import pytest

from matcha_p2p.console.table.focus import Talking
from matcha_p2p.games.matcha.rules.edition import EDITION_2020
from matcha_p2p.games.matcha.rules.game import resign
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.scene import Aiming, Picking, Waiting
from matcha_p2p.games.matcha.table.events import Kept, Shuffled, ended_by
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import (
    LineDialled,
    LineDown,
    LineEnded,
    LineHeard,
    LineQuiet,
    LineUp,
)
from matcha_p2p.session.news import (
    Exposed,
    GameEvent,
    LineChanged,
    TakenUp,
    TalkHeard,
    TalkRecalled,
    Unheard,
)
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.talk import Phrase, Say
from tests.console.scenes import MINE, Story


def test_shuffles_are_told_in_words():
    story = Story()
    for label in ("mix", "deal", "own"):
        story.tell(GameEvent(Shuffled(1, label), story.game))
        assert "Mina's" in story.scene.work


def test_a_hand_is_seen_only_once_it_is_dealt():
    story = Story()
    assert story.scene.hand == ()
    assert story.deal().scene.hand == MINE


def test_a_move_that_is_due_interrupts_no_talk():
    story = Story().deal().press("/", "x").ask()
    assert story.scene.focus == Talking("x")
    assert story.scene.asked


def test_the_end_of_the_game_interrupts_no_talk():
    story = Story(EDITION_2020).deal().press("/", "x")
    ended = resign(story.game, 1)
    story.tell(GameEvent(ended_by(ended.phase, ended.tokens), ended))
    assert story.scene.focus == Talking("x")


def test_talk_leaves_a_card_half_chosen():
    story = Story().deal().press("1").tell(TalkHeard("well?", "Taro", Seat(1)))
    assert isinstance(story.scene.question, Aiming)
    assert story.scene.talk == ((1, "well?"),)


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (LineQuiet(6.4, Seat(1)), "6 s"),
        (LineDown("x", Seat(1)), "lost"),
        (LineDialled(3, Seat(1)), "try 3"),
        (LineHeard(Seat(1)), ""),
        (LineUp(Binding(b""), None, Seat(1)), ""),
        (LineEnded("x", Seat(1)), ""),
    ],
    ids=["quiet", "down", "dialled", "heard", "up", "ended"],
)
def test_the_line_is_told_of_while_it_is_not_well(change, trouble):
    scene = (
        Story()
        .tell(LineChanged(LineDown("x", Seat(1)), "Taro"), LineChanged(change, "Taro"))
        .scene
    )
    assert trouble in scene.trouble
    assert bool(scene.trouble) == bool(trouble)


def test_a_game_taken_up_has_its_names_and_cards():
    game = Story().deal().play("1a").game
    story = Story().tell(TakenUp(game, ("Taro", "Mina"), MINE))
    assert (story.scene.name, story.scene.hand, story.scene.game) == ("Mina", MINE, game)
    assert story.scene.lately == story.scene.told[:1]  # mats and hand are in sight
    assert len(story.scene.told) == 5


def test_earlier_talk_of_a_resumed_game_is_shown_and_is_not_new():
    game = Story().deal().play("1a").game
    spoken = ((SEATS[1], Say("well?")), (SEATS[0], Phrase(2)))
    names = ("Taro", "Mina")
    story = Story().tell(TakenUp(game, names, MINE), TalkRecalled(spoken, names))
    assert story.scene.talk == ((SEATS[1], "well?"), (SEATS[0], "Nothing here."))
    assert story.scene.unread == 0
    assert not any("well?" in line for line in story.scene.lately)
    assert story.scene.told[-3:] == (
        "Your talk so far:",
        "Mina says: well?",
        "You said: Nothing here.",
    )


def test_talk_without_a_peer_on_the_line_is_told():
    scene = Story().tell(LineChanged(LineDown("x", Seat(1)), "Taro"), Unheard()).scene
    assert scene.lately[-1] == "Mina is not connected and does not receive this."


def test_the_table_is_not_told_twice_but_the_review_has_all():
    scene = Story().deal().scene
    assert len(scene.lately) == 1
    assert len(scene.told) == 6
    assert not any("Type help" in line for line in scene.told)


def test_news_after_the_end_is_told():
    story = Story().deal()
    story.tell(GameEvent(Kept((2, 0)), story.game), Exposed(1))
    assert "opened the book" in story.scene.lately[-1]
    assert isinstance(story.scene.question, Picking)
    assert Story().scene.question == Waiting()


def test_resumed_game_waits_for_the_other_player_and_then_names_the_seat_to_move():
    game = Story().deal().play("1a").game
    story = Story().tell(TakenUp(game, ("Taro", "Mina"), MINE))
    assert story.scene.work == "Waiting for Mina to come back."
    story.tell(LineChanged(LineDialled(2, Seat(1)), "Taro"))
    assert story.scene.work
    story.tell(LineChanged(LineUp(b"", None, Seat(1)), "Taro"))
    assert story.scene.work == ""
    working = Story().scene.work
    assert Story().tell(LineChanged(LineUp(b"", None, Seat(1)), "Taro")).scene.work == working
