"""What line mode answers to why, hint, undo, score, table, hand and fits."""

import pytest

from matcha_p2p.games.asking import Listing
from matcha_p2p.games.tichu.bots.hint import advise
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.game import GAME as TICHU
from matcha_p2p.games.tichu.rules.actions import Lay
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.words import line_sentences as said
from matcha_p2p.session.news import GameEvent, MakeMove
from tests.games.tichu.screen.scenes import BEA, CARL, DORA, YOU, Told


def leading(advises=advise) -> tuple[Told, Conversation]:
    """Return the story in which you lead, and a dialogue into which nothing was typed."""
    story, talk = Told(), Conversation(YOU, TICHU, advises)
    story.deal().exchange().lay(CARL, "M B2 B3 B4 G5").holds()
    story.lay(YOU, "R7 G7 B7 K7").holds()
    story.passes(CARL).holds().passes(BEA).holds().passes(DORA).holds().ask()
    for piece in story.all:
        talk.hear(piece)
    return story, talk


def test_practice_tells_the_aim_in_the_first_round_alone():
    story = Told()
    for advises, number, told in ((advise, 1, True), (advise, 2, False), (None, 1, False)):
        talk = Conversation(YOU, TICHU, advises)
        talk.hear(story.all[0])
        begun = talk.hear(GameEvent(events.RoundBegun(number, YOU), story.game))
        assert (said.AIM() in begun) is told


def test_why_tells_the_rule_of_the_last_refusal():
    _, talk = leading()
    assert talk.read("why").lines == ("No rule refuses anything now.",)
    (refused,) = talk.read("8 9").lines
    assert refused == "Rule T14: These cards are no combination."
    told, page = talk.read("why").lines
    assert told == refused
    assert "straight" in page
    assert talk.read("pass").lines[0].startswith("Rule T22: ")
    assert talk.read("why").lines[0].startswith("Rule T22: ")


def test_hint_names_an_answer_that_line_mode_understands():
    _, talk = leading()
    first, *reasons = talk.read("hint").lines
    assert 1 <= len(reasons) <= 4
    choice = talk.read(first.removeprefix("A good player would type: ")).choice
    assert isinstance(choice, MakeMove)
    assert isinstance(choice.move, Lay)
    assert talk.read("hint").lines == ("No decision is due now.",)


def test_score_tells_the_points_of_both_teams():
    story, talk = leading()
    story.game = story.game._replace(totals=(45, 155))
    talk.hear(GameEvent(events.TurnPassed(CARL), story.game))
    assert "45" in " ".join(talk.read("score").lines)
    assert "155" in " ".join(talk.read("score").lines)


def test_hand_table_and_fits_tell_what_a_person_may_know():
    _, talk = leading()
    assert talk.read("hand").lines == ("Hand: 2✦, 3◉, 5⌂, 8⍏, 9⌂, 10✦ 10⍏, Q◉, A⍏, Phx.",)
    table = " ".join(talk.read("table").lines)
    assert "Carl 9" in table
    assert "J✦" not in table  # a card of Carl's
    assert "a pair of tens" in " ".join(talk.read("fits").lines)


@pytest.mark.parametrize("typed", ["9" * 5000, "K" * 5000, "K" * 60, "KK " * 30])
def test_text_longer_than_a_hand_names_no_cards(typed):
    _, talk = leading()
    for question in (None, Listing("", ())):
        talk._asked = question
        answer = talk.read(typed)
        assert (answer.choice, bool(answer.lines)) == (None, True)
