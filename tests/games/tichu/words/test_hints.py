"""The hint: the best three answers, with points and reasons."""

from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.rules.actions import (
    AnswerGrand,
    GiveCards,
    GiveTrick,
    Hold,
    Lay,
    Pass,
)
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.words.hints import reasons
from matcha_p2p.games.tichu.words.seat_words import Around
from tests.games.tichu.screen.scenes import CARL, Story, faces, following, leading, opened

YOU = SEATS[0]
AROUND = Around(right="Carl", partner="Bea", left="Dora")


def lay(story: Story, text: str, wild: int = 0) -> Lay:
    hand = story.hands[YOU]
    return Lay(tuple(sorted(hand.index(face) for face in faces(text))), wild)


def test_the_best_answer_comes_first_and_then_the_most_points():
    story = leading()
    moves = [("RT KT", 10.4), ("R2", -3.0), ("GQ", 31.0), ("G3", 8.0)]
    judgement = Judgement(tuple(JudgedMove(lay(story, text), worth) for text, worth in moves))
    first, second, third, close = reasons(story.view(), judgement, AROUND)
    assert close == "Answer 1 stays the advice: the figures are too rough to prefer another."
    assert first.startswith("1. a pair of tens (RT KT): +10 points. ")
    assert second.startswith("2. a queen (GQ): +31 points. ")
    assert third.startswith("3. a three (G3): +8 points. ")
    best, *others = judgement.moves
    sure = Judgement((best._replace(points=40.0), *others))
    assert len(reasons(story.view(), sure, AROUND)) == 3


def test_a_play_is_explained_by_the_plays_that_are_left_then():
    story = leading()
    seen = story.view()
    low, high = JudgedMove(lay(story, "R2"), 1.0), JudgedMove(lay(story, "KA"), 2.0)
    assert "plays are left then" in reasons(seen, Judgement((low, high)), AROUND)[0]
    assert "Nobody can beat it" not in reasons(seen, Judgement((low, high)), AROUND)[0]


def test_a_bomb_that_nobody_beats_is_called_safe():
    story = opened().lay(CARL, "M").holds()
    (told,) = reasons(
        story.view(), Judgement((JudgedMove(lay(story, "R7 G7 B7 K7"), None),)), AROUND
    )
    assert told.endswith("left then.")
    (told,) = reasons(story.view(), Judgement((JudgedMove(Hold(), None),)), AROUND)
    assert told.startswith("You still need ")


def test_a_pass_is_explained_by_the_partner_or_the_own_hand():
    seen = following().view()
    assert reasons(seen, Judgement((JudgedMove(Pass(), None),)), AROUND)[0].startswith(
        "You still need"
    )
    state = seen.state._replace(last=SEATS[2])
    (told,) = reasons(
        seen._replace(state=state), Judgement((JudgedMove(Pass(), None),)), AROUND
    )
    assert told == "The trick is your partner's so far."


def test_last_cards_are_told():
    story = leading()
    seen = story.view()
    two = lay(story, "R2")
    held = (frozenset(two.places), *seen.state.held[1:])
    seen = seen._replace(state=seen.state._replace(held=held))
    assert reasons(seen, Judgement((JudgedMove(two, None),)), AROUND) == ("Your last cards.",)


def test_a_call_has_a_reason():
    seen = Story().first_eight().view()
    (told,) = reasons(seen, Judgement((JudgedMove(AnswerGrand(called=False), None),)), AROUND)
    assert told.startswith("Eight cards are worth the risk only with")


def test_gifts_are_told_by_name():
    story = Story().deal()
    hand = story.hands[YOU]
    right, partner, left = (hand.index(face) for face in faces("G3 KA R2"))
    move = GiveCards((right, partner, left))
    told, why = reasons(story.view(), Judgement((JudgedMove(move, None),)), AROUND)
    assert told == "Give R2 to Dora, KA to Bea and G3 to Carl."
    assert why.startswith("Your hand can spare these cards")


def test_the_trick_of_the_dragon_is_told_by_name():
    seen = following().view()
    for seat, name in ((SEATS[1], "Carl"), (SEATS[3], "Dora")):
        (told,) = reasons(seen, Judgement((JudgedMove(GiveTrick(seat), None),)), AROUND)
        assert told == f"Give the trick to {name}."
