"""The hint: the best three answers, with points and reasons."""

from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.rules.actions import AnswerGrand, Hold, Lay, Pass
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.words.hints import reasons
from tests.games.tichu.screen.scenes import CARL, Story, faces, following, leading, opened

YOU = SEATS[0]


def lay(story: Story, text: str, wild: int = 0) -> Lay:
    hand = story.hands[YOU]
    return Lay(tuple(sorted(hand.index(face) for face in faces(text))), wild)


def test_the_best_answer_comes_first_and_then_the_most_points():
    story = leading()
    moves = [("RT KT", 10.4), ("R2", -3.0), ("GQ", 31.0), ("G3", 8.0)]
    judgement = Judgement(tuple(JudgedMove(lay(story, text), worth) for text, worth in moves))
    first, second, third, close = reasons(story.view(), judgement)
    assert close == "The figures are too rough to say that another answer is better."
    assert first.startswith("1. a pair of tens (RT KT): +10 points. ")
    assert second.startswith("2. a queen (GQ): +31 points. ")
    assert third.startswith("3. a three (G3): +8 points. ")
    best, *others = judgement.moves
    sure = Judgement((best._replace(points=40.0), *others))
    assert len(reasons(story.view(), sure)) == 3


def test_a_play_is_explained_by_the_plays_that_are_left_then():
    story = leading()
    seen = story.view()
    low, high = JudgedMove(lay(story, "R2"), 1.0), JudgedMove(lay(story, "KA"), 2.0)
    assert "plays are left then" in reasons(seen, Judgement((low, high)))[0]
    assert "Nobody can beat it" not in reasons(seen, Judgement((low, high)))[0]


def test_a_bomb_that_nobody_beats_is_called_safe():
    story = opened().lay(CARL, "M").holds()
    (told,) = reasons(story.view(), Judgement((JudgedMove(lay(story, "R7 G7 B7 K7"), None),)))
    assert told.endswith("left then.")
    (told,) = reasons(story.view(), Judgement((JudgedMove(Hold(), None),)))
    assert told.startswith("You still need ")


def test_a_pass_is_explained_by_the_partner_or_the_own_hand():
    seen = following().view()
    assert reasons(seen, Judgement((JudgedMove(Pass(), None),)))[0].startswith("You still need")
    state = seen.state._replace(last=SEATS[2])
    (told,) = reasons(seen._replace(state=state), Judgement((JudgedMove(Pass(), None),)))
    assert told == "The trick is your partner's so far."


def test_last_cards_are_told():
    story = leading()
    seen = story.view()
    two = lay(story, "R2")
    held = (frozenset(two.places), *seen.state.held[1:])
    seen = seen._replace(state=seen.state._replace(held=held))
    assert reasons(seen, Judgement((JudgedMove(two, None),))) == ("Your last cards.",)


def test_a_call_has_a_reason():
    seen = Story().first_eight().view()
    (told,) = reasons(seen, Judgement((JudgedMove(AnswerGrand(called=False), None),)))
    assert told.startswith("Eight cards are worth the risk only with")
